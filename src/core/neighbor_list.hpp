// Full neighbour list: every particle has a row of all others within cutoff + skin, in strictly increasing order.
// Rows share one capacity; a row that overflows makes the table grow and the build repeat: no neighbour is dropped.
#pragma once

#include "backend/config.hpp"
#include "core/cells.hpp"
#include "core/particles.hpp"

namespace mesowarp {

struct NeighborTable {
  DeviceArray<int> entries;
  DeviceArray<int> size;  // entries in each row
  int capacity = 0;

  KOKKOS_INLINE_FUNCTION std::size_t at(int particle, int entry) const {
    constexpr int interleave = backend::interleave;
    return static_cast<std::size_t>(particle / interleave) * interleave * capacity +
           static_cast<std::size_t>(entry) * interleave + particle % interleave;
  }
};

// Partners that stay out of the list: tags of particle i's bonds, `width` slots a particle (0: no exclusions).
struct Exclusions {
  Kokkos::View<const u32*, Memory> partner, tag;
  int width = 0;

  KOKKOS_INLINE_FUNCTION bool excluded(int i, int j) const {
    for (int b = 0; b < width; ++b)
      if (partner(static_cast<std::size_t>(i) * width + b) == tag(j)) return true;
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
  std::size_t bytes() const { return (table_.entries.extent(0) + table_.size.extent(0)) * sizeof(int); }

 private:
  void reserve(int capacity);
  int particles_;
  double reach_;
  NeighborTable table_;
};

}  // namespace mesowarp
