// BoxPopulation in a box whose lengths change between steps. Included by box_population_*.device.cpp.
//
// Positions are fractions of the box, and ticks, displacements, cells and rows are made from the lengths whenever they
// are needed, so new lengths are three numbers. What has to follow is the cell grid: as many cells as fit, by the same
// rule as at the start, so that it is a function of the present lengths alone and a resumed run has the same. Parts of
// ranks are fractions of the box as well; particles stay in theirs. The list is built behind each change.
#pragma once

#include <bit>
#include <cmath>
#include <fmt/format.h>

#include "core/cell_counts.hpp"
#include "core/error.hpp"
#include "io/checkpoint/stored_rows.hpp"
#include "state/box_population.hpp"

namespace mesowarp {

// The half-step velocity v, and the one that pair forces read, times a factor an axis.
template <class P>
struct ScaleVelocities {
  using Real = typename P::Real;
  using Store = typename P::Store;
  StateView<P> state;
  Vec3<Real> by;

  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    auto read = state.velocity(i);
    const Vec3<Real> seen{by.x * Real(read.x), by.y * Real(read.y), by.z * Real(read.z)};
    const Vec3<Store> stored{Store(seen.x), Store(seen.y), Store(seen.z)};
    if (state.velocityLow.data() != nullptr) scaleRest(i, {Real(read.x), Real(read.y), Real(read.z)}, stored);
    read.x = stored.x, read.y = stored.y, read.z = stored.z;
    state.velocity(i) = read;
  }
  // What the full velocity has beyond `stored`.
  KOKKOS_INLINE_FUNCTION void scaleRest(int i, Vec3<Real> full, const Vec3<Store>& stored) const {
    const bool two = state.velocityRest.data() != nullptr;
    for (int axis = 0; axis < 3; ++axis) {
      full[axis] += Real(state.velocityLow(i)[axis]);
      if (two) full[axis] += Real(state.velocityRest(i)[axis]);
      const Real missing = by[axis] * full[axis] - Real(stored[axis]);
      const Store low = Store(missing);
      state.velocityLow(i)[axis] = low;
      if (two) state.velocityRest(i)[axis] = Store(missing - Real(low));
    }
  }
};

template <class P>
void BoxPopulation<P>::checkLengths(const std::array<double, 3>& size) const {
  for (int axis = 0; axis < 3; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    const double part = part_.domain.cut(axis) ? size[a] / part_.domain.ranks[a] : size[a], reach = cellReach();
    if (!std::isfinite(size[a]) || size[a] < 2.0 * reach)
      throw RunError(fmt::format("the box' edge along {} has become {:.6g}, under twice cutoff + skin ({:.6g}): start "
                                 "with more particles, or look whether pressure and forces fit each other",
                                 "xyz"[axis], size[a], 2.0 * reach));
    if (part * (1.0 - 1e-8) < reach)
      throw RunError(fmt::format("the box' edge along {} has become {:.6g}, and the part of a rank {:.6g}, under "
                                 "cutoff + skin ({:.6g}): go on with fewer ranks along it (parallel.ranks)",
                                 "xyz"[axis], size[a], part, reach));
  }
}

// Checked ones.
template <class P>
void BoxPopulation<P>::setLengths(const std::array<double, 3>& size) {
  settings_.box.size = size;
  deformed_ = true;
  std::array<double, 3> own = size;
  for (int axis = 0; axis < 3; ++axis)  // as CellGrid has it
    if (part_.domain.cut(axis)) own[axis] *= (1.0 - 1e-8) / part_.domain.ranks[axis];
  if (cellsAlong(own, cellReach()) == grid_.dims()) return;
  Kokkos::fence();  // what still reads the old one
  grid_ = CellGrid(settings_.box, cellReach(), part_.domain);
}

template <class P>
void BoxPopulation<P>::deform(const std::array<double, 3>& size) {
  checkLengths(size);
  const std::array<double, 3> before = settings_.box.size;
  setLengths(size);
  const Vec3<Real> by{Real(before[0] / size[0]), Real(before[1] / size[1]), Real(before[2] / size[2])};
  Kokkos::parallel_for("scale velocities", Range(0, arrays_.count), ScaleVelocities<P>{view(false), by});
}

template <class P>
std::vector<i64> BoxPopulation<P>::lengthState() const {
  const auto& size = settings_.box.size;
  return {std::bit_cast<i64>(size[0]), std::bit_cast<i64>(size[1]), std::bit_cast<i64>(size[2])};
}

// Nothing: the lengths are the deck's.
template <class P>
std::optional<std::array<double, 3>> BoxPopulation<P>::storedLengths(const io::CheckpointContent& content) const {
  if (!content.arrays.count("box_lengths")) return std::nullopt;
  const StoredRows<i64> value{storedArray(content, "box_lengths", io::ElementType::i64, 3, 1).data.data()};
  return std::array<double, 3>{std::bit_cast<double>(value(0)), std::bit_cast<double>(value(1)),
                               std::bit_cast<double>(value(2))};
}

}  // namespace mesowarp
