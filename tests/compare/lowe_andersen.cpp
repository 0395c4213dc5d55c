// Lowe and Andersen's thermostat as Lowe has it (Europhys. Lett. 47, 145 (1999)): a gas without forces, whose pairs
// within a distance of 1 collide one after the other, in a random order, each with probability rate * dt. Written for
// this comparison alone. Prints the diffusion coefficient, from velocities, and the kinematic viscosity, by Green and
// Kubo with the momentum that pairs exchange.
//
//   c++ -O3 -std=c++20 tests/compare/lowe_andersen.cpp -o /tmp/lowe && /tmp/lowe RATE DT EDGE TIME SEED LAG
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <utility>
#include <vector>

namespace {

using Vector = std::array<double, 3>;
constexpr double density = 3.0;

struct Gas {
  double edge, rate, dt;
  std::mt19937_64 engine;
  std::vector<Vector> x, v;
  std::uniform_real_distribution<double> uniform{0.0, 1.0};
  std::normal_distribution<double> normal;

  Gas(double edge_, double rate_, double dt_, unsigned seed) : edge(edge_), rate(rate_), dt(dt_), engine(seed) {
    x.resize(static_cast<std::size_t>(std::lround(density * edge * edge * edge)));
    v.resize(x.size());
    Vector mean{};
    for (auto& r : x)
      for (double& a : r) a = edge * uniform(engine);
    for (auto& u : v)
      for (std::size_t a = 0; a < 3; ++a) mean[a] += (u[a] = normal(engine)) / static_cast<double>(v.size());
    for (auto& u : v)
      for (std::size_t a = 0; a < 3; ++a) u[a] -= mean[a];
  }

  Vector apart(std::size_t i, std::size_t j) const {
    Vector r;
    for (std::size_t a = 0; a < 3; ++a) r[a] = x[i][a] - x[j][a] - edge * std::round((x[i][a] - x[j][a]) / edge);
    return r;
  }

  // Pairs that collide in this step, in a random order.
  std::vector<std::pair<std::size_t, std::size_t>> chosen() {
    const auto cells = static_cast<std::size_t>(edge);
    std::vector<std::vector<std::size_t>> in(cells * cells * cells);
    const auto cellOf = [&](double a) {
      return std::min(cells - 1, static_cast<std::size_t>(a / edge * static_cast<double>(cells)));
    };
    const auto numberOf = [&](std::size_t a, std::size_t b, std::size_t c) { return (c * cells + b) * cells + a; };
    for (std::size_t i = 0; i < x.size(); ++i)
      in[numberOf(cellOf(x[i][0]), cellOf(x[i][1]), cellOf(x[i][2]))].push_back(i);
    std::vector<std::pair<std::size_t, std::size_t>> pairs;
    for (std::size_t i = 0; i < x.size(); ++i)
      for (std::size_t way = 0; way < 27; ++way) {
        const auto beside = [&](double a, std::size_t by) { return (cellOf(a) + cells + by - 1) % cells; };
        for (const std::size_t j :
             in[numberOf(beside(x[i][0], way % 3), beside(x[i][1], way / 3 % 3), beside(x[i][2], way / 9))]) {
          if (j <= i || uniform(engine) >= rate * dt) continue;
          const Vector r = apart(i, j);
          if (r[0] * r[0] + r[1] * r[1] + r[2] * r[2] < 1.0) pairs.emplace_back(i, j);
        }
      }
    std::shuffle(pairs.begin(), pairs.end(), engine);
    return pairs;
  }

  // One step; returns the stress times the volume, five independent shears with the same variance.
  std::array<double, 5> step() {
    for (std::size_t i = 0; i < x.size(); ++i)
      for (std::size_t a = 0; a < 3; ++a) x[i][a] += dt * v[i][a], x[i][a] -= edge * std::floor(x[i][a] / edge);
    double s[3][3] = {};
    for (const auto& [i, j] : chosen()) {
      const Vector r = apart(i, j);
      const double inverse = 1.0 / std::sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
      double along = 0.0;
      for (std::size_t a = 0; a < 3; ++a) along += (v[i][a] - v[j][a]) * r[a] * inverse;
      const double impulse = 0.5 * (std::sqrt(2.0) * normal(engine) - along) * inverse;  // by the distance
      for (std::size_t a = 0; a < 3; ++a) v[i][a] += impulse * r[a], v[j][a] -= impulse * r[a];
      for (std::size_t a = 0; a < 3; ++a)
        for (std::size_t b = 0; b < 3; ++b) s[a][b] += impulse / dt * r[a] * r[b];
    }
    for (const auto& u : v)
      for (std::size_t a = 0; a < 3; ++a)
        for (std::size_t b = 0; b < 3; ++b) s[a][b] += u[a] * u[b];
    return {s[0][1], s[0][2], s[1][2], 0.5 * (s[0][0] - s[1][1]),
            (s[0][0] + s[1][1] - 2.0 * s[2][2]) / (2.0 * std::sqrt(3.0))};
  }
};

}  // namespace

int main(int count, char** words) {
  if (count < 7) return std::fprintf(stderr, "usage: lowe RATE DT EDGE TIME SEED LAG\n"), 2;
  const auto number = [&](int k) { return std::atof(words[k]); };
  Gas gas(number(3), number(1), number(2), static_cast<unsigned>(number(5)));
  const auto steps = static_cast<std::size_t>(number(4) / gas.dt), lags = static_cast<std::size_t>(number(6) / gas.dt);
  std::vector<std::array<double, 5>> last(lags);
  std::vector<double> stress(lags), memory(lags);
  std::vector<Vector> origin = gas.v;
  for (std::size_t n = 0; n < steps; ++n) {
    const auto& now = last[n % lags] = gas.step();
    for (std::size_t lag = 0; lag < lags && n >= lags; ++lag)
      for (std::size_t c = 0; c < 5; ++c) stress[lag] += now[c] * last[(n - lag) % lags][c] / 5.0;
    if (n % lags == 0) origin = gas.v;
    for (std::size_t i = 0; i < origin.size(); ++i)
      for (std::size_t a = 0; a < 3; ++a) memory[n % lags] += gas.v[i][a] * origin[i][a];
  }
  double viscosity = -0.5 * stress[0], diffusion = -0.5 * memory[0];  // trapezoids
  for (std::size_t lag = 0; lag < lags; ++lag) viscosity += stress[lag], diffusion += memory[lag];
  const double samples = static_cast<double>(steps - lags), particles = static_cast<double>(gas.x.size());
  viscosity *= gas.dt / samples / (gas.edge * gas.edge * gas.edge) / density;
  diffusion *= gas.dt / (3.0 * particles) / (static_cast<double>(steps) / static_cast<double>(lags));
  std::printf("kinematic viscosity %.5f, diffusion %.5f\n", viscosity, diffusion);
}
