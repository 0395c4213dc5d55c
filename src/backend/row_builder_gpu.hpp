// Rows on a GPU: the builder asked for, or the simple one where that cannot work.
#pragma once

#include <algorithm>
#include <cmath>

#include "backend/group_rows_gpu.hpp"
#include "backend/launch_cuda.hpp"
#include "backend/row_builder.hpp"
#include "backend/simple_rows_gpu.hpp"
#include "backend/warp_rows_gpu.hpp"
#include "core/error.hpp"

namespace mesowarp::backend {

class RowBuilder {
 public:
  RowBuilder(int particles, double expected, RowBuild style, NeighborTable& table)
      : particles_(particles), style_(style), needs_("row needs", 1) {
    table.place = DeviceArray<RowPlace>("neighbor place", particles);
    row_ = static_cast<int>(expected + 3.2 * std::sqrt(expected) + 4.0);
    // A warp's rows are as long as its longest.
    reserve(table, static_cast<i64>((expected + 2.0 * std::sqrt(expected) + 2.0) * particles) / 32 + 64);
  }

  template <class Coord>
  void build(const RowInput<Coord>& in, NeighborTable& table) {
    if (style_ == RowBuild::ballot || style_ == RowBuild::atomic) return buildWarps(in, table);
    if (style_ == RowBuild::simple || !(buildGroups<2>(in, table) || buildGroups<1>(in, table))) buildSimple(in, table);
  }

 private:
  // False: the box has too few cells, or shared memory is too small.
  template <int Edge, class Coord>
  bool buildGroups(const RowInput<Coord>& in, NeighborTable& table) {
    for (int axis = 0; axis < 3; ++axis)
      if (in.grid.periodic()[axis] && in.grid.dims()[axis] < 4) return false;
    if (in.exclusions.width > 0) return runGroups<Edge, true>(in, table);
    return runGroups<Edge, false>(in, table);
  }

  template <int Edge, bool WithExclusions, class Coord>
  bool runGroups(const RowInput<Coord>& in, NeighborTable& table) {
    constexpr int slots = (Edge + 2) * (Edge + 2) * (Edge + 2);
    int& candidates = candidates_[Edge - 1];
    if (candidates == 0)
      candidates = static_cast<int>(1.2 * slots * particles_ / in.grid.cells() + 6.0 * slots / 4 + 64) & ~3;
    std::array<double, 3> cell;
    for (int axis = 0; axis < 3; ++axis) cell[axis] = in.box.size[axis] / in.grid.dims()[axis] / in.reach;
    const float margin = 1.0f + static_cast<float>(halfMargin(cell));
    const Ticks<double> t = ticksOf<double, u32>(in.box);
    const Ticks<float> tick{static_cast<float>(t.x / in.reach), static_cast<float>(t.y / in.reach),
                            static_cast<float>(t.z / in.reach)};
    for (;;) {
      const GroupBuffers buffers{candidates, row_};
      if (row_ > RowPlace::mostEntries) tooLong(row_);
      if (candidates > GroupBuffers::mostCandidates || buffers.bytes() > mostShared_) return false;
      const CellGroups& groups = in.grid.groups(Edge);
      Kokkos::deep_copy(Execution(), needs_, RowNeeds{});
      launchBlocks<GroupBuffers::threads, 16>(
          "neighbor rows", groups.count, buffers.bytes(),
          RowsOfGroups<Coord, Edge, WithExclusions>{
                               in.positions, in.keys, in.grid.start(), in.grid.indexer(), groups, in.grid.periodic(),
                               in.exclusions, table, tick, margin,
                               static_cast<float>(in.cutoff * in.cutoff / (in.reach * in.reach)) * margin, buffers, needs_, capacity(table)});
      const RowNeeds needs = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), needs_)(0);
      const i64 blocks = static_cast<i64>(needs.blocks);
      if (needs.candidates == 0 && needs.longestRow == 0 && blocks * 32 <= capacity(table))
        return true;
      if (needs.candidates > 0) candidates = (needs.candidates + needs.candidates / 16 + 3) & ~3;
      if (needs.longestRow > 0) row_ = needs.longestRow + needs.longestRow / 16 + 1;
      if (blocks * 32 > capacity(table)) reserve(table, blocks + blocks / 32);
    }
  }

  template <class Coord>
  void buildSimple(const RowInput<Coord>& in, NeighborTable& table) {
    for (;;) {
      const i64 regions = (particles_ + 31) / 32;
      if (capacity(table) < regions * row_ * 32) reserve(table, regions * row_);
      int longest = 0;
      Kokkos::parallel_reduce("neighbor rows, simple", Range(0, particles_),
                              RowOfParticle<Coord>{in.positions, in.keys, in.grid.stencil(), in.grid.stencilSize(),
                                                   in.grid.start(), in.exclusions, table,
                                                   ticksOf<float, Coord>(in.box), in.reach2(), row_},
                              Kokkos::Max<int>(longest));
      if (longest > RowPlace::mostEntries) tooLong(longest);
      if (longest <= row_) return;
      row_ = std::min(longest + longest / 16 + 1, RowPlace::mostEntries);
    }
  }

  template <class Coord>
  void buildWarps(const RowInput<Coord>& in, NeighborTable& table) {
    warps_.expand(in.grid, particles_);
    for (;;) {
      const i64 blocks = WarpRows::blocks(particles_, row_);
      if (capacity(table) < blocks * 32) reserve(table, blocks);
      const int longest = warps_.rows(in, table, row_, style_ == RowBuild::ballot);
      if (longest > RowPlace::mostEntries) tooLong(longest);
      if (longest == 0) return;
      row_ = std::min(longest + longest / 16 + 1, RowPlace::mostEntries);
    }
  }

  [[noreturn]] static void tooLong(int size) {
    throw RunError("a particle has " + std::to_string(size) + " neighbours within cutoff + skin; the neighbour table on a " +
                   "GPU holds " + std::to_string(RowPlace::mostEntries) + " a particle: have particles collapsed onto " +
                   "each other?");
  }

  static i64 capacity(const NeighborTable& table) { return static_cast<i64>(table.entries.extent(0) - readAhead); }
  static void reserve(NeighborTable& table, i64 blocks) {
    table.entries = DeviceArray<int>();  // free the old table first
    table.entries = DeviceArray<int>(Kokkos::view_alloc("neighbors", Kokkos::WithoutInitializing),
                                     static_cast<std::size_t>(blocks) * 32 + readAhead);
  }
  static constexpr std::size_t readAhead = 288;  // entries behind a row that a traversal loads, and does not use

  std::size_t mostShared_ = mostSharedMemory();
  int particles_;
  RowBuild style_;
  int row_;                             // entries a row has room for while it is built
  std::array<int, 2> candidates_{};     // of a group of 1, of 8 cells
  DeviceArray<RowNeeds> needs_;
  WarpRows warps_;
};

}  // namespace mesowarp::backend
