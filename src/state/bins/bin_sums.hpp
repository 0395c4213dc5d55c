// Where the bins of a profile are, and sums of one of them over particles and samples.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace mesowarp {

// Slabs of equal thickness across an axis; cells of a grid, x fastest; shells of equal thickness round an axis or a
// point, whose particles' velocities are counted along the radius, the azimuth, and the axis or the polar angle.
struct BinShape {
  enum Kind : int { slabs, grid, cylinder, sphere };
  int kind = slabs;
  int axis = 0;                      // slabs: their normal; shells: of the cylinder, of the angles
  std::array<int, 3> bins{1, 1, 1};  // grid: along each axis; the others: the first number
  std::array<double, 3> center{};    // of shells, length
  double inner = 0.0, outer = 0.0;   // where the first shell begins, and the last ends, length

  static BinShape across(int axis, int count) { return {slabs, axis, {count, 1, 1}, {}, 0.0, 0.0}; }
  bool isShells() const { return kind == cylinder || kind == sphere; }
  std::size_t count() const {
    return static_cast<std::size_t>(bins[0]) * static_cast<std::size_t>(bins[1]) * static_cast<std::size_t>(bins[2]);
  }
};

constexpr int binChannels = 6;      // count, mass, momentum (3), m v^2
constexpr int stressChannels = 12;  // m v v, and the virial, six each in the order of ThermoSums

// What is summed in a bin beside binChannels: of the numbers that particles carry the first ones; what stress needs.
struct BinWish {
  int carried = 0;
  bool stress = false;
  // Whose: particles of these species, by their numbers, and those that have one of some bits in a field of 32-bit
  // words. Neither: of all that move.
  std::vector<bool> species;
  std::string markField;
  std::uint32_t marks = 0;
  std::size_t width() const { return static_cast<std::size_t>(binChannels + carried + (stress ? stressChannels : 0)); }
};

struct BinSums {
  double count = 0.0, mass = 0.0;
  std::array<double, 3> momentum{};
  double kinetic = 0.0;           // sum of m v^2
  std::vector<double> further{};  // sums of what particles carry beside, as many numbers of it as are asked for
};

}  // namespace mesowarp
