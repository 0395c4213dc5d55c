// Builds the rows of the neighbour table with the builder of this backend.
#pragma once

#include <algorithm>
#include <cmath>

#ifdef KOKKOS_ENABLE_CUDA
#include "backend/cell_rows_gpu.hpp"
#else
#include "backend/cell_rows_cpu.hpp"
#endif

namespace mesowarp::backend {

// Regions of the table, and a first guess of the entries each needs for `expected` neighbours a particle.
inline int rowRegions(int particles) {
  return onGpu ? (particles + rowsPerRegion - 1) / rowsPerRegion : std::max(1, Execution().concurrency());
}
inline i64 firstRegionCapacity(int particles, double expected) {
  if (onGpu) return i64{rowsPerRegion} * static_cast<i64>(expected + 4.5 * std::sqrt(expected) + 4.0);
  return static_cast<i64>(expected * 1.04 * particles / rowRegions(particles)) + 1024;
}

// Returns the largest number of entries a region needs; if that exceeds the capacity the rows are not complete.
template <class Coord>
i64 buildRows(const CellRows<Coord>& rows, [[maybe_unused]] int cells, [[maybe_unused]] int regions,
              [[maybe_unused]] int particles) {
  i64 needed = 0;
#ifdef KOKKOS_ENABLE_CUDA
  Kokkos::parallel_reduce("neighbor rows", Range(0, particles), RowOfParticle<Coord>(rows), Kokkos::Max<i64>(needed));
#else
  Kokkos::parallel_reduce("neighbor rows", Range(0, regions), RowsOfCells<Coord>(rows, cells, regions, particles),
                          Kokkos::Max<i64>(needed));
#endif
  return needed;
}

}  // namespace mesowarp::backend
