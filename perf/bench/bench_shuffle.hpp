// The particles of an engine stored in random order: its neighbour rows with every index replaced. What the DPD paper's
// Figure 4 compares, a program without reordering, is not to be had here, since lists are built from sorted particles.
#pragma once

#include <algorithm>
#include <numeric>
#include <random>

#include "device/host_copy.hpp"
#include "state/fields.hpp"
#include "state/neighbor_list.hpp"

namespace mesowarp {

// new -> old, and back.
struct Permutation {
  DeviceArray<int> oldOf, newOf;

  static Permutation random(int n) {
    const Permutation p{DeviceArray<int>("permutation", n), DeviceArray<int>("inverse permutation", n)};
    auto oldOf = Kokkos::create_mirror_view(p.oldOf), newOf = Kokkos::create_mirror_view(p.newOf);
    std::iota(oldOf.data(), oldOf.data() + n, 0);
    std::shuffle(oldOf.data(), oldOf.data() + n, std::mt19937_64(1));
    for (int i = 0; i < n; ++i) newOf(oldOf(i)) = i;
    Kokkos::deep_copy(p.oldOf, oldOf);
    Kokkos::deep_copy(p.newOf, newOf);
    return p;
  }
};

struct MoveFields {
  DeviceArray<int> oldOf;
  FieldMoves moves;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const { moves(i, oldOf(i)); }
};

struct RowSizes {
  NeighborTable table;
  DeviceArray<int> oldOf, size, core;  // size, core: by new index
  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    const NeighborRow row = table.row(oldOf(i));
    size(i) = row.size, core(i) = row.core;
  }
};

struct CopyRows {
  NeighborTable from, to;
  Permutation permutation;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    const NeighborRow old = from.row(permutation.oldOf(i)), row = to.row(i);
    for (int k = 0; k < row.size; ++k)
      to.entries(row.first + i64{k} * row.stride) = permutation.newOf(from.entries(old.first + i64{k} * old.stride));
  }
};

// Where the rows of `sizes` lie, packed as the builders do it: on a GPU 32 rows side by side. Returns the entries
// needed.
inline i64 placeRows(const HostArray<int>& size, const HostArray<int>& core, NeighborTable& table) {
  const int n = static_cast<int>(size.extent(0));
  i64 used = 0;
  if constexpr (backend::onGpu) {
    table.place = DeviceArray<RowPlace>("shuffled place", n);
    auto place = Kokkos::create_mirror_view(table.place);
    for (int first = 0; first < n; first += 32) {
      int longest = 0;
      for (int i = first; i < std::min(first + 32, n); ++i) {
        place(i) = RowPlace::of(static_cast<u32>(used / 32), i - first, 32, core(i), size(i));
        longest = std::max(longest, size(i));
      }
      used += 32 * i64{longest};
    }
    Kokkos::deep_copy(table.place, place);
  } else {
    table.start = DeviceArray<i64>("shuffled start", n);
    table.size = DeviceArray<int>("shuffled size", n);
    auto start = Kokkos::create_mirror_view(table.start);
    for (int i = 0; i < n; used += size(i++)) start(i) = used;
    Kokkos::deep_copy(table.start, start);
    Kokkos::deep_copy(table.size, size);
  }
  return used;
}

inline NeighborTable shuffled(const NeighborTable& table, const Permutation& permutation) {
  const int n = static_cast<int>(permutation.oldOf.extent(0));
  const RowSizes sizes{table, permutation.oldOf, DeviceArray<int>("row size", n), DeviceArray<int>("row core", n)};
  Kokkos::parallel_for("row sizes", Range(0, n), sizes);
  NeighborTable result;
  const i64 used = placeRows(hostCopy(sizes.size), hostCopy(sizes.core), result);
  result.entries = DeviceArray<int>("shuffled neighbors", used + NeighborTable::readAhead);
  Kokkos::parallel_for("shuffle rows", Range(0, n), CopyRows{table, result, permutation});
  return result;
}

}  // namespace mesowarp
