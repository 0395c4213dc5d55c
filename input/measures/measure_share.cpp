#include "input/measures/measure_share.hpp"

#include <algorithm>
#include <cmath>

#include "input/estimate.hpp"

namespace mesowarp::input {
namespace {

constexpr double manyForViscosity = 80000.0, manyForVelocities = 200000.0;  // particles
constexpr std::int64_t usualBurst = 1000;                                   // steps

// Of populations from files it is not known yet: none.
double particlesOf(const Deck& deck) {
  double all = 0.0;
  for (const Population& population : deck.populations)
    all += static_cast<double>(std::max<std::int64_t>(particleCount(population, deck.box), 0));
  return all;
}

double toTwoPlaces(double share) {
  const double unit = std::pow(10.0, std::floor(std::log10(share)) - 1.0);
  return std::round(share / unit) * unit;
}

}  // namespace

void completeShares(Deck& deck) {
  for (Measure& m : deck.measures) {
    if (m.style == MeasureStyle::vacf && m.share < 0.0) m.share = particlesOf(deck) < manyForVelocities ? 1.0 : 0.5;
    if (m.style != MeasureStyle::viscosity) continue;
    if (m.share < 0.0) {
      const double particles = particlesOf(deck);
      m.share = particles > manyForViscosity ? toTwoPlaces(manyForViscosity / particles) : 1.0;
    }
    if (m.share < 1.0 && m.burst == 0) {
      const double steps = deck.run.timestep > 0.0 ? std::ceil(2.0 * m.to / deck.run.timestep) : 0.0;
      m.burst = steps > 0.0 && steps < 1e12 ? static_cast<std::int64_t>(steps) : usualBurst;
    }
  }
}

Bursts burstsOf(const Measure& measure) {
  if (!(measure.share < 1.0) || measure.burst == 0) return {};
  const std::int64_t samples = std::max<std::int64_t>(measure.burst / measure.every, 1);
  return {samples, std::max<std::int64_t>(samples, std::llround(static_cast<double>(samples) / measure.share))};
}

std::int64_t wholeRowsOf(const Measure& measure) {
  return measure.share > 0.0 && measure.share < 1.0 ? std::max<std::int64_t>(std::llround(1.0 / measure.share), 1) : 1;
}

}  // namespace mesowarp::input
