// Full neighbour list: every particle has a row of all others within cutoff + skin, so i lists j and j lists i. Each
// particle gathers its own force in the order of its row: no atomics, no reverse communication; what a pair shares, its
// noise above all, is computed on both sides, to the same bits.
//
// Rows are packed: on CPUs one after the other, in regions of one thread each; on GPUs interleaved, up to 32 rows at a
// time (those that a warp built, as long as the longest of them), so that neighbouring threads read neighbouring words;
// RowPlace says where. On a GPU entries within the cutoff come first: they are evaluated without a test, and until
// something moves the others are not looked at (PairState::fresh). On a CPU 16 entries of index 0 follow a region's
// last row, so that rows may be read in whole vectors. Where a row lies depends on the number of threads; what is in it
// does not.
//
// A table that is too small grows and the build repeats: no neighbour is dropped. On a GPU nobody waits for a build:
// steps behind it are launched at once, and do nothing if rows are missing (NeighborTable::incomplete);
// step/list_keeper.hpp looks later, and if need be builds again and repeats these steps.
#pragma once

#include "core/types.hpp"
#include "device/config.hpp"

namespace mesowarp {

// Where a row lies: its entry k is entries(first + k * stride). On GPUs its first `core` entries were within the cutoff
// when the list was built, the others only within the skin; within both parts, and on CPUs as a whole, j rises strictly
// unless the builder says otherwise.
struct NeighborRow {
  i64 first;
  int stride, size, core;
};

// On a GPU, packed: 32 bits of first / 32, then first % 32, stride - 1, core, size in 5, 5, 11, 11 bits.
struct alignas(8) RowPlace {
  u32 block = 0, packed = 0;
  static constexpr int mostEntries = 2047;

  KOKKOS_INLINE_FUNCTION static RowPlace of(u32 block, int lane, int stride, int core, int size) {
    return {block, static_cast<u32>(lane) | static_cast<u32>(stride - 1) << 5 | static_cast<u32>(core) << 10 |
                       static_cast<u32>(size) << 21};
  }
  KOKKOS_INLINE_FUNCTION NeighborRow row() const {
    return {static_cast<i64>(block) * 32 + (packed & 31), static_cast<int>(packed >> 5 & 31) + 1,
            static_cast<int>(packed >> 21), static_cast<int>(packed >> 10 & 2047)};
  }
};

struct NeighborTable {
  DeviceArray<int> entries;
  DeviceArray<int> size;        // CPU: entries of each row
  DeviceArray<i64> start;       // CPU: first entry of each row
  DeviceArray<RowPlace> place;  // GPU: of each row
  i64 regionCapacity = 0;       // CPU: entries a thread has room for
  // Entries behind the last row that a traversal loads, and does not use: with four threads per row, of up to 28 rows
  // of 32.
  static constexpr i64 readAhead = 1024;
  const int* incomplete = nullptr;  // GPU, on the device: 1 if the last build ran out of room; null: never

  KOKKOS_INLINE_FUNCTION NeighborRow row(int particle) const {
    if constexpr (backend::onGpu) {
      return place(particle).row();
    } else {
      return {start(particle), 1, size(particle), size(particle)};
    }
  }
  std::size_t bytes() const {
    return (entries.extent(0) + size.extent(0)) * sizeof(int) + start.extent(0) * sizeof(i64) +
           place.extent(0) * sizeof(RowPlace);
  }
};

// Partners that stay out of the list: those of bonds whose type excludes; `width` slots for each particle (0: no
// exclusions).
struct Exclusions {
  Kokkos::View<const u32*, Memory> partner, tag;  // [particles * width], [particles]
  Kokkos::View<const i32*, Memory> type;          // [particles * width]
  Kokkos::View<const i32*, Memory> excludes;      // of each bond type: 1 or 0
  int width = 0;

  KOKKOS_INLINE_FUNCTION bool excluded(int i, int j) const {
    for (int b = 0; b < width; ++b) {
      const std::size_t slot = static_cast<std::size_t>(i) * width + b;
      if (partner(slot) == tag(j) && excludes(type(slot)) != 0) return true;
    }
    return false;
  }
};

// How rows are built. groups: one block of threads for a few cells, the fastest on a GPU (a CPU builds cell by cell);
// ballot: one warp for each cell, committing by votes (DPD paper, Algorithm 3); atomic: the same, committing by atomic
// increments, whose order within a row differs from run to run; simple: one thread for each particle.
enum class RowBuild { groups, ballot, atomic, simple };

constexpr RowBuild everyRowBuild[] = {RowBuild::groups, RowBuild::ballot, RowBuild::atomic, RowBuild::simple};
// Whether this backend has the style; one that it has not stands for its default.
constexpr bool hasRowBuild(RowBuild style) { return style == RowBuild::groups || backend::onGpu; }

// Of which particles rows are built. inner, then border: those of cells that no ghost is near, and the others, which
// the side stream builds at the same time, once it has ghosts. A builder that does not tell them apart does all with
// the latter.
enum class ListPart { all, inner, border };

}  // namespace mesowarp
