#include "app/initial_velocities.hpp"

#include <algorithm>
#include <cmath>
#include <optional>

#include "app/host_loop.hpp"
#include "core/random.hpp"

namespace mesowarp {
namespace {

using Vector = std::array<double, 3>;

double temperatureOf(const input::Population& population, const input::Deck& deck) {
  return population.temperature < 0.0 ? deck.run.temperature : population.temperature;
}

void draw(HostParticles& particles, const input::Deck& deck, const PopulationRun& run, const std::vector<double>& masses) {
  const StepKey key = stepKey(deck.run.seed, Stream::initialVelocity, 0);
  const double kT = temperatureOf(*run.population, deck);
  std::vector<double> width;
  for (const double mass : masses) width.push_back(std::sqrt(kT / mass));
  hostLoop("initial velocities", 0, (run.last - run.first + gaussianBlock - 1) / gaussianBlock, [&](i64 block) {
    const i64 first = run.first + block * gaussianBlock, last = std::min<i64>(first + gaussianBlock, run.last);
    std::array<Vector, gaussianBlock> numbers;
    firstGaussians(key, static_cast<u32>(first), numbers);
    for (i64 i = first; i < last; ++i)
      for (int axis = 0; axis < 3; ++axis)
        particles.velocity[i][axis] = width[particles.species[i]] * numbers[i - first][axis];
  });
}

// What fresh velocities go through: the mean velocity goes, and then the temperature is made exact.
struct Adjustment {
  Vector mean{};
  std::optional<double> scale;
};

// Both sums go from the first particle to the last: in another order they would round differently, and the same deck would
// no longer give the same bits as before. At a few nanoseconds a particle that is a small part of all there is to do.
Vector meanVelocity(const HostParticles& particles, const std::vector<PopulationRun>& runs,
                    const std::vector<double>& masses) {
  Vector momentum{};
  double mass = 0.0;
  for (const auto& run : runs)
    for (i64 i = run.first; run.fresh && i < run.last; ++i) {
      const double m = masses[particles.species[i]];
      for (int axis = 0; axis < 3; ++axis) momentum[axis] += m * particles.velocity[i][axis];
      mass += m;
    }
  return {momentum[0] / mass, momentum[1] / mass, momentum[2] / mass};
}

// Sum of m v^2 relative to the mean.
double kineticSum(const HostParticles& particles, const std::vector<PopulationRun>& runs, const std::vector<double>& masses,
                  const Vector& mean) {
  double kinetic = 0.0;
  for (const auto& run : runs)
    for (i64 i = run.first; run.fresh && i < run.last; ++i)
      for (int axis = 0; axis < 3; ++axis) {
        const double v = particles.velocity[i][axis] - mean[axis];
        kinetic += masses[particles.species[i]] * v * v;
      }
  return kinetic;
}

// That of all populations, or -1.
double oneTemperature(const input::Deck& deck, const std::vector<PopulationRun>& runs) {
  double kT = -1.0;
  for (const auto& run : runs) {
    const double own = temperatureOf(*run.population, deck);
    if (kT >= 0.0 && own != kT) return -1.0;
    kT = own;
  }
  return kT;
}

std::optional<Adjustment> adjustmentOf(const HostParticles& particles, const input::Deck& deck,
                                       const std::vector<PopulationRun>& runs, const std::vector<double>& masses) {
  i64 count = 0;
  for (const auto& run : runs) count += run.fresh ? run.last - run.first : 0;
  if (count < 2) return std::nullopt;
  Adjustment a;
  a.mean = meanVelocity(particles, runs, masses);
  const double kT = oneTemperature(deck, runs), kinetic = kT < 0.0 ? 0.0 : kineticSum(particles, runs, masses, a.mean);
  if (kinetic > 0.0) a.scale = std::sqrt(kT * 3.0 * static_cast<double>(count - 1) / kinetic);
  return a;
}

}  // namespace

void giveVelocities(HostParticles& particles, const input::Deck& deck, const std::vector<PopulationRun>& runs) {
  const std::vector<double> masses = massesOf(deck);
  for (const auto& run : runs)
    if (run.fresh) draw(particles, deck, run, masses);
  const auto adjustment = adjustmentOf(particles, deck, runs, masses);
  for (const auto& run : runs)
    hostLoop("initial velocities, mean", run.first, run.last, [&](i64 i) {
      for (int axis = 0; axis < 3; ++axis) {
        double& v = particles.velocity[i][axis];
        if (run.fresh && adjustment) v -= adjustment->mean[axis];
        if (run.fresh && adjustment && adjustment->scale) v *= *adjustment->scale;
        v += run.population->velocity[axis];
      }
    });
}

}  // namespace mesowarp
