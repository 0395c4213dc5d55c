// How many particles there are, how dense, and what they cost.
#include <algorithm>
#include <cmath>

#include "input/measures/measure_memory.hpp"
#include "input/species.hpp"
#include "physics/boundary/deck/solid_text.hpp"
#include "physics/boundary/deck/wall_tables.hpp"
#include "physics/fluid/deck/fluid_blocks.hpp"
#include "physics/fluid/deck/fluid_checks.hpp"
#include "physics/membrane/deck/membrane_deck.hpp"
#include "physics/pair/deck/many_body_checks.hpp"
#include "physics/transport/deck/transport_blocks.hpp"
#include "start/start_region.hpp"

namespace mesowarp::fluid {

using namespace input;

namespace {

constexpr double pi = 3.14159265358979323846;
constexpr double mostParticles = 1e18;  // beyond any machine, within 64 bits

double volumeOf(const BoxBlock& box) { return box.size[0] * box.size[1] * box.size[2]; }

std::int64_t rounded(double number) {
  return static_cast<std::int64_t>(std::llround(std::clamp(number, 0.0, mostParticles)));
}

double sphere(double radius) { return 4.0 / 3.0 * pi * radius * radius * radius; }

// Bytes of a particle's fields (state/particles.hpp). Position with signature and velocity with species are kept twice,
// old and new; mixed adds the lower halves of both. Then position at the last build, tag, image, and the sort's keys
// and index.
double fieldBytes(Precision precision) {
  const double real = precision == Precision::double_ ? 8.0 : 4.0;
  const double lower = precision == Precision::mixed ? 2.0 * 3.0 * 4.0 : 0.0;
  return 2.0 * (4.0 * real + 4.0 * real) + lower + 3.0 * real + 4.0 + 8.0 + 12.0;
}

// Of these, what a checkpoint has.
double checkpointedBytes(Precision precision) {
  const double real = precision == Precision::double_ ? 8.0 : 4.0;
  const double lower = precision == Precision::mixed ? 2.0 * 3.0 * 4.0 : 0.0;
  return 11.0 * real + lower + 4.0 + 8.0;
}

// Particle-steps a second of one core at density 3, cutoff 1, skin 0.3.
double coreRate(Precision precision) {
  return precision == Precision::single ? 3.5e6 : precision == Precision::mixed ? 3.0e6 : 2.8e6;
}

// Particles beside walls: of the fluid, and frozen ones as deep in the solid as forces reach. 0: there are no walls, or
// their solid cannot be, which is told elsewhere.
std::int64_t besideWalls(const Deck& deck) {
  constexpr int points = 48;  // along each axis
  if (deck.walls.empty()) return 0;
  try {
    const boundary::SolidParts parts = boundary::solidOf(deck);
    const boundary::Solid solid = parts.view();
    std::int64_t filled = 0;
    for (int n = 0; n < points * points * points; ++n) {
      const auto nearest = solid(parts.point(deck, {(n % points + 0.5) / points * deck.box.size[0],
                                                    (n / points % points + 0.5) / points * deck.box.size[1],
                                                    (n / points / points + 0.5) / points * deck.box.size[2]}));
      const bool layer =
          deck.walls[static_cast<std::size_t>(nearest.wall)].method == WallMethod::frozen && nearest.distance < 0.0;
      if (nearest.distance >= (layer ? -largestCutoff(deck) : 0.0)) ++filled;
    }
    return std::max<std::int64_t>(1, rounded(boundary::fluidDensity(deck) * volumeOf(deck.box) *
                                             static_cast<double>(filled) / (points * points * points)));
  } catch (const boundary::SolidError&) {
    return 0;
  }
}

// roomOf(population): the part of the box that it has.
template <class RoomOf>
std::vector<double> densitiesIn(const Deck& deck, const RoomOf& roomOf) {
  std::vector<double> density(deck.species.size(), 0.0);
  for (const auto& population : deck.populations) {
    if (!isOurs(population)) continue;
    const double room = volumeOf(deck.box) * roomOf(population);
    if (!(room > 0.0)) continue;
    const double each = static_cast<double>(input::particleCount(population, deck.box)) / room;
    // Of a file with several types nobody has counted each.
    const auto beads = population.blocks.empty() ? speciesOf(population) : beadSpecies(population);
    for (const auto& bead : beads) {
      const auto at = std::find(deck.species.begin(), deck.species.end(), bead);
      if (at != deck.species.end())
        density[static_cast<std::size_t>(at - deck.species.begin())] += each / static_cast<double>(beads.size());
    }
  }
  return density;
}

}  // namespace

std::int64_t FluidBlocks::particleCount(const Population& population, const BoxBlock& box) const {
  if (population.kind == Kind::membrane)
    return membrane::cellCount(population, box) * membrane::verticesOf(membrane::cellsOf(population));
  const bool polymer = population.kind == Kind::polymer;
  const double beads = polymer ? std::max<double>(1.0, static_cast<double>(population.blocks.size())) : 1.0;
  const double volume = volumeOf(box) * population.own.get<StartRegion>().part;
  const double molecules =
      population.count > 0 ? static_cast<double>(population.count) : population.density * volume / beads;
  return rounded(static_cast<double>(rounded(molecules)) * beads);
}

bool isOurs(const Deck& deck, const std::string& species) {
  for (const auto& population : deck.populations) {
    const auto all = speciesOf(population);
    if (isOurs(population) && std::find(all.begin(), all.end(), species) != all.end()) return true;
  }
  return false;
}

DensitiesAround::DensitiesAround(const Deck& deck)
    : mean(densitiesIn(deck, [](const Population&) { return 1.0; })),
      own_(densitiesIn(deck, [](const Population& population) { return population.own.get<StartRegion>().part; })) {
  for (std::size_t i = 0; i < own_.size(); ++i)
    own_[i] = std::max(own_[i], isFrozen(deck, deck.species[i]) ? 0.0 : liquidDensity(deck, deck.species[i]));
}

// Time of a particle and step: a quarter of it, at the reference point, goes with the particle (integration, sorting),
// the rest with the neighbours that are listed.
Estimate FluidBlocks::estimate(const Deck& deck, std::int64_t particles, double rate) const {
  Estimate result;
  const DensitiesAround density(deck);
  double all = 0.0, pairs = 0.0, listed = 0.0;
  for (std::size_t i = 0; i < density.mean.size(); ++i) {
    all += density.mean[i];
    for (std::size_t j = 0; j < density.mean.size(); ++j) {
      listed += density.mean[i] * density.of(i, j);
      for (const auto* interaction : interactionsOf(deck, deck.species[i], deck.species[j]))
        pairs += density.mean[i] * density.of(i, j) * sphere(interaction->cutoff);
    }
  }
  result.particles = besideWalls(deck);
  const double n = static_cast<double>(result.particles > 0 ? result.particles : particles);
  result.pairsPerParticle = all > 0.0 ? pairs / all : 0.0;
  result.listedPerParticle = all > 0.0 ? listed / all * sphere(largestCutoff(deck) + deck.neighbor.skin) : 0.0;
  const double cellBytes = bytesPerCell * numberOfCells(deck);
  const double listBytes = 4.0 * 1.25 * result.listedPerParticle;  // a quarter is spare
  const double measured = methodsOf(deck).front() == this ? bytesOfMeasures(deck) : 0.0;
  result.memoryBytes =
      n * (fieldBytes(deck.run.precision) + transport::bytesPerParticle(deck) + listBytes + measured) + cellBytes;
  result.cellBytes = cellBytes;
  result.checkpointBytes = n * checkpointedBytes(deck.run.precision);
  const double speed = rate > 0.0 ? rate : coreRate(deck.run.precision);
  result.secondsPerStep = n / speed * (0.25 + 0.75 * result.listedPerParticle / (3.0 * sphere(1.3)));
  return result;
}

}  // namespace mesowarp::fluid
