// Where Lennard-Jones has its minimum, and wca its cutoff. No Kokkos.
#pragma once

namespace mesowarp {

inline double wcaCutoff(double sigma) { return 1.1224620483093729814 * sigma; }

}  // namespace mesowarp
