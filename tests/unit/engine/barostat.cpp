// Stochastic cell rescaling of a model whose pressure follows the volume at once, P(V) = P_0 - K ln(V / V_0): volumes
// are distributed as exp(-(U + P_0 V) / k_BT) with dU/dV = -P, in steps that are not short against the relaxation.
#include "physics/integrate/box/barostat.hpp"

#include <cmath>
#include <gtest/gtest.h>
#include <random>

using namespace mesowarp;

namespace {

constexpr double k = 20.0, target = 5.0, start = 50.0, temperature = 1.0;

struct Moments {
  double mean = 0.0, variance = 0.0;
};

// By quadrature.
Moments expected() {
  double weight = 0.0, first = 0.0, second = 0.0;
  for (double v = 0.6 * start; v < 1.6 * start; v += 0.01) {
    // U(V) = -integral of P from V_0; P_0 V cancels, but for a constant.
    const double u = k * (v * std::log(v / start) - v);
    const double p = std::exp(-(u + k * start) / temperature);
    weight += p, first += p * v, second += p * v * v;
  }
  const double mean = first / weight;
  return {mean, second / weight - mean * mean};
}

Moments found(int coupling, double step) {
  BarostatKeys keys;
  keys.pressure = target, keys.compressibility = 1.0 / k, keys.period = 1.0, keys.coupling = coupling;
  std::mt19937_64 engine(5);
  std::normal_distribution<double> normal;
  std::array<double, 3> size{std::cbrt(start), std::cbrt(start), std::cbrt(start)}, now{}, next{};
  for (double& n : next) n = normal(engine);
  double sum = 0.0, squares = 0.0;
  constexpr int steps = 200000;
  for (int n = 0; n < steps; ++n) {
    const double volume = size[0] * size[1] * size[2], pressure = target - k * std::log(volume / start);
    now = next;
    for (double& x : next) x = normal(engine);
    size = rescaled(keys, size, {pressure, pressure, pressure}, temperature, step, [&](int group) {
      return 0.5 * (now[static_cast<std::size_t>(group)] + next[static_cast<std::size_t>(group)]);
    });
    // A fluid has no shape: edges that wander are brought back.
    const double v = size[0] * size[1] * size[2];
    if (coupling != BarostatKeys::isotropic && n % 20 == 19) size.fill(std::cbrt(v));
    sum += v - start, squares += (v - start) * (v - start);
  }
  const double mean = sum / steps;
  return {mean + start, squares / steps - mean * mean};
}

}  // namespace

// The usual way, one number a step, would have a variance that is too large by 1 / (1 - step / 2) = 25%.
TEST(Barostat, VolumesHaveTheirDistributionInLongSteps) {
  const Moments exact = expected();
  for (const int coupling : {BarostatKeys::isotropic, BarostatKeys::semiIsotropic, BarostatKeys::anisotropic})
    for (const double step : {0.05, 0.4}) {
      const Moments is = found(coupling, step);
      const double samples = 200000.0 * step / 2.0;  // independent ones
      EXPECT_NEAR(is.mean, exact.mean, 4.0 * std::sqrt(exact.variance / samples)) << coupling << ' ' << step;
      EXPECT_NEAR(is.variance / exact.variance, 1.0, 4.0 * std::sqrt(2.0 / samples) + 0.01) << coupling << ' ' << step;
    }
}
