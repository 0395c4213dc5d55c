#include "perf/bench/bench.hpp"

#include <chrono>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "core/version.hpp"
#include "device/config.hpp"
#include "device/device_info.hpp"
#include "io/files/new_file.hpp"
#include "io/summary.hpp"
#include "perf/bench/bench_bodies.hpp"
#include "perf/bench/bench_parts.hpp"
#include "perf/bench/bench_scaling.hpp"
#include "perf/bench/bench_suite.hpp"
#include "run/kokkos_session.hpp"
#include "run/mpi_session.hpp"
#include "run/thread_choice.hpp"

namespace mesowarp {
namespace {

std::string now() {
  const auto seconds = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&seconds));
  return text;
}

nlohmann::json describe(const BenchRequest& request, const BenchPlan& plan, const backend::MachineRates& machine) {
  const auto device = backend::deviceInfo();
  return {
      {"program", "mesowarp"},
      {"version", Version::number},
      {"git", Version::git},
      {"build", {{"type", Version::buildType}, {"compiler", Version::compiler}}},
      {"date", now()},
      {"backend", device.backend},
      {"kokkos", device.kokkosVersion},
      {"threads", device.threads},
      {"hardware", {{"cpu", device.cpu}, {"cores", device.cores}, {"device", device.device}, {"gpu", backend::onGpu}}},
      {"machine",
       {{"source", "measured: a copy of two arrays; independent additions, multiplications, exclusive-ors"},
        {"copy_array_bytes", machine.copyBytes},
        {"copy_bytes_per_second", machine.copyBytesPerSecond},
        {"float_operations_per_second", machine.floatPerSecond},
        {"double_operations_per_second", machine.doublePerSecond},
        {"integer_operations_per_second", machine.integerPerSecond}}},
      {"options",
       {{"what", request.what},
        {"rebuild", request.rebuild},
        {"skin", plan.skin},
        {"sort", nameOf(plan.sort.value_or(backend::defaultSort))},
        {"quick", request.quick},
        {"steps", plan.steps},
        {"equilibration", plan.equilibration}}}};
}

void printHead(const nlohmann::json& d) {
  const auto& m = d["machine"];
  const auto giga = [&](const char* key) { return 1e-9 * m[key].get<double>(); };
  fmt::print("mesowarp {} ({}) on {}, backend {}, Kokkos {}, {} threads\n", d["version"].get<std::string>(),
             d["git"].get<std::string>(), d["hardware"]["device"].get<std::string>(), d["backend"].get<std::string>(),
             d["kokkos"].get<std::string>(), d["threads"].get<int>());
  fmt::print("measured: copy {:.1f} GB/s; G operations/s: float {:.1f}, double {:.1f}, 32-bit integer {:.1f}\n",
             giga("copy_bytes_per_second"), giga("float_operations_per_second"), giga("double_operations_per_second"),
             giga("integer_operations_per_second"));
}

bool failed(const nlohmann::json& records) {
  for (const auto& record : records)
    if (record.value("status", "") == "failed") return true;
  return false;
}

}  // namespace

int runBench(const BenchRequest& request, int argc, char** argv) {
  letWaitingThreadsSleep(argv);
  const BenchPlan plan = planBench(request, backend::onGpu);
  const comm::MpiSession mpi(argc, argv);
  if (mpi.ranks() > 1 && request.scaling.empty())
    throw InputError("bench runs on one rank, but for --scaling weak or strong: leave out mpirun, or use -n 1");
  const comm::Communicator ranks;
  if (!request.json.empty()) ranks.onRoot([&] { io::requireNewFile(request.json, request.force); });
  const KokkosSession kokkos(request.threads, ranks.rankOnNode());
  const backend::MachineRates machine = backend::measureMachine();
  nlohmann::json result = describe(request, plan, machine);
  if (ranks.root()) printHead(result);
  if (!request.scaling.empty()) {
    const bool weak = request.scaling == "weak";
    result["scaling"] = plan.mpcd ? scaleSolvent(plan, ranks, weak) : runScaling(plan, ranks, weak);
    if (ranks.root() && !request.json.empty()) io::writeSummary(request.json, result);
    return 0;
  }
  result["suite"] = result["parts"] = nlohmann::json::array();
  const auto save = [&] {
    if (!request.json.empty()) io::writeSummary(request.json, result);
  };
  if (plan.nbody) result["nbody"] = benchNbody(plan, machine);
  if (plan.mpcd) result["mpcd"] = benchMpcd(plan), result["polymer"] = benchPolymer(plan);
  if (plan.sums) result["sums"] = benchSums(plan);
  if (plan.tdpd) result["tdpd"] = benchTdpd(plan);
  if (plan.rbc) result["rbc"] = benchRbc(plan);
  if (plan.suite) {
    printSuiteHeader(plan);
    for (const auto& bench : plan.cases) result["suite"].push_back(runSuiteCase(bench, plan, machine)), save();
  }
  if (plan.parts) {
    printPartsHeader();
    for (auto& record : runMathParts(plan)) result["parts"].push_back(std::move(record));
  }
  // Reordering on and off is a matter of the pair kernel, so it belongs to the parts, but is made for the suite too.
  if (plan.parts || plan.shuffled) {
    if (!plan.parts) printPartsHeader();
    for (const auto& bench : plan.cases) {
      for (auto& record : runStepParts(bench, plan)) result["parts"].push_back(std::move(record));
      save();
    }
  }
  save();
  return failed(result["suite"]) || failed(result["parts"]) ? 1 : 0;
}

}  // namespace mesowarp
