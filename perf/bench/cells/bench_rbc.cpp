// Red blood cells: the suspensions of the blood-cell paper's Table 1 (hematocrits of 7% and 35%, volumes of 8,192 to
// 65,536, a solvent of density 4 with one solute, 500 vertices a cell), and blood at a hematocrit of 40% as
// examples/large/blood.toml has it, two million particles.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "input/estimate.hpp"
#include "input/grammar/parse.hpp"
#include "perf/bench/bench_suite.hpp"

namespace mesowarp {
namespace {

constexpr const char* headText = R"(
[run]
steps = {steps}
timestep = {timestep}
temperature = {temperature}
precision = "{precision}"
reproducibility = "{reproducibility}"
[box]
size = [{x}, {y}, {z}]
[neighbor]
skin = {skin}
{rebuild}
[[population]]
name = "plasma"
species = "W"
density = {density}
[[population]]
name = "cells"
kind = "membrane"
species = "M"
initial = "lattice"
vertices = 500
diameter = 7.82
{number}
{rest}
)";
// The fluid of the paper's validations; a membrane of the softness that its time step allows.
constexpr const char* suspensionText = R"(
[[membrane]]
population = "cells"
shear_modulus = 100.0
bending_modulus = 4.0
friction = 5.0
[transport]
solutes = ["chemical"]
[[source]]
solute = "chemical"
rate = 1.0
species = "M"
[[interaction]]
between = "*"
style = "tdpd"
a = 18.75
gamma = 4.5
cutoff = 1.0
exponent = 0.41
kappa = 5.0
)";
constexpr const char* bloodText = R"(
[[membrane]]
population = "cells"
length_unit = 1e-6
kelvin = 296.0
shear_modulus = 6.3e-6
bending_modulus = 2.4e-19
friction = 5.0
[[interaction]]
between = "*"
a = 4.0
gamma = 5.0
)";

// A row of Table 1, or blood.
struct RbcCase {
  const char* name;
  double hematocrit;  // percent
  double x, y, z;     // edges
  int cells;          // 0: as the hematocrit has it
};
constexpr RbcCase table[] = {{"table 1", 7, 32, 16, 16, 6},  {"table 1", 35, 32, 16, 16, 30},
                             {"table 1", 7, 32, 32, 16, 12}, {"table 1", 35, 32, 32, 16, 61},
                             {"table 1", 7, 32, 32, 32, 24}, {"table 1", 35, 32, 32, 32, 123},
                             {"table 1", 7, 64, 32, 32, 49}, {"table 1", 35, 64, 32, 32, 246}};

// About so many particles: boxes of 8 by 8 by 2.62 a place, as many along the axes as blood.toml has for two million.
RbcCase bloodOf(double particles) {
  const double s = std::cbrt(particles / 2092080.0);
  const auto places = [s](double n) { return std::max(std::round(n * s), 2.0); };
  return {"blood", 40, 8.0 * places(10), 8.0 * places(10), 2.62 * places(30), 0};
}

std::vector<RbcCase> casesOf(const std::vector<std::int64_t>& particles) {
  std::vector<RbcCase> all;
  for (const auto count : particles) {
    const std::size_t before = all.size();
    for (const RbcCase& one : table)
      if (static_cast<double>(count) == 4.0 * one.x * one.y * one.z) all.push_back(one);
    if (all.size() > before) continue;
    if (count < 500000)
      throw InputError(
          fmt::format("--particles {}: Table 1 has 32768, 65536, 131072 and 262144 of solvent; from 500000 "
                      "on it is the size of the blood",
                      count));
    all.push_back(bloodOf(static_cast<double>(count)));
  }
  return all;
}

input::Deck deckOf(const RbcCase& one, const BenchCase& bench, const BenchPlan& plan) {
  const bool blood = one.cells == 0;
  const auto exact = [](double x) { return fmt::format("{:#.17g}", x); };
  const bool every = !blood && plan.rebuild == input::RebuildStyle::every;
  const std::string text = fmt::format(
      headText, fmt::arg("steps", plan.equilibration + plan.steps + 1), fmt::arg("timestep", blood ? 0.002 : 0.005),
      fmt::arg("temperature", blood ? 0.0655 : 1.0), fmt::arg("precision", nameOf(bench.precision)),
      fmt::arg("reproducibility", nameOf(bench.reproducibility)), fmt::arg("x", exact(one.x)),
      fmt::arg("y", exact(one.y)), fmt::arg("z", exact(one.z)), fmt::arg("skin", exact(plan.skin)),
      fmt::arg("rebuild", every ? fmt::format("rebuild = \"every\"\nevery = {}", plan.every) : ""),
      fmt::arg("density", blood ? 2.0 : 4.0),
      fmt::arg("number", blood ? "hematocrit = 0.4" : fmt::format("count = {}", one.cells)),
      fmt::arg("rest", blood ? bloodText : suspensionText));
  auto result = input::parseDeckText(text, "bench.toml");
  if (!result.ok()) throw InputError(input::format(result.diagnostics.front(), "bench.toml"));
  result.deck.outputs.clear();
  return std::move(result.deck);
}

}  // namespace

std::vector<input::Deck> rbcDecks(const BenchCase& bench, const BenchPlan& plan) {
  std::vector<input::Deck> decks;
  for (const RbcCase& one : casesOf({bench.particles})) decks.push_back(deckOf(one, bench, plan));
  return decks;
}

nlohmann::json benchRbc(const BenchPlan& plan) {
  nlohmann::json records = nlohmann::json::array();
  fmt::print("\nred blood cells of 500 vertices: Table 1 of Blumers et al. (2017), one solute, skin {:g}; blood as "
             "examples/large/blood.toml; {} steps after {}\n",
             plan.skin, plan.steps, plan.equilibration);
  fmt::print("{:>8} {:>4} {:>8} {:>9} {:>6} {:>9} {:>13} {:>10} {:>9} {:>8}\n", "case", "Hct", "volume", "particles",
             "cells", "precision", "bits", "M p-st/s", "ms/step", "bytes/p");
  for (const BenchCase& bench : plan.cases)
    for (const RbcCase& one : casesOf({bench.particles})) {
      const input::Deck deck = deckOf(one, bench, plan);
      if (const auto reason = whyNot(deck); !reason.empty()) throw InputError(reason);
      const double volume = one.x * one.y * one.z;
      const input::Estimate estimate = input::estimate(deck);
      const double particles = static_cast<double>(estimate.particles);
      const double solvent = std::round(volume * (one.cells == 0 ? 2.0 : 4.0));
      const int cells = static_cast<int>(std::lround((particles - solvent) / 500.0));
      const Measured m = measureSteps(deck, plan);
      const double steps = static_cast<double>(plan.steps), rate = particles * steps / m.seconds;
      fmt::print("{:>8} {:>3g}% {:>8.0f} {:>9.0f} {:>6} {:>9} {:>13} {:>10.3f} {:>9.4f} {:>8.0f}\n", one.name,
                 one.hematocrit, volume, particles, cells, nameOf(bench.precision), nameOf(bench.reproducibility),
                 1e-6 * rate, 1e3 * m.seconds / steps, m.bytesPerParticle);
      nlohmann::json record = recordOf(bench);
      record["case"] = one.name, record["hematocrit"] = one.hematocrit / 100.0, record["volume"] = volume;
      record["particles"] = static_cast<std::int64_t>(particles), record["cells"] = cells;
      record["steps"] = plan.steps, record["seconds"] = m.seconds, record["particle_steps_per_second"] = rate;
      record["rebuilds"] = m.counters.rebuilds, record["memory_bytes_per_particle"] = m.bytesPerParticle;
      records.push_back(std::move(record));
      std::fflush(stdout);
    }
  return records;
}

}  // namespace mesowarp
