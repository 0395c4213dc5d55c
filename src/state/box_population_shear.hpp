// BoxPopulation in a sheared box (core/shear.hpp): images and faces. Included by box_population_*.device.cpp.
//
// The box' images beyond the faces across the gradient are ghosts, on one rank too. They travel like those of other
// ranks, and are then moved to where the step's images are. A list is good while images slide (WatchInFlow), so it
// lasts about as long as without shear. Particles that drift through a face stay where they are in the list, just
// beyond the box, until the next build puts them back; what is written shows them in the box.
#pragma once

#include "grid/shear_images.hpp"
#include "io/checkpoint/stored_rows.hpp"
#include "state/box_population.hpp"

namespace mesowarp {

template <class P>
ShearFaces<typename P::Coord> BoxPopulation<P>::facesAt(i64 step) const {
  const Shear& shear = settings_.shear;
  const double rate = shearRateAt(std::max<i64>(step - 1, 0));  // velocities are still those of the step before
  return ShearFaces<Coord>::of(shear, rate * settings_.box.size[shear.gradient], offset_.at(step));
}

template <class P>
ShearFaces<typename P::Coord> BoxPopulation<P>::facesNow() const {
  const Shear& shear = settings_.shear;
  return ShearFaces<Coord>::of(shear, shearRateAt(step_) * settings_.box.size[shear.gradient], offset_.at(step_));
}

template <class P>
GhostWays BoxPopulation<P>::ghostWays() const {
  GhostWays ways;
  for (int way = 0; way <= direction::count; ++way) ways.first[way] = halo_->ghostPlan().firstGhost[way];
  for (int way = 0; way < direction::count; ++way) ways.image[way] = part_.domain.imageFrom(way);
  return ways;
}

// Behind the first exchange of a build: ghosts by the cells of their images.
template <class P>
void BoxPopulation<P>::arrangeGhosts(const FieldRows& rows) {
  const auto n = static_cast<std::size_t>(arrays_.ghosts);
  if (along_.extent(0) < n)
    along_ = DeviceArray<u32>(Kokkos::view_alloc("ghosts along the flow", Kokkos::WithoutInitializing), n + n / 8);
  backend::runBeside("ghosts along the flow", halo_->side(), arrays_.ghosts,
                     GhostsAlong<Coord>{facesAt(step_), ghostWays(), arrays_.position->current, along_, arrays_.count});
  halo_->arrange(grid_, along_, rows);
}

// Those that have just come.
template <class P>
void BoxPopulation<P>::moveGhosts() {
  backend::runBeside("move images", halo_->side(), arrays_.ghosts,
                     MoveGhosts<P>{facesAt(step_), ghostWays(), arrays_.position->current, arrays_.velocity->current,
                                   arrays_.count, settings_.ghostsHaveVelocities});
}

template <class P>
void BoxPopulation<P>::putBack() {
  const StateView<P> now = view(false);
  Kokkos::parallel_for("through the faces", Range(0, arrays_.count),
                       PutBack<P>{facesAt(step_), now.position, now.velocity, now.velocityLow, now.velocityRest,
                                  arrays_.built->current, arrays_.image->current});
}

// Of the state that the step has just written.
template <class P>
void BoxPopulation<P>::watchInFlow() {
  const auto t = ticks();
  const Box& box = settings_.box;
  const i64 built = builds().lastRebuild;
  const double time = static_cast<double>(step_ + 1 - built) * settings_.timestep;
  Shear shear = settings_.shear;
  if (settings_.shearRate)  // its mean since the build
    shear.rate = offset_.between(built, step_ + 1) * box.size[shear.flow] / (box.size[shear.gradient] * time);
  const double left = 0.5 * (settings_.skin - std::abs(shear.rate) * reach() * time);
  Kokkos::parallel_for("displacements in the flow", Range(0, arrays_.count),
                       WatchInFlow<Coord, Real>{shear,
                                                arrays_.position->next,
                                                arrays_.built->current,
                                                {t.x, t.y, t.z},
                                                Real(time),
                                                Real(0.5 * box.size[shear.gradient]),
                                                left > 0.0 ? Real(left * left) : Real(-1),
                                                step_ + 1,
                                                flags().moved(),
                                                looksLate() ? flags().staleFrom().data() : nullptr});
}

// The offset of a checkpoint, so that a run that goes on with another rate goes on from there: whole boxes, a fraction
// in units of 2^-64, and of which step.
template <class P>
std::vector<i64> BoxPopulation<P>::offsetState() const {
  const auto units = offset_.at(step_);
  return {static_cast<i64>(units >> 64), static_cast<i64>(static_cast<u64>(units)), step_};
}

template <class P>
void BoxPopulation<P>::restoreOffset(const io::CheckpointContent& content) {
  const StoredRows<i64> value{content.arrays.at("shear_offset").data.data()};
  offset_.restore((ShearOffset::Units{value(0)} << 64) | static_cast<u64>(value(1)), value(2));
}

}  // namespace mesowarp
