#include <array>

#include "device/host_copy.hpp"
#include "physics/nbody/lj_coulomb_source.hpp"

namespace mesowarp::nbody {
namespace {

// Over x = ln r from r = 1e-3 to 1e5 (the deck's lengths): steps of 0.0045 leave an error of step^4 / 384 = 1e-12.
constexpr double firstLog = -6.907755278982137, lastLog = 11.512925464970229;  // ln 1e-3, ln 1e5
constexpr int intervals = 4096;
constexpr double stepLog = (lastLog - firstLog) / intervals;

// The same bits on every machine, unlike the C library's.
double exponential(double x) { return math::Portable::exp2Of(1.4426950408889634 * x); }

// 1 / (zeta(r) r): minus dU / d ln r.
double slope(const ForceSettings& s, double x) {
  const double r = exponential(x), power = ((s.alpha * r + s.beta) * r + s.gamma) * r + s.delta;
  return exponential(-power) / r;
}

// Five points of Gauss and Legendre.
double integral(const ForceSettings& s, double from, double to) {
  constexpr std::array<double, 3> at{0.0, 0.538469310105683091, 0.906179845938663993},
      weight{0.568888888888888889, 0.478628670499366468, 0.236926885056189088};
  const double middle = 0.5 * (from + to), half = 0.5 * (to - from);
  double sum = weight[0] * slope(s, middle);
  for (int k = 1; k < 3; ++k) sum += weight[k] * (slope(s, middle - half * at[k]) + slope(s, middle + half * at[k]));
  return sum * half;
}

}  // namespace

SigmoidTable makeSigmoidTable(const ForceSettings& s) {
  SigmoidTable table;
  std::vector<double> host(2 * (intervals + 1));
  // Behind the last node zeta is taken as it is there: exact where it is constant, nothing where it grows.
  double energy = slope(s, firstLog + stepLog * intervals);
  for (int k = intervals; k >= 0; --k) {
    if (k < intervals) energy += integral(s, firstLog + stepLog * k, firstLog + stepLog * (k + 1));
    host[2 * k] = energy, host[2 * k + 1] = -slope(s, firstLog + stepLog * k);
  }
  table.nodes = toDevice<double>("sigmoidal energy", host);
  table.energy = SigmoidNodes{table.nodes.data(), firstLog, stepLog, intervals};
  return table;
}

}  // namespace mesowarp::nbody
