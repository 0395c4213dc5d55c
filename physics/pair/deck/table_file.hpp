// Pair forces from a file: r, energy and force, as LAMMPS writes and reads them (pair_write, pair_style table), or in
// three plain columns. No Kokkos.
#pragma once

#include <string>
#include <vector>

#include "physics/pair/conservative_keys.hpp"

namespace mesowarp {

// A section of such a file, r ascending.
struct PairTableFile {
  std::vector<double> r, energy, force;  // force: -dU/dr
  std::vector<int> line;                 // of each row
  bool inSquares = false;                // rows are at equal steps of r^2
};

// Throws InputError, with the file's line.
PairTableFile readPairTable(const std::string& file, const std::string& section);

// How badly forces miss the slope of the energies: the interval in which the energy that falls differs most from the
// integral of the force, relative to the larger of the two and to a thousandth of the largest energy step.
struct TableMismatch {
  double worst = 0.0;
  int line = 0;  // where that interval begins
};
TableMismatch mismatchOf(const PairTableFile& table);

// U and F = -dU/dr at a distance of the file's range: cubic between its rows, with the file's slopes (Hermite).
struct PairValue {
  double energy, force;
};
PairValue valueAt(const PairTableFile& table, double r);

// What kernels read: knots at equal steps of s = r^2 from `low` to `high`; of each interval 8 numbers, coefficients in
// t from 0 to 1 of U = c0 + c1 t + c2 t^2 + c3 t^3 and F / r = c4 + c5 t + c6 t^2; the last is 0.
// cubic: U is Hermite's cubic in s, and F / r = -2 dU/ds its slope, so that energy is conserved. linear: U and F / r
// are linear in s (LAMMPS: pair_style table linear).
struct KnotTable {
  double low = 0.0, high = 0.0;  // length^2
  std::vector<double> numbers;
};
KnotTable knotsOf(const PairTableFile& table, Interpolation how, int points, double cutoff);

}  // namespace mesowarp
