#include "start/initial_positions.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "device/host_loop.hpp"
#include "input/estimate.hpp"
#include "start/whole_molecules.hpp"

namespace mesowarp {
namespace {

using Point = std::array<double, 3>;

Point randomPoint(const Box& box, StepKey key, u32 tag) {
  TagRandom random(key, tag);
  Point at{};
  for (int axis = 0; axis < 3; ++axis) at[axis] = random.uniform() * box.size[axis];
  return at;
}

// A block that is not much larger than the region, so that few points are drawn in vain.
Point randomPoint(const Box& box, StepKey key, u32 tag, const StartRegion& region) {
  TagRandom random(key, tag);
  for (;;) {
    Point at{};
    bool isInBox = true;
    for (int axis = 0; axis < 3; ++axis) {
      at[axis] = region.low[axis] + random.uniform() * (region.high[axis] - region.low[axis]);
      isInBox = isInBox && at[axis] < box.size[axis];
    }
    if (isInBox && region.inside(at)) return at;
  }
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

u32 speciesNumber(const input::Deck& deck, const std::string& name) {
  const auto it = std::find(deck.species.begin(), deck.species.end(), name);
  if (it == deck.species.end()) throw InputError("unknown species '" + name + "'");
  return static_cast<u32>(it - deck.species.begin());
}

SinglePositions::SinglePositions(const Box& box, std::uint64_t seed, const input::Population& population, i64 first)
    : box_(box), key_(stepKey(seed, Stream::initialPosition, 0)), first_(first),
      count_(input::particleCount(population, {box.size, box.periodic})), region_(population.own.get<StartRegion>()) {
  if (population.initial != input::StartKind::lattice) return;
  sites_ = latticeSites(box, count_);
  for (int axis = 0; axis < 3; ++axis)
    for (i64 k = 0; k < sites_[axis]; ++k)
      coordinate_[axis].push_back(
          toFixed(box, axis, (static_cast<double>(k) + 0.5) * box.size[axis] / static_cast<double>(sites_[axis])));
}

std::array<u64, 3> SinglePositions::operator()(i64 tag) const {
  if (sites_[0] == 0) {
    const auto number = static_cast<u32>(tag);
    const Point at = region_.inside ? randomPoint(box_, key_, number, region_) : randomPoint(box_, key_, number);
    return {toFixed(box_, 0, at[0]), toFixed(box_, 1, at[1]), toFixed(box_, 2, at[2])};
  }
  const i64 site = (tag - first_) * (sites_[0] * sites_[1] * sites_[2]) / count_;
  return {coordinate_[0][site % sites_[0]], coordinate_[1][site / sites_[0] % sites_[1]],
          coordinate_[2][site / (sites_[0] * sites_[1])]};
}

void ParticlePlacer::place(i64 i, const Point& at, u32 species) const {
  particles_.position[i] = {toFixed(box_, 0, at[0]), toFixed(box_, 1, at[1]), toFixed(box_, 2, at[2])};
  particles_.species[i] = species;
}

void ParticlePlacer::single(const SinglePositions& positions, u32 species) {
  addRoom(positions.count());
  hostLoop("initial positions, fluid", first_, first_ + positions.count(),
           [&](i64 i) { particles_.position[i] = positions(i), particles_.species[i] = species; });
}

void ParticlePlacer::molecules(i64 molecules, const std::vector<Bead>& molecule, double length, bool bonded) {
  const i64 beads = static_cast<i64>(molecule.size());
  const std::size_t firstBond = particles_.bonds.size();
  const StepKey placing = stepKey(seed_, Stream::initialPosition, 0), stepping = stepKey(seed_, Stream::chainStep, 0);
  addRoom(molecules * beads);
  if (bonded) particles_.addImages();
  if (bonded) particles_.bonds.resize(firstBond + static_cast<std::size_t>(molecules * (beads - 1)));
  hostLoop("initial positions, chains", 0, molecules, [&](i64 m) {
    std::vector<Point> at(molecule.size());
    for (i64 b = 0; b < beads; ++b) {
      const Bead& bead = molecule[b];
      const u32 tag = static_cast<u32>(first_ + m * beads + b);
      at[b] = b == 0 ? randomPoint(box_, placing, tag) : chainStep(box_, stepping, at[bead.parent], tag, length);
      place(tag, at[b], bead.species);
      if (b == 0 || !bonded) continue;
      const u32 from = static_cast<u32>(first_ + m * beads + bead.parent);
      particles_.bonds[firstBond + m * (beads - 1) + b - 1] = {from, tag, bead.bond};
      particles_.image[tag] =
          nearestImage(box_, particles_.position[from], particles_.image[from], particles_.position[tag]);
    }
  });
}

void ParticlePlacer::given(const std::vector<double>& position, const LargeVector<u32>& species) {
  const i64 count = static_cast<i64>(species.size());
  addRoom(count);
  hostLoop("initial positions, given", 0, count, [&](i64 k) {
    place(first_ + k, {position[3 * k], position[3 * k + 1], position[3 * k + 2]}, species[k]);
  });
}

}  // namespace mesowarp
