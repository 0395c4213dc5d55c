// Rows on a GPU: the builder asked for (RowBuild), or one that stands in where that cannot work or is slower.
//
//   - groups (group_rows_gpu.hpp), the default: a block of threads for a group of cells.
//   - ballot (warp_rows_gpu.hpp, ballot_rows_gpu.hpp), the DPD paper's, a warp for a batch of a cell's particles. It
//     stands in for groups where cells have about ten particles or more, since there it is the faster.
//   - atomic (atomic_rows_gpu.hpp), the reference of the paper's Table 2, one by one the paper's steps.
//   - simple (simple_rows_gpu.hpp), a thread for each particle. It stands in where boxes have too few cells for groups,
//     a group's buffers do not fit into shared memory, or a cell has more particles than can be numbered.
//
// A new one appears in `mesowarp bench parts` once hasRowBuild (neighbor_table.hpp) names it.
#pragma once

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "device/launch_gpu.hpp"
#include "device/stream_event.hpp"
#include "device/tuning.hpp"
#include "kernels/rows/group_rows_gpu.hpp"
#include "kernels/rows/row_input.hpp"
#include "kernels/rows/row_needs.hpp"
#include "kernels/rows/simple_rows_gpu.hpp"
#include "kernels/rows/warp_rows_gpu.hpp"

namespace mesowarp::backend {

// Kernels rather than copies: they can be part of a graph of steps.
struct ClearNeeds {
  DeviceArray<RowNeeds> needs;
  KOKKOS_INLINE_FUNCTION void operator()(int) const { needs(0) = RowNeeds{}; }
};
struct ReportNeeds {
  DeviceArray<RowNeeds> needs;
  Kokkos::View<RowNeeds*, SharedSpace> report;
  KOKKOS_INLINE_FUNCTION void operator()(int) const { report(0) = needs(0); }
};

class RowBuilder {
public:
  RowBuilder(int particles, double expected, RowBuild style, NeighborTable& table)
      : style_(style), needs_("row needs", 1), report_("row report", 1) {
    reserveRows(table, particles);
    row_ = static_cast<int>(expected + 3.2 * std::sqrt(expected) + 4.0);
    part_ = static_cast<int>(0.52 * expected + 1.5 * std::sqrt(expected) + 3.0);
    // A warp's rows are as long as its longest.
    reserve(table, static_cast<i64>((expected + 1.1 * std::sqrt(expected) + 1.0) * particles) / 32 + 64);
  }

  // Launches a build and does not wait for it. Until complete() has said true, rows may be missing; a kernel that walks
  // rows then does nothing (NeighborTable::incomplete), so steps may be launched behind the build.
  template <class Coord>
  void build(const RowInput<Coord>& in, NeighborTable& table) {
    if (static_cast<std::size_t>(in.particles) > table.place.extent(0))
      reserveRows(table, in.particles + in.particles / 16);
    const RowBuild style = styleFor(in);
    if (style == RowBuild::groups && buildGroups(in, table)) return;
    if (style == RowBuild::ballot) return buildByBallot(in, table);
    if (in.part == ListPart::inner) return;
    if (style == RowBuild::atomic)
      buildByAtomics(in, table);
    else
      buildSimple(in, table);
  }

  // Waits for the last build. False: the table was too small, and has grown; build again.
  bool complete(NeighborTable& table) {
    if (!pending_) return true;
    pending_ = false;
    built_.wait();
    const RowNeeds& needs = *report_.data();
    if (needs.incomplete == 0) return true;
    if (needs.cellTooFull != 0) cellTooFull_ = true;
    if (needs.candidates > 0) *pendingCandidates_ = (needs.candidates + needs.candidates / 32 + 3) & ~3;
    if (needs.longestRow > 0) growRow(needs.longestRow);
    if (needs.longestPart > 0) growParts(needs.longestPart);
    const i64 blocks = static_cast<i64>(needs.blocks);
    if (blocks * 32 > capacity(table)) reserve(table, blocks + blocks / 64);
    return false;
  }

private:
  // Where cells are full, a warp's batch has a cell's worth of work to itself (measured: perf/NOTES.md).
  template <class Coord>
  RowBuild styleFor(const RowInput<Coord>& in) const {
    if (style_ == RowBuild::groups && in.particles / in.grid.cells() <= tuning::fullCellsAbove) return RowBuild::groups;
    if (style_ == RowBuild::groups || style_ == RowBuild::ballot)
      return cellTooFull_ ? RowBuild::simple : RowBuild::ballot;
    return style_;
  }

  // The shape with about as many particles in a group as a block has threads. False: the box has too few cells, or
  // shared memory is too small.
  template <class Coord>
  bool buildGroups(const RowInput<Coord>& in, NeighborTable& table) {
    if (in.particles >= tuning::smallGroupsBelow && runGroups<GroupShape<4, 4, 2, 224, 1>>(in, table)) return true;
    return runGroups<GroupShape<2, 2, 2, 64, 3>>(in, table);
  }

  template <class Shape, class Coord>
  bool runGroups(const RowInput<Coord>& in, NeighborTable& table) {
    for (int axis = 0; axis < 3; ++axis)  // a cell must not be met twice around a group
      if (in.grid.periodic()[axis] && in.grid.dims()[axis] < Shape::edge()[axis] + 2) return false;
    if (in.exclusions.width > 0) return runGroups<Shape, true>(in, table);
    return runGroups<Shape, false>(in, table);
  }

  template <class Shape, bool WithExclusions, class Coord>
  bool runGroups(const RowInput<Coord>& in, NeighborTable& table) {
    int& candidates = candidates_[Shape::x / 4];
    if (candidates == 0) {
      const double mean = static_cast<double>(in.particles) / in.grid.cells() * Shape::slots;
      candidates = static_cast<int>(mean + 3.0 * std::sqrt(mean) + 16.0 + 1.5 * Shape::slots / Shape::width) & ~3;
    }
    const GroupBuffers buffers{candidates, Shape::parts == 1 ? row_ : std::min(part_, row_)};
    if (candidates > GroupBuffers::mostCandidates || buffers.bytes<Shape>() > mostShared_) return false;
    const CellGroups& groups = in.grid.groups(Shape::edge());  // kept for one shape: ask only for the one that is used
    std::array<double, 3> cell;
    for (int axis = 0; axis < 3; ++axis) cell[axis] = in.grid.cellWidth(in.box, axis) / in.reach;
    const auto limit = [&](double distance) {
      return static_cast<float>(distance * distance * (1.0 + halfMargin(cell, Shape::edge(), distance)));
    };
    const Ticks<double> t = ticksOf<double, u32>(in.box);
    const Ticks<float> tick{static_cast<float>(t.x / in.reach), static_cast<float>(t.y / in.reach),
                            static_cast<float>(t.z / in.reach)};
    const cudaStream_t stream = begin(in, table);
    const int first = in.part == ListPart::border ? groups.inner : 0,
              last = in.part == ListPart::inner ? groups.inner : groups.count;
    launchBlocks<Shape::threads, 1344 / Shape::threads>(
        "neighbor rows", last - first, Shape::threads, buffers.bytes<Shape>(),
        RowsOfGroups<Coord, Shape, WithExclusions>{
            {in.positions, in.grid.start(), in.grid.indexer(), groups, in.grid.periodic(), tick, buffers, needs_},
            in.keys,
            in.exclusions,
            table,
            limit(1.0),
            limit(in.cutoff / in.reach),
            capacity(table),
            first},
        stream);
    end(in);
    pendingCandidates_ = &candidates;
    return true;
  }

  template <class Coord>
  void buildByBallot(const RowInput<Coord>& in, NeighborTable& table) {
    const cudaStream_t stream = begin(in, table);
    warps_.rowsByBallot(in, table, capacity(table), row_, needs_, stream);
    end(in);
  }

  // Before all or a part of the rows; the stream that builds them.
  template <class Coord>
  cudaStream_t begin(const RowInput<Coord>& in, NeighborTable& table) {
    if (in.part == ListPart::border) return in.side->stream();
    Kokkos::parallel_for("row needs", Range(0, 1), ClearNeeds{needs_});
    table.incomplete = &needs_.data()->incomplete;
    if (in.part == ListPart::inner) in.side->afterMain();
    return Execution().cuda_stream();
  }
  template <class Coord>
  void end(const RowInput<Coord>& in) {
    if (in.part == ListPart::inner) return;
    if (in.part == ListPart::border) in.side->beforeMain();
    Kokkos::parallel_for("row report", Range(0, 1), ReportNeeds{needs_, report_});
    built_.record();
    pending_ = true;
  }

  template <class Coord>
  void buildSimple(const RowInput<Coord>& in, NeighborTable& table) {
    table.incomplete = nullptr;
    for (;;) {
      const i64 regions = (in.particles + 31) / 32;
      if (capacity(table) < regions * row_ * 32) reserve(table, regions * row_);
      int longest = 0;
      Kokkos::parallel_reduce(
          "neighbor rows, simple", Range(0, in.particles),
          RowOfParticle<Coord>{{in.positions, in.keys, in.grid.stencil(), in.grid.stencilSize(), in.grid.start(),
                                in.exclusions, table, ticksOf<float, Coord>(in.box), in.reach2()},
                               row_},
          Kokkos::Max<int>(longest));
      if (longest <= row_) return;
      growRow(longest);
    }
  }

  template <class Coord>
  void buildByAtomics(const RowInput<Coord>& in, NeighborTable& table) {
    table.incomplete = nullptr;
    warps_.expand(in.grid, in.particles);
    for (;;) {
      const i64 blocks = WarpRows::blocks(in.particles, row_);
      if (capacity(table) < blocks * 32) reserve(table, blocks);
      const int longest = warps_.rowsByAtomics(in, table, row_);
      if (longest == 0) return;
      growRow(longest);
    }
  }

  // For a row of this length, which did not fit, and a little more.
  void growRow(int longest) {
    if (longest > RowPlace::mostEntries)
      throw RunError("a particle has " + std::to_string(longest) +
                     " neighbours within cutoff + skin; the neighbour table " + "on a GPU holds " +
                     std::to_string(RowPlace::mostEntries) + " for each: have particles collapsed " +
                     "onto each other?");
    row_ = std::min(longest + longest / 16 + 1, RowPlace::mostEntries);
  }
  void growParts(int longest) {
    part_ = std::max(part_, longest + longest / 16 + 1);
    if (longest > row_) growRow(longest);
  }

  static void reserveRows(NeighborTable& table, int particles) {
    table.place = DeviceArray<RowPlace>("neighbor place", particles);
  }
  static i64 capacity(const NeighborTable& table) {
    return static_cast<i64>(table.entries.extent(0)) - NeighborTable::readAhead;
  }
  static void reserve(NeighborTable& table, i64 blocks) {
    table.entries = DeviceArray<int>();  // free the old table first
    table.entries = DeviceArray<int>(Kokkos::view_alloc("neighbors", Kokkos::WithoutInitializing),
                                     static_cast<std::size_t>(blocks) * 32 + NeighborTable::readAhead);
  }

  std::size_t mostShared_ = mostSharedMemory();
  RowBuild style_;
  int row_, part_;                   // entries that a row, and a third of its lines, has room for while it is built
  std::array<int, 2> candidates_{};  // of a group, by the cells along its x edge: 2, 4
  int* pendingCandidates_ = nullptr;
  bool pending_ = false, cellTooFull_ = false;
  StreamEvent built_;
  DeviceArray<RowNeeds> needs_;
  Kokkos::View<RowNeeds*, SharedSpace> report_;
  WarpRows warps_;
};

}  // namespace mesowarp::backend
