#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "input/grammar/parse.hpp"
#include "kernels/bricks/packed_places.hpp"
#include "perf/bench/bench_groups.hpp"
#include "perf/bench/bench_suite.hpp"
#include "perf/bench/solvent/solvent_cases.hpp"
#include "physics/methods.hpp"
#include "physics/mpcd/deck/mpcd_deck.hpp"

namespace mesowarp {
namespace {

const std::string thermostat = "style = \"srd\"\nthermostat = \"maxwell-boltzmann\"\n",
                  flow = "[[drive]]\nacceleration = [0.001, 0.0, 0.0]\n",
                  plates = "[[shape]]\nname = \"solid\"\nstyle = \"slab\"\naxis = \"z\"\nfrom = 0.0\nto = 2.0\n"
                           "[[wall]]\nname = \"plates\"\nsolid = \"solid\"\n";

const SolventRule rules[] = {{"srd", "style = \"srd\""},
                             {"srd, thermostat", thermostat},
                             {"andersen", "style = \"andersen\""},
                             {"driven", thermostat + flow},  // with a thermostat, too
                             {"between plates", thermostat + flow + plates}};

// Bytes of a pass: a particle's place and velocity read and written, Andersen's tag as well.
double bytesOf(const SolventRule& rule, input::Precision precision) {
  constexpr int single = PackedPlace<u32>::bytes + 3 * static_cast<int>(sizeof(float)),
                wide = PackedPlace<u64>::bytes + 3 * static_cast<int>(sizeof(double));
  const int moved = 2 * (precision == input::Precision::double_ ? wide : single);
  return moved + (rule.name == "andersen" ? 4.0 : 0.0);
}

nlohmann::json runCase(const SolventRule& rule, input::Precision precision, int side, const BenchPlan& plan) {
  const SolventTiming t = timeSolvent(solventDeck(rule, precision, {side, side, side}), plan);
  const double particles = static_cast<double>(t.particles), seconds = t.seconds();
  const double bytes = bytesOf(rule, precision) * particles / seconds;
  fmt::print("{:<16} {:>9} {:>11.0f} {:>11.1f} {:>10.4f} {:>12.2f} {:>9.1f} {:>11.0f}\n", rule.name, nameOf(precision),
             particles, 1.0 / seconds, 1e3 * seconds, 1e-6 * particles / seconds, 1e-9 * bytes, t.bytesPerParticle);
  std::fflush(stdout);
  return {{"rule", rule.name},
          {"precision", nameOf(precision)},
          {"particles", t.particles},
          {"status", "done"},
          {"steps_per_second", 1.0 / seconds},
          {"fastest_steps_per_second", SolventTiming::steps / t.time.fastest},
          {"slowest_steps_per_second", SolventTiming::steps / t.time.slowest},
          {"particle_steps_per_second", particles / seconds},
          {"least_bytes_per_second", bytes}};
}

}  // namespace

input::Deck solventDeck(const SolventRule& rule, input::Precision precision, const std::array<int, 3>& cells) {
  const std::string text =
      fmt::format("[run]\nsteps = 1000000\ntimestep = 0.1\nprecision = \"{0}\"\n[box]\nsize = [{1}.0, {2}.0, {3}.0]\n"
                  "[[population]]\nname = \"solvent\"\nkind = \"mpcd\"\ndensity = 10.0\n[collision]\n{4}\n",
                  input::nameOf(precision), cells[0], cells[1], cells[2], rule.lines);
  auto parsed = input::parseDeckText(text, "bench mpcd", {});
  if (!parsed.ok()) throw RunError(input::format(parsed.diagnostics.front(), "bench mpcd"));
  return std::move(parsed.deck);
}

int cellsOfEdge(int particles) { return static_cast<int>(std::lround(std::cbrt(0.1 * particles))); }

SolventTiming timeSolvent(const input::Deck& deck, const BenchPlan& plan, const comm::Communicator* ranks) {
  const auto engine = engineOfDeck(deck, ranks && ranks->size() > 1 ? ranks : nullptr);
  i64 step = 0;
  const auto advance = [&] { engine->rebuildIfDue(step), engine->advance(step, {}), ++step; };
  for (int k = 0; k <= SolventTiming::steps; ++k) advance();
  SolventTiming t;
  const auto work = [&] {
    for (int k = 0; k < SolventTiming::steps; ++k) advance();
  };
  // Ranks must all do the same number of steps.
  t.time = ranks ? backend::timePrepared(
                       plan.repetitions, [&] { ranks->barrier(); }, work, 4)
                 : backend::timeRepeated(plan.repetitions, work);
  if (const auto failure = engine->failure()) throw RunError(*failure);
  t.particles = engine->particles();
  t.bytesPerParticle = static_cast<double>(engine->memoryBytes()) / static_cast<double>(t.particles);
  for (const auto& population : engine->populations()) t.how = population->sharedHow();
  return t;
}

// The first rule; weak: the paper's Figure 7, strong: Figure 8.
nlohmann::json scaleSolvent(const BenchPlan& plan, const comm::Communicator& ranks, bool weak) {
  nlohmann::json records = nlohmann::json::array();
  if (ranks.root())
    fmt::print("\nCollision solvent, {} scaling; efficiency: against the first rank alone, and against the slowest of "
               "all ranks, each alone at the same time\n{:>9} {:>11} {:>6} {:>11} {:>10} {:>12} {:>10} {:>10}\n",
               weak ? "weak" : "strong", "precision", "particles", "ranks", "steps/s", "ms", "M p-steps/s",
               "efficiency", "of slowest");
  for (const input::Precision precision : plan.bodyPrecisions)
    for (const int particles : plan.solvents) {
      const auto timed = [&](int group, int boxes) {
        const int edge = cellsOfEdge(particles);
        std::array<int, 3> cells = sideBySide(boxes);
        for (int& along : cells) along *= edge;
        return inGroup<SolventTiming>(ranks, group, [&](const comm::Communicator& members) {
          SolventTiming t = timeSolvent(solventDeck(rules[0], precision, cells), plan, &members);
          t.time.median = slowest(members, t.time.median);
          return t;
        });
      };
      const auto eachAlone = timed(ranks.rank(), 1);
      const double slowestAlone = slowest(ranks, eachAlone->seconds());
      double alone = 0.0;
      for (const int count : rankNumbers(ranks.size())) {
        const auto t = ranks.size() == 1 ? eachAlone : timed(ranks.rank() < count ? 0 : noGroup, weak ? count : 1);
        if (!ranks.root()) continue;
        if (count == 1) alone = t->seconds();
        const double seconds = t->seconds(), share = seconds * (weak ? 1.0 : count);
        fmt::print("{:>9} {:>11} {:>6} {:>11.1f} {:>10.4f} {:>12.2f} {:>10.3f} {:>10.3f}  {}\n", nameOf(precision),
                   t->particles, count, 1.0 / seconds, 1e3 * seconds,
                   1e-6 * static_cast<double>(t->particles) / seconds, alone / share, slowestAlone / share,
                   count > 1 ? t->how : "");
        std::fflush(stdout);
        records.push_back({{"what", "mpcd"},
                           {"rule", rules[0].name},
                           {"scaling", weak ? "weak" : "strong"},
                           {"precision", nameOf(precision)},
                           {"particles", t->particles},
                           {"ranks", count},
                           {"steps_per_second", 1.0 / seconds},
                           {"particle_steps_per_second", static_cast<double>(t->particles) / seconds},
                           {"efficiency", alone / share},
                           {"efficiency_of_slowest", slowestAlone / share}});
      }
    }
  return records;
}

nlohmann::json benchMpcd(const BenchPlan& plan) {
  fmt::print(
      "\nCollision solvent: 10 particles a cell, 130 degrees, 0.1 between collisions, sorted every {}; all levels "
      "of reproducibility are one; GB/s: of each particle read and written once\n",
      mpcd::CollisionBlock{}.sort);
  fmt::print("{:<16} {:>9} {:>11} {:>11} {:>10} {:>12} {:>9} {:>11}\n", "rule", "precision", "particles", "steps/s",
             "ms", "M p-steps/s", "GB/s", "bytes each");
  nlohmann::json records = nlohmann::json::array();
  for (const SolventRule& rule : rules)
    for (const input::Precision precision : plan.bodyPrecisions)
      for (const int particles : plan.solvents)
        records.push_back(runCase(rule, precision, cellsOfEdge(particles), plan));
  return records;
}

}  // namespace mesowarp
