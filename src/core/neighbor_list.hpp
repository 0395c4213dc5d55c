// Full neighbour list: every particle has a row of all others within cutoff + skin, in strictly increasing order.
// Rows lie in regions of one capacity; a region that overflows makes the table grow and the build repeat: no neighbour
// is dropped. On CPUs a region is what one thread builds, its rows packed without gaps. On GPUs it is a warp's 32 rows,
// interleaved entry by entry, so that neighbouring threads read neighbouring words.
#pragma once

#include "backend/config.hpp"
#include "core/cells.hpp"
#include "core/particles.hpp"

namespace mesowarp {

struct NeighborTable {
  DeviceArray<int> entries;
  DeviceArray<int> size;    // entries of each row
  DeviceArray<i64> start;   // CPU: first entry of each row
  i64 regionCapacity = 0;   // entries

  KOKKOS_INLINE_FUNCTION i64 at(int particle, int entry) const {
    if constexpr (backend::onGpu) {
      constexpr int warp = backend::rowsPerRegion;
      return particle / warp * regionCapacity + static_cast<i64>(entry) * warp + particle % warp;
    } else {
      return start(particle) + entry;
    }
  }
};

// Partners that stay out of the list: those of bonds whose type excludes; `width` slots a particle (0: no exclusions).
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

class NeighborList {
 public:
  // reach = largest cutoff + skin, length. expected: neighbours a particle, a first guess of the capacity.
  NeighborList(int particles, double reach, double expected);

  // Builds from positions sorted by cell and their sort keys.
  template <class Coord>
  void build(const Box& box, const CellGrid& grid, const DeviceArray<u32>& keys,
             const DeviceArray<Vec3<Coord>>& positions, const Exclusions& exclusions);

  const NeighborTable& table() const { return table_; }
  std::size_t bytes() const;

 private:
  void reserve(i64 regionCapacity);
  int particles_, regions_;
  double reach_;
  NeighborTable table_;
};

}  // namespace mesowarp
