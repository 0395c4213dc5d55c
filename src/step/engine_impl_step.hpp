// EngineOf: construction and the step itself. Included by engine_impl.hpp.
#pragma once

#include <fmt/format.h>

#include "core/error.hpp"
#include "step/engine_impl.hpp"

namespace mesowarp {

// Neighbours of a particle where particles lie as in a gas.
inline double expectedNeighbors(double particles, double volume, double reach) {
  return particles / volume * 4.0 / 3.0 * M_PI * reach * reach * reach;
}

// A rank's own particles and ghosts, with room for fluctuations.
inline int roomFor(int particles, const CellGrid& grid, const RankPart& part) {
  if (!part.ranks) return particles;
  const double mean = static_cast<double>(part.allParticles) / part.ranks->size();
  const double own = std::max(mean, static_cast<double>(particles)),
               ghosts = own * grid.halo().ghostCells() / grid.cells();
  return static_cast<int>(1.02 * (own + ghosts) + 6.0 * std::sqrt(own + ghosts) + 64.0);
}

template <class P>
EngineOf<P>::EngineOf(const input::Deck& deck, int particles, int bondsPerParticle, SortStyle sort,
                      const RankPart& part)
    : deck_(deck), part_(part), box_(boxOf(deck)),
      forces_(makeBoxForces<P>(deck, part.ranks ? part.allParticles : particles)), cutoff_(forces_->cutoff()),
      reach_(cutoff_ + deck.neighbor.skin), grid_(box_, reach_, part.domain),
      arrays_(particles, roomFor(particles, grid_, part), P::splitMaster || deck.integrator.lambda != 0.5,
              P::splitMaster && deck.integrator.lambda != 0.5, bondsPerParticle,
              {forces_->readVelocities(), bondsPerParticle > 0}),
      list_(particles, cutoff_, reach_,
            expectedNeighbors(static_cast<double>(EngineOf::particles()), box_.volume(), reach_)),
      sorter_(sort), keys_(zeroedArray<u32>("sort keys", arrays_.capacity)) {
  if (forces_->pairs.empty()) throw InputError("no [[interaction]] acts between any two species");
  std::vector<double> masses = massesOf(deck);
  mass_ = toDevice<Real>("species mass", masses);
  for (double& mass : masses) mass = 1.0 / mass;
  inverseMass_ = toDevice<Real>("species 1 / mass", masses);
  for (const FieldRequest& field : forces_->fields()) addField(arrays_.fields, field, arrays_.capacity);
  if (bondsPerParticle > 0 || forces_->pairs.size() > 1) summed_ = forces_->room(arrays_.capacity);
  makeMovers();
  if (bondsPerParticle > 0) makeBonds();
  if (!part_.ranks) return;
  migration_ = std::make_unique<comm::Migration>(*part_.ranks, part_.domain, particles);
  auto chosen = comm::makeTransport(part_.transport, *part_.ranks, part_.domain);
  transportReason_ = std::move(chosen.reason);
  halo_ = std::make_unique<comm::Halo>(*part_.ranks, part_.domain, std::move(chosen.transport));
}

template <class P>
void EngineOf<P>::makeMovers() {
  const auto kind = [](input::FaceStyle style) {
    return style == input::FaceStyle::periodic         ? Face::periodic
           : style == input::FaceStyle::bounce_forward ? Face::bounceForward
                                                       : Face::bounceBack;
  };
  for (int axis = 0; axis < 3; ++axis) {
    for (int side = 0; side < 2; ++side) mover_.walls.face[axis][side] = kind(deck_.faces[axis][side]);
    mover_.walls.any = mover_.walls.any || !box_.periodic[axis];
    mover_.ticksPerLength[axis] = static_cast<Real>(1.0 / box_.tick(axis, 8 * sizeof(MasterCoord<P>)));
  }
  for (const auto& drive : deck_.drives) {
    const Vec3<Real> g{Real(drive.acceleration[0]), Real(drive.acceleration[1]), Real(drive.acceleration[2])};
    if (drive.style == input::DriveStyle::constant) {
      for (int axis = 0; axis < 3; ++axis) drives_.constant[axis] += g[axis];
    } else {
      if (drives_.count == Drives<Coord, Real>::most)
        throw InputError(fmt::format("at most {} [[drive]] blocks of style \"double-poiseuille\"", drives_.count));
      const Coord half = Coord{1} << (8 * sizeof(Coord) - (box_.periodic[drive.across] ? 1 : 2));
      drives_.halves[drives_.count++] = {g, drive.across, half};
    }
  }
}

template <class P>
void EngineOf<P>::makeBonds() {
  std::vector<int> excludes;
  bool any = false;
  for (const auto& bond : deck_.bonds) {
    excludes.push_back(bond.exclude ? 1 : 0);
    any = any || bond.exclude;
  }
  if (any) excludes_ = toDevice<i32>("bond excludes", excludes);
  indexOfTag_ = zeroedArray<int>("index of tag", static_cast<std::size_t>(EngineOf::particles()));
}

template <class P>
StateView<P> EngineOf<P>::view(bool next) const {
  StateView<P> v;
  v.position = next ? arrays_.position->next : arrays_.position->current;
  v.velocity = next ? arrays_.velocity->next : arrays_.velocity->current;
  if (arrays_.positionLow) v.positionLow = arrays_.positionLow->current;
  if (arrays_.velocityLow) v.velocityLow = arrays_.velocityLow->current;
  if (arrays_.velocityRest) v.velocityRest = arrays_.velocityRest->current;
  return v;
}

// Whether it is known already that the next step will rebuild: then displacements need no watching, nor ghosts
// refreshing.
template <class P>
bool EngineOf<P>::rebuildIsNext(i64 step) const {
  return step + 1 - counters_.lastRebuild >= plannedSteps();
}

template <class P>
Epilogue<P> EngineOf<P>::makeEpilogue(i64 step, const Wanted& wanted) {
  const double dt = deck_.run.timestep, halfSkin = 0.5 * deck_.neighbor.skin;
  Epilogue<P> e;
  e.old = view(false);
  e.next = view(true);
  e.tag = arrays_.tag->current;
  e.built = arrays_.built->current;
  if (wanted.velocities && observedVelocity_.extent(0) == 0)
    observedVelocity_ = zeroedArray<Vec3<Real>>("observed velocity", arrays_.capacity);
  if (wanted.forces && observedForce_.extent(0) == 0)
    observedForce_ = zeroedArray<Vec3<Real>>("observed force", arrays_.capacity);
  if (wanted.velocities) e.observedVelocity = observedVelocity_;
  if (wanted.forces) e.observedForce = observedForce_;
  e.mass = mass_;
  e.inverseMass = inverseMass_;
  e.grid = forces_->grid();
  e.mover = mover_;
  e.drives = drives_;
  e.closing = step == 0 ? Real(0) : Real(0.5 * dt);
  e.half = Real(0.5 * dt);
  e.timestep = Real(dt);
  e.predictor = Real((deck_.integrator.lambda - 0.5) * dt);
  e.tick = ticksOf<Real, Coord>(box_);
  e.largestStep2 = Real(cutoff_ * cutoff_);
  const bool watch = !rebuildIsNext(step);
  e.halfSkin2 = watch ? Real(halfSkin * halfSkin) : Real(-1);
  e.nextKey = stepKey(deck_.run.seed, Stream::pairNoise, step + 1);
  e.step = step;
  e.errors = flags_.errors();
  e.moved = flags_.moved();
  e.staleFrom = looksLate() ? flags_.staleFrom().data() : nullptr;
  return e;
}

template <class P>
void EngineOf<P>::sumBonds(i64 step, ThermoSums* sums) {
  const BondState<P> state{arrays_.position->current,
                           arrays_.tag->current,
                           arrays_.bondPartner->current,
                           arrays_.bondType->current,
                           indexOfTag_,
                           ticksOf<Real, Coord>(box_),
                           static_cast<int>(arrays_.bondPartner->width()),
                           guard(step),
                           flags_.errors()};
  forces_->sumBonds(state, summed_, arrays_.count, sums);
}

// The lower halves of x_k are overwritten by the step; snapshots and the state hash need them.
template <class P>
void EngineOf<P>::keepPositionLow(const Wanted& wanted) {
  if (!arrays_.positionLow || !(wanted.snapshot || wanted.velocities)) return;
  if (observedLow_.extent(0) == 0) observedLow_ = zeroedArray<Vec3<u32>>("observed position low", arrays_.capacity);
  Kokkos::deep_copy(Execution(), observedLow_, arrays_.positionLow->current);
}

template <class P>
void EngineOf<P>::advance(i64 step, const Wanted& wanted) {
  constexpr std::size_t mostUnconfirmed = 8;
  const bool many = unconfirmed_.size() >= mostUnconfirmed;
  // What several kernels sum up is not repeated in the middle of a step.
  if (wanted.any() || (halo_ && summed_.kept()) || (many && !looksLate()))
    confirmForNext();
  else if (many)
    graph_.launch();  // it need not be known yet what these did, but the device should not wait for more of them
  launchStep(step, wanted);
  if (part_.ranks && wanted.thermo) sums_.overRanks([&](auto* values, int count) { part_.ranks->sum(values, count); });
  if (forces_->fixedUnit() > 0.0)
    for (int c = 0; c < 3; ++c) sums_.force[c] = static_cast<double>(sums_.fixedForce[c]) * forces_->fixedUnit();
  if constexpr (backend::onGpu) unconfirmed_.push_back(step);
  lookSoon(step);
}

template <class P>
StepGuard EngineOf<P>::guard(i64 step) const {
  return {list_.table().incomplete, looksLate() ? flags_.staleFrom().data() : nullptr, step};
}

template <class P>
void EngineOf<P>::launchStep(i64 step, const Wanted& wanted) {
  sums_ = {};
  observed_ = wanted;
  keepPositionLow(wanted);
  if (halo_) receiveGhosts();
  forces_->bind(arrays_.fields, flags_);
  ThermoSums* sums = wanted.thermo ? &sums_ : nullptr;
  const PairState<P> state{arrays_.position->current,  arrays_.velocity->current,     list_.table(),
                           ticksOf<Real, Coord>(box_), step == counters_.lastRebuild, guard(step)};
  if (arrays_.bondPartner) {
    sumBonds(step, sums);
  } else if (summed_.kept()) {
    summed_.clear();
  }
  for (std::size_t p = 0; p + 1 < forces_->pairs.size(); ++p)
    forces_->pairs[p]->accumulate(state, summed_, arrays_.count, sums);
  const Epilogue<P> epilogue = makeEpilogue(step, wanted);
  if (halo_)
    finishOverlapped(state, epilogue, !rebuildIsNext(step), sums);
  else
    forces_->pairs.back()->finish(state, summed_, epilogue, {arrays_.count}, sums);
  arrays_.swapState();
}

}  // namespace mesowarp
