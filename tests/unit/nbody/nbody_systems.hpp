// Bodies for the tests of all-pairs sums, and their forces by plain loops in double precision.
#pragma once

#include <array>
#include <cmath>
#include <set>
#include <vector>

#include "physics/nbody/body_force.hpp"
#include "tests/unit/support/test_device.hpp"
#include "tests/unit/support/test_statistics.hpp"

namespace mesowarp::test {

using Vector = std::array<double, 3>;

struct Bodies {
  std::vector<Vector> position, velocity;
  std::vector<double> mass, charge;
  std::vector<u32> type;
  std::set<std::pair<int, int>> excluded;  // both ways round

  int count() const { return static_cast<int>(position.size()); }
  nbody::BodyView view() const {
    const auto vectors = [](const std::vector<Vector>& from) {
      std::vector<Vec3<double>> to;
      for (const auto& v : from) to.push_back({v[0], v[1], v[2]});
      return onDevice(to);
    };
    return {vectors(position), vectors(velocity), onDevice(mass), onDevice(charge), onDevice(type)};
  }
  backend::ExcludedPartners exclusions() const {
    if (excluded.empty()) return {};
    std::vector<int> start(1, 0), partner;
    for (int i = 0; i < count(); ++i) {
      for (const auto& [a, b] : excluded)
        if (a == i) partner.push_back(b);
      start.push_back(static_cast<int>(partner.size()));
    }
    return {onDevice(start), onDevice(partner)};
  }
};

// In a ball of unit radius, none nearer than `apart` to another; positions have `bits` bits behind the point, so that a
// float may hold them exactly.
inline Bodies ball(int n, std::uint64_t seed, double apart = 0.0, double radius = 1.0, int bits = 52) {
  Uniform uniform(seed);
  Bodies b;
  while (b.count() < n) {
    Vector x{};
    for (auto& c : x) c = std::ldexp(std::round(std::ldexp(radius * uniform(-1.0, 1.0), bits)), -bits);
    if (x[0] * x[0] + x[1] * x[1] + x[2] * x[2] > radius * radius) continue;
    bool free = true;
    for (const auto& y : b.position) free = free && std::hypot(x[0] - y[0], x[1] - y[1], x[2] - y[2]) >= apart;
    if (!free) continue;
    b.position.push_back(x);
    b.velocity.push_back({uniform(-1.0, 1.0), uniform(-1.0, 1.0), uniform(-1.0, 1.0)});
    b.mass.push_back(uniform(0.5, 1.5) / n);
    b.charge.push_back(uniform(-1.0, 1.0));
    b.type.push_back(static_cast<u32>(uniform.word() % 3));
  }
  return b;
}

inline nbody::ForceSettings gravitySettings(input::Precision precision, input::Accumulator accumulator,
                                            bool jerk = false) {
  nbody::ForceSettings s;
  s.precision = precision, s.accumulator = accumulator, s.jerk = jerk;
  s.gravity = 1.5, s.softening = 0.02;
  return s;
}

inline nbody::ForceSettings chargeSettings(nbody::Dielectric dielectric, input::Precision precision,
                                           input::Accumulator accumulator) {
  nbody::ForceSettings s;
  s.style = nbody::LawStyle::ljCoulomb;
  s.precision = precision, s.accumulator = accumulator, s.dielectric = dielectric;
  s.coulomb = 3.0, s.permittivity = 2.0;
  if (dielectric == nbody::Dielectric::sigmoidal)
    s.permittivity = 1.0, s.alpha = 0.01, s.beta = -0.05, s.gamma = 0.4, s.delta = 0.3;
  s.types = 3;
  s.epsilon = {1.0, 0.8, 0.5, 0.8, 1.2, 0.7, 0.5, 0.7, 0.9};
  s.sigma = {0.3, 0.32, 0.28, 0.32, 0.33, 0.29, 0.28, 0.29, 0.27};
  return s;
}

inline double zeta(const nbody::ForceSettings& s, double r) {
  return std::exp(s.alpha * r * r * r + s.beta * r * r + s.gamma * r + s.delta);
}

// Force (gravity: acceleration) and jerk of each body.
inline std::vector<std::array<double, 6>> plainForces(const Bodies& b, const nbody::ForceSettings& s) {
  std::vector<std::array<double, 6>> all(b.count());
  for (int i = 0; i < b.count(); ++i)
    for (int j = 0; j < b.count(); ++j) {
      if (i == j || b.excluded.count({i, j})) continue;
      Vector r{}, v{};
      for (int c = 0; c < 3; ++c)
        r[c] = b.position[j][c] - b.position[i][c], v[c] = b.velocity[j][c] - b.velocity[i][c];
      const double d2 = r[0] * r[0] + r[1] * r[1] + r[2] * r[2], d = std::sqrt(d2);
      if (s.style == nbody::LawStyle::gravity) {
        const double soft = std::sqrt(d2 + s.softening * s.softening);
        const double rv = r[0] * v[0] + r[1] * v[1] + r[2] * v[2], m = s.gravity * b.mass[j];
        for (int c = 0; c < 3; ++c) {
          all[i][c] += m / std::pow(soft, 3) * r[c];
          all[i][3 + c] += m * (v[c] / std::pow(soft, 3) - 3.0 * rv * r[c] / std::pow(soft, 5));
        }
      } else {
        const std::size_t pair = b.type[i] * static_cast<u32>(s.types) + b.type[j];
        const double u = std::pow(s.sigma[pair] / d, 6);
        double f = 24.0 * s.epsilon[pair] * (2.0 * u * u - u) / d2;
        const double q = s.coulomb * b.charge[i] * b.charge[j] / s.permittivity;
        if (s.dielectric == nbody::Dielectric::constant) f += q / (d2 * d);
        if (s.dielectric == nbody::Dielectric::linear) f += q / (d2 * d2);
        if (s.dielectric == nbody::Dielectric::sigmoidal) f += q / (zeta(s, d) * d2 * d);
        for (int c = 0; c < 3; ++c) all[i][c] -= f * r[c];
      }
    }
  return all;
}

inline std::vector<std::array<double, 6>> forcesOf(nbody::BodyForce& force, const Bodies& b) {
  const DeviceArray<backend::BodySums> sums("sums", b.count());
  const nbody::BodyView view = b.view();
  const backend::ExcludedPartners lists = b.exclusions();
  if (force.needsRange() && force.range() == 0.0) nbody::findRange(force, view, lists);
  force.evaluate(view, lists, {{}, b.count()}, sums);
  const auto host = hostCopy(sums);
  std::vector<std::array<double, 6>> all(b.count());
  for (int i = 0; i < b.count(); ++i) std::copy_n(host(i).value, 6, all[i].begin());
  return all;
}

// The quasi-double paper's Eq. 10 and, relative, Eq. 11.
inline double forceError(const std::vector<std::array<double, 6>>& a, const std::vector<std::array<double, 6>>& exact,
                         int from = 0) {
  double difference = 0.0, size = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    difference += std::hypot(a[i][from] - exact[i][from], a[i][from + 1] - exact[i][from + 1],
                             a[i][from + 2] - exact[i][from + 2]);
    size += std::hypot(exact[i][from], exact[i][from + 1], exact[i][from + 2]);
  }
  return difference / size;
}
inline double forceOffset(const std::vector<std::array<double, 6>>& a) {
  Vector sum{};
  double size = 0.0;
  for (const auto& f : a) {
    for (int c = 0; c < 3; ++c) sum[c] += f[c];
    size += std::hypot(f[0], f[1], f[2]);
  }
  return std::hypot(sum[0], sum[1], sum[2]) / size;
}

}  // namespace mesowarp::test
