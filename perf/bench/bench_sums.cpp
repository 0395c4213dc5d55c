#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "device/host_copy.hpp"
#include "perf/bench/bench_bodies.hpp"
#include "perf/bench/timing.hpp"

namespace mesowarp {
namespace {

using input::Accumulator;
using input::Precision;

constexpr const char* names[] = {"A single", "B double sum", "C Takahashi-Iitaka", "D Nitadori", "E modified Nitadori",
                                 "F Narumi", "G double"};

struct Sums {
  std::vector<backend::BodySums> force;
  backend::Timing timing;
};

Sums measure(Accumulator accumulator, const BenchBodies& bodies, bool afterwards, int repetitions) {
  auto settings =
      benchSettings(nbody::LawStyle::ljCoulomb, nbody::Dielectric::none, false,
                    accumulator == Accumulator::double_ ? Precision::double_ : Precision::single, accumulator);
  settings.excludeAfterwards = afterwards;
  const auto force = nbody::makeBodyForce(settings);
  // Nothing moves here: twice the largest sum is range enough.
  if (force->needsRange()) force->setRange(2.0 * force->largestSum(bodies.view, bodies.exclusions));
  const int n = bodies.view.count();
  const DeviceArray<backend::BodySums> sums("body sums", n);
  force->load(bodies.view);
  Sums result;
  result.timing = backend::timeRepeated(repetitions, [&] { force->sum(bodies.exclusions, {{}, n}, sums); });
  const auto host = hostCopy(sums);
  result.force.assign(host.data(), host.data() + host.extent(0));
  return result;
}

// The paper's Eq. 10.
double errorOf(const std::vector<backend::BodySums>& a, const std::vector<backend::BodySums>& exact) {
  double difference = 0.0, size = 0.0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const double *f = a[i].value, *g = exact[i].value;
    difference += std::hypot(f[0] - g[0], f[1] - g[1], f[2] - g[2]);
    size += std::hypot(g[0], g[1], g[2]);
  }
  return difference / size;
}
// Its Eq. 11.
double offsetOf(const std::vector<backend::BodySums>& a) {
  double sum[3] = {}, size = 0.0;
  for (const auto& f : a) {
    for (int c = 0; c < 3; ++c) sum[c] += f.value[c];
    size += std::hypot(f.value[0], f.value[1], f.value[2]);
  }
  return std::hypot(sum[0], sum[1], sum[2]) / size;
}

void runSystem(const char* system, const BenchBodies& bodies, bool afterwards, int repetitions,
               nlohmann::json& records) {
  const auto exact = measure(Accumulator::double_, bodies, false, 1).force;
  double single = 0.0;
  for (int k = 0; k <= static_cast<int>(Accumulator::double_); ++k) {
    const Sums m = measure(static_cast<Accumulator>(k), bodies, afterwards, repetitions);
    const double pairs = static_cast<double>(bodies.view.count()) * bodies.view.count(), rate = pairs / m.timing.median;
    if (k == 0) single = m.timing.fastest;
    const double times = m.timing.fastest / single;
    const double error = errorOf(m.force, exact), offset = offsetOf(m.force);
    fmt::print("{:<26} {:<14} {:<20} {:>10.3g} {:>10.3g} {:>11.4f} {:>9.2f}\n", system,
               bodies.exclusions.any() ? (afterwards ? "afterwards" : "on the fly") : "none", names[k], error, offset,
               1e-9 * rate, times);
    std::fflush(stdout);
    records.push_back({{"what", "figures 10, 11, 12"},
                       {"system", system},
                       {"bodies", bodies.view.count()},
                       {"exclude", bodies.exclusions.any() ? (afterwards ? "afterwards" : "on the fly") : "none"},
                       {"method", names[k]},
                       {"status", "done"},
                       {"force_error", error},
                       {"force_offset", offset},
                       {"interactions_per_second", rate},
                       {"time_over_single", times},
                       {"fastest_s", m.timing.fastest},
                       {"slowest_s", m.timing.slowest}});
  }
}

}  // namespace

nlohmann::json benchSums(const BenchPlan& plan) {
  nlohmann::json records = nlohmann::json::array();
  fmt::print("\nAccumulators (Narumi et al., Figures 10, 11, 12): Lennard-Jones forces, error against method G\n");
  fmt::print("{:<26} {:<14} {:<20} {:>10} {:>10} {:>11} {:>9}\n", "system", "excluded", "method", "error", "offset",
             "G intrxn/s", "x time A");
  runSystem("LJ particles of 16 types", benchTypes(plan.sumBodies), false, plan.repetitions, records);
  const BenchBodies molecules = benchMolecules(std::min(plan.sumBodies, 3339));
  for (const bool afterwards : {false, true}) runSystem("chains", molecules, afterwards, plan.repetitions, records);
  return records;
}

}  // namespace mesowarp
