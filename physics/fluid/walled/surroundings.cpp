#include "physics/fluid/walled/surroundings.hpp"

#include <algorithm>
#include <cmath>

#include "device/host_loop.hpp"

namespace mesowarp::fluid {

Surroundings::Surroundings(const input::Deck& deck, const boundary::SolidParts& parts, const std::array<int, 3>& copies,
                           double cutoff) {
  constexpr double mostCells = 4194304.0, slack = 1e-6;
  double wanted = cutoff, volume = 1.0, squared = 0.0;
  for (const double edge : deck.box.size) volume *= edge;
  wanted = std::max(wanted, std::cbrt(volume / mostCells));
  for (std::size_t axis = 0; axis < 3; ++axis) {
    perCopy_[axis] = std::max(1, static_cast<int>(deck.box.size[axis] / copies[axis] / wanted));
    cells_[axis] = copies[axis] * perCopy_[axis];
    perLength_[axis] = cells_[axis] / deck.box.size[axis];
    squared += std::pow(0.5 / perLength_[axis], 2);
  }
  const double steepest = parts.grids.empty() ? 1.0 : 1.75, margin = steepest * std::sqrt(squared) + slack * cutoff;
  kind_.resize(static_cast<std::size_t>(cells_[0]) * static_cast<std::size_t>(cells_[1]) *
               static_cast<std::size_t>(cells_[2]));
  const boundary::Solid solid = parts.view();
  hostLoop("surroundings", 0, static_cast<i64>(kind_.size()), [&](i64 k) {
    const std::array<i64, 3> cell{k % cells_[0], k / cells_[0] % cells_[1], k / cells_[0] / cells_[1]};
    std::array<double, 3> middle{};
    for (std::size_t axis = 0; axis < 3; ++axis)
      middle[axis] = (static_cast<double>(cell[axis]) + 0.5) / perLength_[axis];
    const double distance = solid(parts.point(deck, middle)).distance;
    kind_[static_cast<std::size_t>(k)] = distance > margin ? inFluid : distance < -cutoff - margin ? inSolid : near;
  });
}

Surroundings::Kind Surroundings::ofCopy(const std::array<int, 3>& copy) const {
  std::array<int, 3> first{}, cell{};
  for (std::size_t axis = 0; axis < 3; ++axis) first[axis] = copy[axis] * perCopy_[axis];
  const Kind kind = kind_[numberOf(first)];
  for (cell[2] = first[2]; cell[2] < first[2] + perCopy_[2]; ++cell[2])
    for (cell[1] = first[1]; cell[1] < first[1] + perCopy_[1]; ++cell[1])
      for (cell[0] = first[0]; cell[0] < first[0] + perCopy_[0]; ++cell[0])
        if (kind_[numberOf(cell)] != kind) return near;
  return kind;
}

}  // namespace mesowarp::fluid
