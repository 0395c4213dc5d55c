// BoxPopulation in a box whose lengths change between steps, and with a skin that does. Included by
// box_population_*.device.cpp.
//
// Positions are fractions of the box, and ticks, displacements, cells and rows are made from the lengths whenever they
// are needed, so new lengths are three numbers. What has to follow is the cell grid: as many cells as fit, by the same
// rule as at the start, so that it is a function of the present lengths alone and a resumed run has the same. Parts of
// ranks are fractions of the box as well; particles stay in theirs. The list is built behind each change.
#pragma once

#include <bit>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "comm/decomposition.hpp"
#include "core/cell_counts.hpp"
#include "core/error.hpp"
#include "io/checkpoint/stored_rows.hpp"
#include "state/box_population.hpp"

namespace mesowarp {

// Of the room that there is: parts differ by a tick.
constexpr double almost = 1.0 - 1e-6;

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

// What the settings say. Where the deck has a number for it, a box without room for that ends the run.
template <class P>
double BoxPopulation<P>::cellReachIn(const Box& box) const {
  if (!part_.ranks) return reach();
  if (!settings_.ghostReachIn) return std::max(reach(), settings_.ghostReach);
  const double ghosts = settings_.ghostReachIn(box),
               widest = comm::widestReach(box, part_.domain.ranks, settings_.shear);
  return std::max(reach(), ghosts <= widest ? ghosts : almost * widest);
}

// Along each axis: ghosts reach further along those that are cut, each as far as its parts have room.
template <class P>
std::array<double, 3> BoxPopulation<P>::cellReach(double widened) const {
  const Box& box = settings_.box;
  std::array<double, 3> reach;
  reach.fill(cellReachIn(box));
  for (int axis = 0; axis < 3; ++axis) {
    if (!part_.domain.cut(axis)) continue;
    const double widest =
        std::min(0.5 * box.size[axis], comm::widestReach(box, axis, part_.domain.ranks[axis], settings_.shear));
    reach[axis] = std::max(reach[axis], std::min(widened, almost * widest));
  }
  return reach;
}

// In any direction.
template <class P>
double BoxPopulation<P>::ghostReach() const {
  const std::array<double, 3> reach = cellReach(widened_);
  double least = std::numeric_limits<double>::infinity();
  for (int axis = 0; axis < 3; ++axis)
    if (part_.domain.cut(axis)) least = std::min(least, reach[axis]);
  return least;
}

template <class P>
void BoxPopulation<P>::checkLengths(const std::array<double, 3>& size) const {
  Box box = settings_.box;
  box.size = size;
  const double reach = cellReachIn(box);
  for (int axis = 0; axis < 3; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    const double part = part_.domain.cut(axis) ? size[a] / part_.domain.ranks[a] : size[a];
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
  fitCells();
}

template <class P>
std::array<int, 3> BoxPopulation<P>::cellsFor(const std::array<double, 3>& reach) const {
  std::array<double, 3> own = settings_.box.size;
  for (int axis = 0; axis < 3; ++axis)  // as CellGrid has it
    if (part_.domain.cut(axis)) own[axis] *= (1.0 - 1e-8) / part_.domain.ranks[axis];
  return cellsAlong(own, reach);
}

// Cells for the present lengths, skin and reach of ghosts.
template <class P>
void BoxPopulation<P>::fitCells() {
  const std::array<double, 3> reach = cellReach(widened_);
  if (cellsFor(reach) == grid_.dims()) return;
  Kokkos::fence();  // what still reads the old one
  grid_ = CellGrid(settings_.box, reach, part_.domain);
  if (halo_ && sheared()) halo_->orderBy(grid_, part_.domain, settings_.shear.flow);
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

// Of a row of the list, as it is.
struct CountEntries {
  NeighborTable table;
  KOKKOS_INLINE_FUNCTION void operator()(int i, i64& entries) const { entries += table.row(i).size; }
};

template <class P>
double BoxPopulation<P>::meanRow() const {
  i64 entries = 0;
  Kokkos::parallel_reduce("count entries", Range(0, arrays_.count), CountEntries{list_.table()}, entries);
  if (ranks()) entries = ranks()->sum(entries);
  return static_cast<double>(entries) / static_cast<double>(total());
}

template <class P>
bool BoxPopulation<P>::hasRoomFor(double skin) const {
  return std::max(settings_.cutoff + skin, cellReachIn(settings_.box)) <=
         comm::widestReach(settings_.box, part_.domain.ranks, settings_.shear);
}

template <class P>
void BoxPopulation<P>::setSkin(double skin) {
  settings_.skin = skin;
  list_.setReach(reach());
  fitCells();
}

template <class P>
std::vector<i64> BoxPopulation<P>::skinState() {
  const auto tuned = tuner().state();
  std::vector<i64> words{std::bit_cast<i64>(settings_.skin)};
  words.insert(words.end(), tuned.begin(), tuned.end());
  return words;
}

template <class P>
void BoxPopulation<P>::checkSkin(const io::CheckpointContent& content) const {
  if (!content.arrays.count("list_skin")) return;
  const StoredRows<i64> value{storedArray(content, "list_skin", io::ElementType::i64, 5, 1).data.data()};
  const double skin = std::bit_cast<double>(value(0)), cost = std::bit_cast<double>(value(4));
  if (!(skin > 0.0 && std::isfinite(skin)) || value(1) < 0 || value(1) > 2 || value(2) < 0 || value(3) < 0 ||
      !(cost >= 0.0 && std::isfinite(cost)))
    throw InputError(std::string("the checkpoint's skin of the neighbour list cannot be") + damagedAdvice);
}

// How far they reach, and `calm_`. 0: as the settings say.
template <class P>
std::pair<double, i64> BoxPopulation<P>::storedGhosts(const io::CheckpointContent& content) const {
  if (!content.arrays.count("widened_ghosts")) return {0.0, 0};
  const StoredRows<i64> value{storedArray(content, "widened_ghosts", io::ElementType::i64, 2, 1).data.data()};
  const double reach = std::bit_cast<double>(value(0));
  if (!(reach > 0.0 && std::isfinite(reach)) || value(1) < 0)
    throw InputError(std::string("the checkpoint's reach of ghosts cannot be") + damagedAdvice);
  return {reach, value(1)};
}

// Of a run that tunes it and of one that did; whether the list is still good.
template <class P>
KeepList BoxPopulation<P>::restoreSkin(const io::CheckpointContent& content, KeepList keep) {
  const auto stored = content.arrays.find("list_skin");
  if (stored == content.arrays.end() || !settings_.tunesSkin) {
    tuner() = SkinTuner();
    if (stored == content.arrays.end()) return keep;
    const StoredRows<i64> value{stored->second.data.data()};
    return std::bit_cast<double>(value(0)) == settings_.skin ? keep : KeepList::no;
  }
  const StoredRows<i64> value{stored->second.data.data()};
  const double skin = std::bit_cast<double>(value(0));
  if (!hasRoomFor(skin)) {  // of fewer ranks: with the deck's, from here on
    tuner() = SkinTuner();
    return KeepList::no;
  }
  tuner().restore({value(1), value(2), value(3), value(4)});
  setSkin(skin);
  return keep;
}

}  // namespace mesowarp
