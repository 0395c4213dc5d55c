// BoxPopulation: construction, sorting and the neighbour list. Included by box_population_*.device.cpp.
#pragma once

#include <algorithm>
#include <cmath>

#include "comm/transport/transports.hpp"
#include "device/host_copy.hpp"
#include "device/memory/zeroed.hpp"
#include "state/box_population.hpp"
#include "state/rebuild_kernels.hpp"

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

// Bonds look partners up.
inline BoxSettings withLookup(BoxSettings settings) {
  settings.looksUpTags = settings.looksUpTags || settings.bondsPerParticle > 0;
  return settings;
}

template <class P>
BoxPopulation<P>::BoxPopulation(BoxSettings settings, int particles, const RankPart& part)
    : ListedPopulation(settings.name, part.ranks, settings.list), settings_(withLookup(std::move(settings))),
      part_(part), grid_(settings_.box, cellReach(widened_), part.domain),
      arrays_(particles, roomFor(particles, grid_, part), settings_.splitVelocity, settings_.twoResiduals,
              settings_.bondsPerParticle, {settings_.ghostsHaveVelocities, looksUpTags()}),
      list_(particles, settings_.cutoff, reach(),
            expectedNeighbors(static_cast<double>(total()), settings_.box.volume(), reach())),
      sorter_(settings_.sort), keys_(zeroedArray<u32>("sort keys", arrays_.capacity)) {
  const double parts = part_.ranks ? part_.ranks->size() : 1;
  settings_.tunesSkin =
      settings_.tunesSkin && !policy().fixedInterval && static_cast<double>(total()) <= SkinTuner::mostPerRank * parts;
  if (settings_.tunesSkin) tuner() = SkinTuner(settings_.skin);
  std::vector<double> masses = settings_.masses;
  mass_ = toDevice<Real>("species mass", masses);
  for (std::size_t s = 0; s < masses.size(); ++s)
    masses[s] = s < settings_.frozen.size() && settings_.frozen[s] ? 0.0 : 1.0 / masses[s];
  inverseMass_ = toDevice<Real>("species 1 / mass", masses);
  if (settings_.summedBytes > 0) summed_ = SummedForces(arrays_.capacity, settings_.summedBytes);
  if (!settings_.excludes.empty()) excludes_ = toDevice<i32>("bond excludes", settings_.excludes);
  if (looksUpTags()) tagTable_ = TagTable(static_cast<std::size_t>(total()), part_.ranks != nullptr);
  if (!part_.ranks) return;
  if (arrays_.bondPartner) addPartners(arrays_.bondPartner);
  migration_ = std::make_unique<comm::Migration>(*part_.ranks, part_.domain, particles);
  auto chosen = comm::makeTransport(part_.transport, *part_.ranks, part_.domain);
  transportReason_ = std::move(chosen.reason);
  halo_ = std::make_unique<comm::Halo>(*part_.ranks, part_.domain, std::move(chosen.transport));
  if (!sheared()) return;
  const Shear& shear = settings_.shear;
  const auto boxes = [gradient = settings_.box.size[shear.gradient], flow = settings_.box.size[shear.flow],
                      timestep = settings_.timestep](double rate) { return rate * gradient * timestep / flow; };
  offset_ = settings_.shearRate
                ? ShearOffset([boxes, rate = settings_.shearRate](i64 step) { return boxes(rate(step)); })
                : ShearOffset(boxes(shear.rate));
  halo_->orderBy(grid_, part_.domain, shear.flow);
}

template <class P>
ParkedFields& BoxPopulation<P>::parkedFields() {
  if (!parked_) parked_ = std::make_unique<ParkedFields>(arrays_.fields, arrays_.count, arrays_.capacity);
  return *parked_;
}

template <class P>
StateView<P> BoxPopulation<P>::view(bool next) const {
  StateView<P> v;
  v.position = next ? arrays_.position->next : arrays_.position->current;
  v.velocity = next ? arrays_.velocity->next : arrays_.velocity->current;
  if (arrays_.positionLow) v.positionLow = arrays_.positionLow->current;
  if (arrays_.velocityLow) v.velocityLow = arrays_.velocityLow->current;
  if (arrays_.velocityRest) v.velocityRest = arrays_.velocityRest->current;
  return v;
}

template <class P>
const DeviceArray<Vec3<typename P::Real>>& BoxPopulation<P>::observedVelocity() {
  if (observedVelocity_.extent(0) == 0)
    observedVelocity_ = zeroedArray<Vec3<Real>>("observed velocity", arrays_.capacity);
  return observedVelocity_;
}

template <class P>
const DeviceArray<Vec3<typename P::Real>>& BoxPopulation<P>::observedForce() {
  if (observedForce_.extent(0) == 0) observedForce_ = zeroedArray<Vec3<Real>>("observed force", arrays_.capacity);
  return observedForce_;
}

// The lower halves of x_k are overwritten by the step; snapshots and the state hash need them.
template <class P>
void BoxPopulation<P>::beginStep(const Wanted& wanted) {
  observed_ = wanted;
  if (wanted.virials) {
    if (virial_.extent(0) == 0)
      virial_ = zeroedArray<double>("virials", 6 * static_cast<std::size_t>(arrays_.capacity));
    clearOn(Execution(), virial_);
  }
  summed_.addVirialsTo(wanted.virials ? virial_.data() : nullptr);
  if (!arrays_.positionLow || !(wanted.snapshot || wanted.velocities)) return;
  if (observedLow_.extent(0) == 0) observedLow_ = zeroedArray<Vec3<u32>>("observed position low", arrays_.capacity);
  copyOn(Execution(), observedLow_, arrays_.positionLow->current);
}

template <class P>
void BoxPopulation<P>::makeList(i64 step) {
  step_ = step;
  if (sheared()) putBack();
  if (halo_) migrate();
  fitGhosts();
  sortParticles();
  if (!halo_) return buildList();
  arrays_.count -= migration_->left();
  buildOnRanks();
}

// Both work in the memory of the old list.
template <class P>
void BoxPopulation<P>::sortParticles() {
  reorder(sortedOrder());
}

// Box crossings, sort keys, and in which order particles are to be stored.
template <class P>
backend::SortedOrder BoxPopulation<P>::sortedOrder() {
  const std::size_t n = static_cast<std::size_t>(arrays_.count);
  const auto [lent, lentBytes] = list_.spareMemory();
  workspace_.begin(4 * Workspace::rounded(n * sizeof(u32)) + arrays_.fields.workspaceBytes(), lent, lentBytes);
  const backend::SortPairs pairs{workspace_.take<u32>(n), workspace_.take<int>(n)};
  const backend::SortPairs other{workspace_.take<u32>(n), workspace_.take<int>(n)};
  // On several ranks there is one cell more, for those that have left.
  const backend::SortTask task{arrays_.count, grid_.cells() + (halo_ ? 1 : 0), grid_.keyBits(),
                               grid_.firstKeyBit(arrays_.count)};
  const auto position = arrays_.position->current;
  const int arrived = migration_ ? migration_->arrived() : 0;  // whose `built` has stayed behind
  Kokkos::parallel_for("sort keys", Range(0, arrays_.count),
                       KeysAndImages<Coord>{position, arrays_.built->current, arrays_.image->current, grid_.indexer(),
                                            DomainBounds(part_.domain), grid_.keyOutside(),
                                            sorter_.begin(task, pairs, other), listBuilt_ ? arrays_.count - arrived : 0,
                                            flags().moved(), flags().dangerous(), flags().staleFrom(),
                                            policy().fixedInterval});
  return sorter_.finish(grid_.start());
}

// Takes from the workspace what sortedOrder() has left of it.
template <class P>
void BoxPopulation<P>::reorder(const backend::SortedOrder& sorted) {
  const auto position = arrays_.position->current;
  const FieldMoves moves = arrays_.fields.beginReorder(workspace_);
  Kokkos::parallel_for("reorder", Range(0, arrays_.count + 1),
                       Reorder<Coord>{sorted, keys_, moves, position, arrays_.built->current,
                                      grid_.boundaries(sorted.keys, arrays_.count)});
  const FieldMoves copies = arrays_.fields.endReorder();
  if (!copies.empty()) Kokkos::parallel_for("copy back", Range(0, arrays_.count), CopyBack{copies});
}

template <class P>
void BoxPopulation<P>::buildList() {
  indexTags();
  buildRows(ListPart::all);
}

template <class P>
void BoxPopulation<P>::indexTags() {
  if (looksUpTags())
    tagTable_.build(arrays_.tag->current, arrays_.count + arrays_.ghosts, arrays_.capacity,
                    sheared() ? MovedGhosts{ghostWays(), arrays_.count} : MovedGhosts{});
}

// From `built`, keys and cell boundaries alone, so that a resumed run gets the same list.
template <class P>
void BoxPopulation<P>::buildRows(ListPart part) {
  Exclusions exclusions;
  if (excludes_.extent(0) > 0)
    exclusions = {arrays_.bondPartner->current, arrays_.tag->current, arrays_.bondType->current, excludes_,
                  static_cast<int>(arrays_.bondPartner->width())};
  list_.build(settings_.box, grid_, keys_, arrays_.built->current, arrays_.count, arrays_.count + arrays_.ghosts,
              exclusions, part, halo_ ? &halo_->side() : nullptr);
  listBuilt_ = true;
}

// Waits for the build, and repeats it while the table is too small. Whether it had to: then no kernel launched since
// has done anything.
template <class P>
bool BoxPopulation<P>::completeList() {
  bool repeated = false;
  for (; !list_.complete(); repeated = true) buildRows(ListPart::all);
  return repeated;
}

}  // namespace mesowarp
