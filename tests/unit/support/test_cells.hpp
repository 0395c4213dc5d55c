// Particles sorted into a cell grid, as a rebuild does it.
#pragma once

#include <numeric>
#include <vector>

#include "grid/cells.hpp"
#include "kernels/sort/sort.hpp"
#include "state/rebuild_kernels.hpp"
#include "tests/unit/support/test_device.hpp"
#include "tests/unit/support/test_statistics.hpp"

namespace mesowarp::test {

template <class Coord>
struct SortedParticles {
  std::vector<Vec3<Coord>> positions;  // sorted
  std::vector<u32> keys;               // sorted
  std::vector<int> order;              // new index -> old index
  DeviceArray<Vec3<Coord>> devicePositions;
  DeviceArray<u32> deviceKeys;
};

template <class Coord>
SortedParticles<Coord> sortIntoCells(CellGrid& grid, const std::vector<Vec3<Coord>>& positions) {
  const int n = static_cast<int>(positions.size());
  DeviceArray<u32> keys("keys", n);
  Kokkos::parallel_for("test keys", Range(0, n), KeysOf<Vec3<Coord>>{onDevice(positions), grid.indexer(), keys});
  std::vector<int> identity(n);
  std::iota(identity.begin(), identity.end(), 0);
  const auto pairs = backend::RadixSort().sort({keys, onDevice(identity)},
                                               {DeviceArray<u32>("other keys", n), DeviceArray<int>("other order", n)},
                                               grid.keyBits());
  SortedParticles<Coord> sorted;
  sorted.order = toVector(pairs.values);
  sorted.keys = toVector(pairs.keys);
  for (const int old : sorted.order) sorted.positions.push_back(positions[old]);
  sorted.devicePositions = onDevice(sorted.positions);
  sorted.deviceKeys = pairs.keys;
  grid.findBoundaries(pairs.keys, n);
  return sorted;
}

template <class Coord>
Vec3<Coord> coordinates(const Box& box, double x, double y, double z) {
  constexpr int down = 64 - 8 * static_cast<int>(sizeof(Coord));
  return {static_cast<Coord>(toFixed(box, 0, x) >> down), static_cast<Coord>(toFixed(box, 1, y) >> down),
          static_cast<Coord>(toFixed(box, 2, z) >> down)};
}

template <class Coord>
std::vector<Vec3<Coord>> randomPositions(const Box& box, int n, std::uint64_t seed) {
  Uniform uniform(seed);
  std::vector<Vec3<Coord>> positions(n);
  for (auto& p : positions) {
    const double x = uniform() * box.size[0], y = uniform() * box.size[1], z = uniform() * box.size[2];
    p = coordinates<Coord>(box, x, y, z);
  }
  return positions;
}

// Nearest-image distance, in long double from the coordinates themselves.
template <class Coord>
long double distance(const Box& box, const Vec3<Coord>& a, const Vec3<Coord>& b) {
  long double sum = 0.0L;
  for (int axis = 0; axis < 3; ++axis) {
    const long double tick =
        std::ldexp(static_cast<long double>(box.period(axis)), -8 * static_cast<int>(sizeof(Coord)));
    long double d = (static_cast<long double>(a[axis]) - static_cast<long double>(b[axis])) * tick;
    if (d < 0.0L) d = -d;
    if (box.periodic[axis] && d > 0.5L * box.size[axis]) d = box.size[axis] - d;
    sum += d * d;
  }
  return std::sqrt(sum);
}

}  // namespace mesowarp::test
