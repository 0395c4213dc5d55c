#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "input/grammar/parse.hpp"
#include "perf/bench/bench_suite.hpp"
#include "perf/bench/timing.hpp"
#include "physics/methods.hpp"

namespace mesowarp {
namespace {

struct Rule {
  const char *name, *lines;
};
const Rule rules[] = {{"srd", "style = \"srd\""},
                      {"srd, thermostat", "style = \"srd\"\nthermostat = \"maxwell-boltzmann\""},
                      {"andersen", "style = \"andersen\""}};

input::Deck deckOf(const Rule& rule, input::Precision precision, int side) {
  const std::string text =
      fmt::format("[run]\nsteps = 1000000\ntimestep = 0.1\nprecision = \"{0}\"\n[box]\nsize = [{1}.0, {1}.0, {1}.0]\n"
                  "[[population]]\nname = \"solvent\"\nkind = \"mpcd\"\ndensity = 10.0\n[collision]\n{2}\n",
                  input::nameOf(precision), side, rule.lines);
  auto parsed = input::parseDeckText(text, "bench mpcd", {});
  if (!parsed.ok()) throw RunError(input::format(parsed.diagnostics.front(), "bench mpcd"));
  return std::move(parsed.deck);
}

// Bytes of a pass: a particle's place and velocity read and written, Andersen's tag as well.
double bytesOf(const Rule& rule, input::Precision precision) {
  const double numbers = precision == input::Precision::double_ ? 96.0 : 48.0;
  return numbers + (std::string(rule.name) == "andersen" ? 4.0 : 0.0);
}

nlohmann::json runCase(const Rule& rule, input::Precision precision, int side, const BenchPlan& plan) {
  const auto engine = engineOfDeck(deckOf(rule, precision, side));
  i64 step = 0;
  const auto advance = [&] { engine->rebuildIfDue(step), engine->advance(step, {}), ++step; };
  for (int k = 0; k <= 50; ++k) advance();
  backend::Timing t = backend::timeRepeated(plan.repetitions, [&] {
    for (int k = 0; k < 50; ++k) advance();  // one sort in each
  });
  if (const auto failure = engine->failure()) throw RunError(*failure);
  const double particles = static_cast<double>(engine->particles()), seconds = t.median / 50.0;
  const double bytes = bytesOf(rule, precision) * particles / seconds;
  fmt::print("{:<16} {:>9} {:>11.0f} {:>11.1f} {:>10.4f} {:>12.2f} {:>9.1f} {:>11.0f}\n", rule.name, nameOf(precision),
             particles, 1.0 / seconds, 1e3 * seconds, 1e-6 * particles / seconds, 1e-9 * bytes,
             static_cast<double>(engine->memoryBytes()) / particles);
  std::fflush(stdout);
  return {{"rule", rule.name},
          {"precision", nameOf(precision)},
          {"particles", engine->particles()},
          {"status", "done"},
          {"steps_per_second", 1.0 / seconds},
          {"fastest_steps_per_second", 50.0 / t.fastest},
          {"slowest_steps_per_second", 50.0 / t.slowest},
          {"particle_steps_per_second", particles / seconds},
          {"least_bytes_per_second", bytes}};
}

}  // namespace

nlohmann::json benchMpcd(const BenchPlan& plan) {
  fmt::print(
      "\nCollision solvent: 10 particles a cell, 130 degrees, 0.1 between collisions, sorted every 50; all levels "
      "of reproducibility are one; GB/s: of each particle read and written once\n");
  fmt::print("{:<16} {:>9} {:>11} {:>11} {:>10} {:>12} {:>9} {:>11}\n", "rule", "precision", "particles", "steps/s",
             "ms", "M p-steps/s", "GB/s", "bytes each");
  nlohmann::json records = nlohmann::json::array();
  for (const Rule& rule : rules)
    for (const input::Precision precision : plan.bodyPrecisions)
      for (const int particles : plan.solvents)
        records.push_back(runCase(rule, precision, static_cast<int>(std::lround(std::cbrt(0.1 * particles))), plan));
  return records;
}

}  // namespace mesowarp
