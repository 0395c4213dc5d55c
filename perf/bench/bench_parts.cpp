#include "perf/bench/bench_parts.hpp"

#include <cstdio>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "perf/bench/bench_suite.hpp"

namespace mesowarp {
namespace {

nlohmann::json failure(const BenchCase& bench, const char* status, const std::string& reason) {
  fmt::print("{}: {}\n", status, reason);
  nlohmann::json record = recordOf(bench);
  record.update({{"part", "all"}, {"variant", ""}, {"status", status}, {"reason", reason}});
  return nlohmann::json::array({record});
}

}  // namespace

void printPartsHeader() {
  fmt::print("\n{:<22} {:<26} {:>9} {:>12} {:>10} {:>12} {:>22} {:>12}\n", "part", "variant", "precision", "median",
             "spread", "M items/s", "items", "worst error");
}

nlohmann::json printPart(const PartResult& r) {
  nlohmann::json record{{"part", r.part}, {"variant", r.variant}, {"precision", r.precision}};
  fmt::print("{:<22} {:<26} {:>9} ", r.part, r.variant, r.precision);
  record["status"] = r.timing.repetitions > 0 ? "done" : "skipped";
  if (!r.note.empty()) record["note"] = r.note;
  if (r.timing.repetitions == 0) {
    fmt::print("skipped: {}\n", r.note);
    return record;
  }
  const double rate = r.items / r.timing.median, spread = (r.timing.slowest - r.timing.fastest) / r.timing.median;
  fmt::print("{:>9.4f} ms {:>9.1f}% {:>12.3f} {:>22}", 1e3 * r.timing.median, 1e2 * spread, 1e-6 * rate, r.unit);
  if (r.worstError >= 0.0) fmt::print(" {:>12.3g} {}", r.worstError, r.errorUnit);
  fmt::print("{}{}\n", r.note.empty() ? "" : "  ", r.note);
  std::fflush(stdout);
  record.update({{"median_s", r.timing.median},
                 {"fastest_s", r.timing.fastest},
                 {"slowest_s", r.timing.slowest},
                 {"repetitions", r.timing.repetitions},
                 {"calls_a_repetition", r.timing.calls},
                 {"items", r.items},
                 {"unit", r.unit},
                 {"items_per_second", rate}});
  if (r.bytes > 0.0) record["counted_bytes_an_item"] = r.bytes;
  if (r.operations > 0.0) record["counted_operations_an_item"] = r.operations;
  if (r.worstError >= 0.0) record["worst_error"] = r.worstError, record["error_unit"] = r.errorUnit;
  return record;
}

nlohmann::json runMathParts(const BenchPlan& plan) {
  nlohmann::json records = nlohmann::json::array();
  for (const auto& result : mathParts(plan)) records.push_back(printPart(result));
  return records;
}

nlohmann::json runStepParts(const BenchCase& bench, const BenchPlan& plan) {
  fmt::print("-- density {:g}, r_c {:g}, {} particles, {}, noise {}\n", bench.density, bench.cutoff, bench.particles,
             nameOf(bench.precision), nameOf(bench.pairNoise));
  std::fflush(stdout);
  nlohmann::json records = nlohmann::json::array();
  try {
    const input::Deck deck = benchDeck(bench, plan);
    if (const auto reason = whyNot(deck); !reason.empty()) return failure(bench, "skipped", reason);
    for (const auto& result : stepParts(deck, bench, plan)) {
      records.push_back(printPart(result));
      records.back().update(recordOf(bench));
    }
  } catch (const InputError& error) {
    return failure(bench, "skipped", error.what());
  } catch (const std::bad_alloc&) {
    return failure(bench, "skipped", "not enough memory");
  } catch (const std::exception& error) {
    return failure(bench, "failed", error.what());
  }
  return records;
}

}  // namespace mesowarp
