// The loops that anyone would write first, in double precision: what the kernels are held against on a CPU.
#include <algorithm>
#include <chrono>
#include <cmath>

#include "device/host_copy.hpp"
#include "perf/bench/bench_bodies.hpp"

namespace mesowarp {
namespace {

struct PlainBody {
  double x[3], v[3], mass, charge;
  int type;
};

template <class Copy>
std::vector<PlainBody> plainBodies(int count, const Copy& copy) {
  const BenchBodies bodies = copy(count);
  const auto x = hostCopy(bodies.view.position);
  const auto v = hostCopy(bodies.view.velocity);
  const auto type = hostCopy(bodies.view.type);
  std::vector<PlainBody> all;
  for (int i = 0; i < count; ++i)
    all.push_back({{x(i).x, x(i).y, x(i).z},
                   {v(i).x, v(i).y, v(i).z},
                   1.0 / count,
                   i % 2 ? 0.5 : -0.5,
                   static_cast<int>(type(i))});
  return all;
}

[[gnu::noinline]] void gravity(const std::vector<PlainBody>& bodies, const PlainBody& i, double soft2, bool jerk,
                               double* sum) {
  for (const PlainBody& j : bodies) {
    const double x = j.x[0] - i.x[0], y = j.x[1] - i.x[1], z = j.x[2] - i.x[2];
    const double r2 = x * x + y * y + z * z + soft2, inverse = 1.0 / std::sqrt(r2);
    const double s = j.mass * inverse * inverse * inverse;
    sum[0] += s * x, sum[1] += s * y, sum[2] += s * z;
    if (!jerk) continue;
    const double u = j.v[0] - i.v[0], v = j.v[1] - i.v[1], w = j.v[2] - i.v[2];
    const double turn = 3.0 * (x * u + y * v + z * w) * inverse * inverse;
    sum[3] += s * (u - turn * x), sum[4] += s * (v - turn * y), sum[5] += s * (w - turn * z);
  }
}

[[gnu::noinline]] void charges(const std::vector<PlainBody>& bodies, const PlainBody& i, const nbody::ForceSettings& s,
                               const std::vector<double>& a, const std::vector<double>& b, double* sum) {
  for (const PlainBody& j : bodies) {
    if (&j == &i) continue;
    const double x = i.x[0] - j.x[0], y = i.x[1] - j.x[1], z = i.x[2] - j.x[2];
    const double r2 = x * x + y * y + z * z, r = std::sqrt(r2), inverse2 = 1.0 / r2,
                 inverse6 = inverse2 * inverse2 * inverse2;
    const std::size_t pair = static_cast<std::size_t>(i.type * s.types + j.type);
    double f = (a[pair] * inverse6 - b[pair]) * inverse6;
    const double q = s.coulomb * i.charge * j.charge;
    if (s.dielectric == nbody::Dielectric::constant) f += q / r;
    if (s.dielectric == nbody::Dielectric::linear) f += q * inverse2;
    if (s.dielectric == nbody::Dielectric::sigmoidal)
      f += q / (r * std::exp(s.alpha * r2 * r + s.beta * r2 + s.gamma * r + s.delta));
    f *= inverse2;
    sum[0] += f * x, sum[1] += f * y, sum[2] += f * z;
  }
}

}  // namespace

double plainLoopRate(const BenchKernel& kernel, int count) {
  using Clock = std::chrono::steady_clock;
  const bool isGravity = kernel.style == nbody::LawStyle::gravity;
  const auto bodies = isGravity ? plainBodies(count, benchSphere) : plainBodies(count, benchTypes);
  const auto s = benchSettings(kernel.style, kernel.dielectric, kernel.jerk, input::Precision::double_,
                               input::Accumulator::double_);
  std::vector<double> a, b;
  for (std::size_t k = 0; k < s.epsilon.size(); ++k) {
    const double s6 = std::pow(s.sigma[k], 6);
    a.push_back(48.0 * s.epsilon[k] * s6 * s6), b.push_back(24.0 * s.epsilon[k] * s6);
  }
  double fastest = 0.0;
  volatile double sink = 0.0;
  const int rows = std::min(count, std::max(1, 4000000 / count));
  for (int repetition = 0; repetition < 7; ++repetition) {
    const auto start = Clock::now();
    double sum[6] = {};
    for (int i = 0; i < rows; ++i) {
      if (isGravity)
        gravity(bodies, bodies[static_cast<std::size_t>(i)], s.softening * s.softening, kernel.jerk, sum);
      else
        charges(bodies, bodies[static_cast<std::size_t>(i)], s, a, b, sum);
    }
    sink = sink + sum[0] + sum[3];
    const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
    fastest = std::max(fastest, static_cast<double>(rows) * count / seconds);
  }
  return fastest;
}

}  // namespace mesowarp
