#include "perf/bench/bench_suite.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "input/estimate.hpp"
#include "input/species.hpp"
#include "perf/bench/bench_floor.hpp"
#include "perf/bench/timing.hpp"
#include "run/recorders/thermo.hpp"
#include "run/simulation.hpp"

namespace mesowarp {
namespace {

// Keeps temperature and pressure of every so-many-th step after `from`. That one is looked at, too, and not kept: a GPU
// loads a kernel when it is first asked for, which takes up to 15 ms, and the steps behind it are timed.
class SeriesRecorder final : public Recorder {
public:
  SeriesRecorder(const input::Deck& deck, i64 from, i64 every, ThermoSeries& series)
      : deck_(deck), from_(from), every_(every), series_(series) {}
  Wanted wants(i64 step, bool) const override {
    Wanted wanted;
    wanted.thermo = step == from_ || (step > from_ && step % every_ == 0);
    return wanted;
  }
  void record(i64 step, Engine& engine, const RunClock&) override {
    const auto q = thermoQuantities(engine.sums(), deck_, engine.mobile());
    if (step == from_) return;
    series_.temperature.push_back(q.at("temperature"));
    series_.pressure.push_back(q.at("pressure"));
  }

private:
  const input::Deck& deck_;
  i64 from_, every_;
  ThermoSeries& series_;
};

// Steps between observed ones: 100, or a tenth of a short run.
i64 observedEvery(const BenchPlan& plan) { return std::clamp<i64>(plan.steps / 10, 1, 100); }

nlohmann::json recordOf(const Measured& m, const BenchCase& bench, const BenchPlan& plan,
                        const backend::MachineRates& machine) {
  const double particleSteps = static_cast<double>(bench.particles) * static_cast<double>(plan.steps);
  const auto [temperature, temperatureError] = blockAverage(m.series.temperature);
  const auto [pressure, pressureError] = blockAverage(m.series.pressure);
  const StepCost cost = stepCost(bench, plan.skin, backend::onGpu);
  const double every = static_cast<double>(plan.steps) / static_cast<double>(std::max<i64>(1, m.counters.rebuilds));
  const StepFloor floor = stepFloor(cost, bench, machine, every);
  return {{"status", "done"},
          {"steps", plan.steps},
          {"equilibration", plan.equilibration},
          {"observed_every", observedEvery(plan)},
          {"seconds", m.seconds},
          {"particle_steps_per_second", particleSteps / m.seconds},
          {"ms_per_step", 1e3 * m.seconds / static_cast<double>(plan.steps)},
          {"temperature", temperature},
          {"temperature_error", temperatureError},
          {"pressure", pressure},
          {"pressure_error", pressureError},
          {"memory_bytes_per_particle", m.bytesPerParticle},
          {"rebuilds", m.counters.rebuilds},
          {"dangerous_builds", m.counters.dangerousBuilds},
          {"counted",
           {{"listed_neighbors", cost.listed},
            {"neighbors_in_range", cost.inRange},
            {"bytes", cost.bytes},
            {"rebuild_bytes", cost.rebuildBytes},
            {"real_operations", cost.realOperations},
            {"integer_operations", cost.integerOperations},
            {"filter_operations", cost.filterOperations}}},
          {"floor",
           {{"memory_ns", 1e9 * floor.memorySeconds},
            {"issue_ns", 1e9 * floor.issueSeconds},
            {"bound", floor.memorySeconds > floor.issueSeconds ? "memory" : "issue"},
            {"fraction", floor.seconds() * particleSteps / m.seconds}}}};
}

void printRow(const nlohmann::json& r) {
  fmt::print("{:>10.3f} {:>10.4f} {:>8.4f} {:>7.4f} {:>9.3f} {:>7.3f} {:>7.0f} {:>8} {:>9} {:>6.1f}% {}\n",
             1e-6 * r["particle_steps_per_second"].get<double>(), r["ms_per_step"].get<double>(),
             r["temperature"].get<double>(), r["temperature_error"].get<double>(), r["pressure"].get<double>(),
             r["pressure_error"].get<double>(), r["memory_bytes_per_particle"].get<double>(), r["rebuilds"].get<i64>(),
             r["dangerous_builds"].get<i64>(), 1e2 * r["floor"]["fraction"].get<double>(),
             r["floor"]["bound"].get<std::string>());
}

}  // namespace

TimedRun::TimedRun(const input::Deck& deck, const BenchPlan& plan, int turns, const comm::Communicator* ranks)
    : deck_(deck), plan_(plan), ranks_(ranks) {
  deck_.run.steps = std::max(deck_.run.steps, plan.equilibration + turns * plan.steps + 1);
  RunOptions options;
  options.ranks = ranks;
  options.sort = plan.sort.value_or(options.sort);
  startSeconds_ = backend::secondsOf(1, [&] { simulation_ = std::make_unique<Simulation>(deck_, std::move(options)); });
  simulation_->addRecorder(
      std::make_unique<SeriesRecorder>(deck_, plan.equilibration, observedEvery(plan), measured_.series));
  simulation_->runSteps(0, plan.equilibration);
  next_ = plan.equilibration + 1;
  before_ = simulation_->engine().counters();
}

TimedRun::~TimedRun() = default;

double TimedRun::turn() {
  if (ranks_) ranks_->barrier();
  measured_.seconds = backend::secondsOf(1, [&] { simulation_->runSteps(next_, next_ + plan_.steps - 1); });
  next_ += plan_.steps;
  return measured_.seconds;
}

const Measured& TimedRun::measured() {
  const Engine& engine = simulation_->engine();
  measured_.counters = engine.counters();
  measured_.counters.rebuilds -= before_.rebuilds;
  measured_.counters.dangerousBuilds -= before_.dangerousBuilds;
  if (const auto transport = engine.transport()) measured_.transport = transport->name;
  const auto bytes = static_cast<i64>(engine.memoryBytes());
  measured_.bytesPerParticle =
      static_cast<double>(ranks_ ? ranks_->sum(bytes) : bytes) / static_cast<double>(engine.particles());
  return measured_;
}

Measured measureSteps(const input::Deck& deck, const BenchPlan& plan, const comm::Communicator* ranks) {
  TimedRun run(deck, plan, 1, ranks);
  run.turn();
  return run.measured();
}

nlohmann::json recordOf(const BenchCase& bench) {
  return {{"density", bench.density},
          {"cutoff", bench.cutoff},
          {"particles", bench.particles},
          {"precision", nameOf(bench.precision)},
          {"pair_noise", nameOf(bench.pairNoise)},
          {"reproducibility", nameOf(bench.reproducibility)}};
}

std::string whyNot(const input::Deck& deck) {
  const double needed = 2.0 * (input::largestCutoff(deck) + deck.neighbor.skin);
  if (deck.box.size[0] < needed)
    return fmt::format("the box edge of {:.3g} is under twice cutoff + skin ({:.3g}): give more particles",
                       deck.box.size[0], needed);
  const auto estimate = input::estimate(deck);
  const double device = 1.1 * estimate.memoryBytes, host = 60.0 * static_cast<double>(estimate.particles);
  const double deviceFree = static_cast<double>(backend::availableDeviceMemory()),
               hostFree = static_cast<double>(backend::availableHostMemory());
  if (backend::onGpu ? device < deviceFree && host < hostFree : device + host < hostFree) return "";
  return fmt::format("needs about {:.1f} GiB on the device and {:.1f} on the host; {:.1f} and {:.1f} are free",
                     device / 1073741824.0, host / 1073741824.0, deviceFree / 1073741824.0, hostFree / 1073741824.0);
}

void printSuiteHeader(const BenchPlan& plan) {
  fmt::print("\nDPD fluid: a = 25, gamma = 4.5, k_BT = 1, dt = 0.005, skin {:g}, from a lattice; {} steps after {}, "
             "observed every {}\n",
             plan.skin, plan.steps, plan.equilibration, observedEvery(plan));
  fmt::print("{:>7} {:>4} {:>9} {:>9} {:>8} {:>13} {:>10} {:>10} {:>8} {:>7} {:>9} {:>7} {:>7} {:>8} {:>9} {:>7} {}\n",
             "density", "r_c", "particles", "precision", "noise", "bits", "M p-st/s", "ms/step", "T", "+-", "P", "+-",
             "bytes/p", "rebuilds", "dangerous", "floor", "bound");
}

nlohmann::json runSuiteCase(const BenchCase& bench, const BenchPlan& plan, const backend::MachineRates& machine) {
  nlohmann::json record = recordOf(bench);
  fmt::print("{:>7g} {:>4g} {:>9} {:>9} {:>8} {:>13} ", bench.density, bench.cutoff, bench.particles,
             nameOf(bench.precision), nameOf(bench.pairNoise), nameOf(bench.reproducibility));
  std::fflush(stdout);
  const auto without = [&](const char* status, const std::string& reason) {
    fmt::print("{}: {}\n", status, reason);
    record["status"] = status, record["reason"] = reason;
    return record;
  };
  try {
    const input::Deck deck = benchDeck(bench, plan);
    if (const auto reason = whyNot(deck); !reason.empty()) return without("skipped", reason);
    record.update(recordOf(measureSteps(deck, plan), bench, plan, machine));
    printRow(record);
  } catch (const InputError& error) {
    return without("skipped", error.what());
  } catch (const std::bad_alloc&) {
    return without("skipped", "not enough memory");
  } catch (const std::exception& error) {
    const std::string text = error.what();
    return without(text.find("allocat") != std::string::npos ? "skipped" : "failed", text);
  }
  std::fflush(stdout);
  return record;
}

}  // namespace mesowarp
