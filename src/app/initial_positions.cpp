#include "app/initial_positions.hpp"

#include <algorithm>
#include <cmath>

#include "app/host_loop.hpp"
#include "core/random.hpp"

namespace mesowarp {
namespace {

using Point = std::array<double, 3>;

Point randomPoint(const Box& box, StepKey key, u32 tag) {
  TagRandom random(key, tag);
  Point at{};
  for (int axis = 0; axis < 3; ++axis) at[axis] = random.uniform() * box.size[axis];
  return at;
}

Point chainStep(const Box& box, StepKey key, const Point& from, u32 tag, double length) {
  TagRandom random(key, tag);
  for (;;) {
    Point d{random.gaussian(), random.gaussian(), random.gaussian()};
    const double norm = std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
    bool inside = true;
    for (int axis = 0; axis < 3; ++axis) {
      d[axis] = from[axis] + d[axis] / norm * length;
      if (box.periodic[axis]) d[axis] -= std::floor(d[axis] / box.size[axis]) * box.size[axis];
      inside = inside && d[axis] >= 0.0 && d[axis] < box.size[axis];
    }
    if (inside) return d;
  }
}

std::array<i64, 3> latticeSites(const Box& box, i64 count) {
  std::array<i64, 3> sites{1, 1, 1};
  double spacing = std::cbrt(box.volume() / static_cast<double>(count));
  while (sites[0] * sites[1] * sites[2] < count) {
    for (int axis = 0; axis < 3; ++axis)
      sites[axis] = std::max<i64>(1, static_cast<i64>(std::floor(box.size[axis] / spacing + 1e-9)));
    spacing *= 0.999;
  }
  return sites;
}

}  // namespace

void ParticlePlacer::place(i64 i, const Point& at, u32 species) const {
  particles_.position[i] = {toFixed(box_, 0, at[0]), toFixed(box_, 1, at[1]), toFixed(box_, 2, at[2])};
  particles_.species[i] = species;
}

void ParticlePlacer::random(i64 count, u32 species) {
  const StepKey key = stepKey(seed_, Stream::initialPosition, 0);
  addRoom(count);
  hostLoop("initial positions, random", first_, first_ + count,
           [&](i64 i) { place(i, randomPoint(box_, key, static_cast<u32>(i)), species); });
}

void ParticlePlacer::lattice(i64 count, u32 species) {
  const std::array<i64, 3> sites = latticeSites(box_, count);
  std::array<std::vector<u64>, 3> coordinate;  // of each layer of sites
  for (int axis = 0; axis < 3; ++axis)
    for (i64 k = 0; k < sites[axis]; ++k)
      coordinate[axis].push_back(
          toFixed(box_, axis, (static_cast<double>(k) + 0.5) * box_.size[axis] / static_cast<double>(sites[axis])));
  addRoom(count);
  hostLoop("initial positions, lattice", 0, count, [&](i64 k) {
    const i64 site = k * (sites[0] * sites[1] * sites[2]) / count;
    particles_.position[first_ + k] = {coordinate[0][site % sites[0]], coordinate[1][site / sites[0] % sites[1]],
                                       coordinate[2][site / (sites[0] * sites[1])]};
    particles_.species[first_ + k] = species;
  });
}

void ParticlePlacer::chains(i64 molecules, const std::vector<u32>& species, double length, int bond) {
  const i64 beads = static_cast<i64>(species.size());
  const std::size_t firstBond = particles_.bonds.size();
  const StepKey placing = stepKey(seed_, Stream::initialPosition, 0), stepping = stepKey(seed_, Stream::chainStep, 0);
  addRoom(molecules * beads);
  if (bond >= 0) particles_.bonds.resize(firstBond + static_cast<std::size_t>(molecules * (beads - 1)));
  hostLoop("initial positions, chains", 0, molecules, [&](i64 m) {
    Point at{};
    for (i64 b = 0; b < beads; ++b) {
      const u32 tag = static_cast<u32>(first_ + m * beads + b);
      at = b == 0 ? randomPoint(box_, placing, tag) : chainStep(box_, stepping, at, tag, length);
      if (b > 0 && bond >= 0) particles_.bonds[firstBond + m * (beads - 1) + b - 1] = {tag - 1, tag, bond};
      place(tag, at, species[b]);
    }
  });
}

void ParticlePlacer::given(const std::vector<double>& position, const LargeVector<u32>& species) {
  const i64 count = static_cast<i64>(species.size());
  addRoom(count);
  hostLoop("initial positions, given", 0, count,
           [&](i64 k) { place(first_ + k, {position[3 * k], position[3 * k + 1], position[3 * k + 2]}, species[k]); });
}

}  // namespace mesowarp
