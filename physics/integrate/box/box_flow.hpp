// How the edges of a box change under [deformation] or a [[schedule]] of box.size, by the step alone, and the flow that
// particles are carried with on the average between two changes. No Kokkos.
#pragma once

#include <array>
#include <optional>

#include "input/deck.hpp"
#include "physics/integrate/box/box_keys.hpp"
#include "physics/integrate/schedule.hpp"

namespace mesowarp {

class BoxFlow {
public:
  explicit BoxFlow(const input::Deck& deck);

  // Whether edges change between steps step - 1 and step.
  bool changesAt(std::int64_t step) const;
  // As they are once they have changed at `step`, length.
  std::array<double, 3> sizeAt(std::int64_t step) const;
  // Gamma_a = d ln L_a / dt, 1 / time: of the change that comes next, spread over the steps since that before it. 0: no
  // further one comes.
  std::array<double, 3> rateAt(std::int64_t step) const;

private:
  DeformationKeys keys_;
  std::array<std::optional<ScheduleKeys>, 3> tables_;  // of edges that a [[schedule]] says
  std::array<double, 3> start_;
  double timestep_;
};

}  // namespace mesowarp
