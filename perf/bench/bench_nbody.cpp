#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "device/device_info.hpp"
#include "device/host_copy.hpp"
#include "device/step_graph.hpp"
#include "perf/bench/bench_bodies.hpp"
#include "perf/bench/timing.hpp"
#include "physics/nbody/integrate/body_integrator.hpp"

namespace mesowarp {
namespace {

using input::Accumulator;
using input::Precision;
using nbody::Dielectric;
using nbody::LawStyle;

// Instructions: see physics/nbody/gravity.hpp and lj_coulomb.hpp; a look-up of the pair of types counts two.
const BenchKernel kernels[] = {
    {"gravity", false, LawStyle::gravity, Dielectric::none, 19.0, 13.0, 17.0},
    {"gravity and jerk", true, LawStyle::gravity, Dielectric::none, 42.0, 28.0, 32.0},
    {"lj-coulomb constant", false, LawStyle::ljCoulomb, Dielectric::constant, 30.0, 20.0, 24.0},
    {"lj-coulomb linear", false, LawStyle::ljCoulomb, Dielectric::linear, 30.0, 20.0, 24.0},
    {"lj-coulomb sigmoidal", false, LawStyle::ljCoulomb, Dielectric::sigmoidal, 43.0, 26.0, 44.0},
};

struct MeasuredSum {
  backend::Timing sum, all;  // of the sum over pairs, and with what it reads prepared
  double medianError = -1.0;
};

// Against double precision, of up to 1,024 bodies spread over all.
double medianErrorOf(const nbody::ForceSettings& settings, const BenchBodies& bodies,
                     const DeviceArray<backend::BodySums>& sums) {
  auto exactly = settings;
  exactly.precision = Precision::double_, exactly.accumulator = Accumulator::double_;
  const int n = bodies.view.count(), some = std::min(n, 1024);
  std::vector<int> list;
  for (int k = 0; k < some; ++k) list.push_back(static_cast<int>(i64{n} * k / some));
  const DeviceArray<backend::BodySums> exact("exact sums", some);
  nbody::makeBodyForce(exactly)->evaluate(bodies.view, {}, {toDevice<int>("active", list), some}, exact);
  const auto a = hostCopy(sums), b = hostCopy(exact);
  std::vector<double> errors;
  for (int k = 0; k < some; ++k) {
    const double *f = a(list[static_cast<std::size_t>(k)]).value, *g = b(k).value;
    errors.push_back(std::hypot(f[0] - g[0], f[1] - g[1], f[2] - g[2]) / std::hypot(g[0], g[1], g[2]));
  }
  std::nth_element(errors.begin(), errors.begin() + some / 2, errors.end());
  return errors[static_cast<std::size_t>(some / 2)];
}

// One call, as a run of so many bodies launches it: of few, many as one graph
// (physics/nbody/integrate/body_phase.device.cpp).
backend::Timing timeCall(int repetitions, int bodies, const auto& work) {
  if (!backend::StepGraph::paysForBodies(bodies)) return backend::timeRepeated(repetitions, work);
  constexpr int together = nbody::BodyIntegrator::mostPrepared;
  backend::StepGraph graph;
  work();
  graph.begin();
  for (int k = 0; k < together; ++k) work();
  graph.launch();
  backend::Timing t = backend::timeRepeated(repetitions, [&] { graph.again(); });
  t.median /= together, t.fastest /= together, t.slowest /= together, t.calls *= together;
  return t;
}

MeasuredSum measure(const nbody::ForceSettings& settings, const BenchBodies& bodies, int repetitions) {
  const auto force = nbody::makeBodyForce(settings);
  const int n = bodies.view.count();
  const DeviceArray<backend::BodySums> sums("body sums", n);
  MeasuredSum m;
  force->evaluate(bodies.view, {}, {{}, n}, sums);
  m.sum = timeCall(repetitions, n, [&] { force->sum({}, {{}, n}, sums); });
  m.all = timeCall(repetitions, n, [&] { force->evaluate(bodies.view, {}, {{}, n}, sums); });
  if (settings.precision != Precision::double_) m.medianError = medianErrorOf(settings, bodies, sums);
  return m;
}

void printHeader() {
  fmt::print("\nAll pairs (Elsen et al., Table 1): interactions counted with a body's own; flops as they count them; "
             "floor: counted instructions at the measured rate of additions, each pair twice: more than 100% where "
             "pairs come once\n");
  fmt::print("{:<22} {:>9} {:>9} {:>11} {:>11} {:>9} {:>9} {:>7} {:>10} {:>9}\n", "kernel", "precision", "bodies",
             "G intrxn/s", "with load", "GFLOPS", "ms", "floor", "med. error", "x plain");
}

nlohmann::json runKernel(const BenchKernel& kernel, Precision precision, int count, double plain, const BenchPlan& plan,
                         const backend::MachineRates& machine) {
  const Accumulator usual[] = {Accumulator::single, Accumulator::takahashi_iitaka, Accumulator::double_};
  const auto settings =
      benchSettings(kernel.style, kernel.dielectric, kernel.jerk, precision, usual[static_cast<int>(precision)]);
  const BenchBodies bodies = kernel.style == LawStyle::gravity ? benchSphere(count) : benchTypes(count);
  const MeasuredSum m = measure(settings, bodies, count > 300000 ? std::min(3, plan.repetitions) : plan.repetitions);
  const double pairs = static_cast<double>(count) * count, rate = pairs / m.sum.median, withLoad = pairs / m.all.median;
  const double perSecond = precision == Precision::double_ ? machine.doublePerSecond : machine.floatPerSecond;
  const double slots = precision == Precision::double_ ? kernel.doubleSlots : kernel.singleSlots;
  const double fraction = precision == Precision::mixed ? 0.0 : rate * slots / perSecond;
  // The fastest of each: other work on the machine slows either.
  const double ratio = plain > 0.0 ? pairs / m.sum.fastest / backend::deviceInfo().threads / plain : 0.0;
  fmt::print("{:<22} {:>9} {:>9} {:>11.4f} {:>11.4f} {:>9.1f} {:>9.4f} {:>6.1f}% {:>10} {:>9}\n", kernel.name,
             nameOf(precision), count, 1e-9 * rate, 1e-9 * withLoad, 1e-9 * rate * kernel.flops, 1e3 * m.sum.median,
             1e2 * fraction, m.medianError >= 0.0 ? fmt::format("{:.2g}", m.medianError) : "",
             ratio > 0.0 ? fmt::format("{:.2f}", ratio) : "");
  std::fflush(stdout);
  nlohmann::json record{{"what", "table 1"},
                        {"kernel", kernel.name},
                        {"precision", nameOf(precision)},
                        {"bodies", count},
                        {"status", "done"},
                        {"interactions_per_second", rate},
                        {"with_load_per_second", withLoad},
                        {"median_s", m.sum.median},
                        {"fastest_s", m.sum.fastest},
                        {"slowest_s", m.sum.slowest},
                        {"flops_an_interaction", kernel.flops},
                        {"flops_per_second", rate * kernel.flops}};
  if (fraction > 0.0) record["counted_instructions"] = slots, record["fraction_of_floor"] = fraction;
  if (m.medianError >= 0.0) record["median_force_error"] = m.medianError;
  if (ratio > 0.0) record["times_plain_double_loop_a_core"] = ratio, record["plain_loop_per_second"] = plain;
  return record;
}

}  // namespace

nlohmann::json benchNbody(const BenchPlan& plan, const backend::MachineRates& machine) {
  nlohmann::json records = nlohmann::json::array();
  printHeader();
  for (const BenchKernel& kernel : kernels) {
    const double plain = backend::onGpu ? 0.0 : plainLoopRate(kernel, 4096);
    for (const Precision precision : plan.bodyPrecisions)
      for (const int count : plan.bodies) {
        // What lasts: a million bodies with 1e12 interactions for gravity alone, and Lennard-Jones as in the paper's
        // sizes.
        if (count > 300000 && (kernel.jerk || kernel.style != LawStyle::gravity || precision != Precision::single))
          continue;
        records.push_back(runKernel(kernel, precision, count, plain, plan, machine));
      }
  }
  for (auto& record : benchUnrolling(plan)) records.push_back(std::move(record));
  for (auto& record : benchReplication(plan)) records.push_back(std::move(record));
  return records;
}

}  // namespace mesowarp
