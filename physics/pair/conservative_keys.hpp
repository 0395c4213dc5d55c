// What a deck says of soft, Morse, many-body and tabulated pair forces. No Kokkos.
#pragma once

#include <cstdint>
#include <string>

namespace mesowarp {

// [[interaction]] of style "soft".
struct SoftKeys {
  double amplitude = 0.0;  // A, energy; at contact U = 2 A
};

// [[interaction]] of style "morse", beside epsilon and cutoff.
struct MorseKeys {
  double beta = 0.0;  // 1 / length
  double r0 = 0.0;    // where the minimum is, length
};

// [[interaction]] of style "many-body", beside cutoff.
struct ManyBodyKeys {
  double b = 0.0;  // energy length^2
  int weight = 0;  // quadratic, lucy
};
enum class DensityWeight { quadratic, lucy };

// [[interaction]] of style "table".
struct TableKeys {
  std::string file;
  std::string section;      // keyword of the file's section; empty: its first
  int interpolation = 0;    // cubic, linear
  std::int64_t points = 0;  // knots of the table that kernels read
};
enum class Interpolation { cubic, linear };

}  // namespace mesowarp
