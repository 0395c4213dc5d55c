#include "physics/nbody/deck/body_blocks.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "input/complete.hpp"
#include "input/differences.hpp"
#include "physics/nbody/deck/body_deck.hpp"

namespace mesowarp::nbody {
namespace {

using namespace input;

bool startsWith(const std::string& text, const char* front) { return text.rfind(front, 0) == 0; }

// Of total_mass and mass one follows from the other; both may be given, as in a resolved deck, if they agree.
void completeMass(Deck& deck, std::size_t k, Report& report) {
  Population& p = deck.populations[k];
  const double total = keysOf(p).total_mass;
  if (!(total > 0.0) || p.count == 0) return;
  const double each = total / static_cast<double>(p.count);
  if (isGiven(deck, fmt::format("population.{}.mass", k)) && std::abs(p.mass - each) > 1e-9 * each)
    report.error(fmt::format("population.{}.total_mass", k),
                 fmt::format("total_mass = {} of {} bodies makes {:.9g} each, but mass is {}: give one of the two",
                             total, p.count, each, p.mass));
  p.mass = each;
}

// The file of exclusions is named from the deck's folder.
void completeFiles(Deck& deck) {
  for (std::size_t k = 0; k < deck.populations.size(); ++k)
    if (std::string& file = deck.populations[k].own.get<BodyKeys>().exclusions; !file.empty())
      nameFile(deck, fmt::format("population.{}.exclusions", k), file, true);
}

}  // namespace

Scheme schemeOf(const Integrator& integrator) {
  const std::string& style = integrator.style;
  return style == SchemeStyle::leapfrog       ? Scheme::leapfrog
         : style == SchemeStyle::langevin     ? Scheme::langevin
         : style == SchemeStyle::hermite      ? Scheme::hermite
         : style == SchemeStyle::hermiteBlock ? Scheme::hermite_block
                                              : Scheme::velocity_verlet;
}

const BodyBlocks& bodyBlocks() {
  static const BodyBlocks blocks;
  return blocks;
}

bool BodyBlocks::takes(const std::string& block) const {
  static const std::vector<std::string> ofBoxes{"box",   "neighbor", "sums",  "parallel", "bond",    "boundary",
                                                "shape", "wall",     "drive", "measure",  "schedule"};
  return std::find(ofBoxes.begin(), ofBoxes.end(), block) == ofBoxes.end();
}

std::vector<std::string> BodyBlocks::initials() const { return {InitialBodies::plummer, InitialBodies::sphere}; }
std::vector<std::string> BodyBlocks::interactions() const { return {LawStyle::gravity, LawStyle::ljCoulomb}; }

std::string BodyBlocks::refusesIntegrator(const std::string& style) const {
  if (style != IntegratorStyle::groot_warren) return {};
  return "style = \"groot-warren\" is not for bodies: their forces do not depend on velocities";
}

std::vector<std::string> BodyBlocks::ownColumns() const {
  return {"angular_momentum_x", "angular_momentum_y", "angular_momentum_z", "virial_ratio"};
}

bool BodyBlocks::lacksColumn(const std::string& column) const {
  return startsWith(column, "pressure") || startsWith(column, "net_force") || startsWith(column, "mass_flow") ||
         startsWith(column, "box_") || column == "rebuilds" || column == "volume" || column == "surface_tension";
}

std::vector<std::string> BodyBlocks::usualColumns() const {
  return {"time",       "total_energy", "kinetic_energy",     "potential_energy",   "virial_ratio",       "momentum_x",
          "momentum_y", "momentum_z",   "angular_momentum_x", "angular_momentum_y", "angular_momentum_z", "wall_time"};
}

std::vector<std::pair<std::string, std::string>> BodyBlocks::headlines() const {
  return {{"temperature", "temperature"}, {"total_energy", "energy"}, {"virial_ratio", "virial ratio"}};
}

void BodyBlocks::complete(BlocksRead& read) const {
  Deck& deck = read.deck;
  Report report(deck);
  completeFiles(deck);
  for (std::size_t k = 0; k < deck.populations.size(); ++k) completeMass(deck, k, report);
  if (!isGiven(deck, "nbody.accumulator")) {
    const Accumulator usual[] = {Accumulator::single, Accumulator::takahashi_iitaka, Accumulator::double_};
    deck.own.get<NbodyBlock>().accumulator = deck.run.reproducibility == Reproducibility::bitwise
                                                 ? Accumulator::narumi
                                                 : usual[static_cast<int>(deck.run.precision)];
  }
  for (auto& diagnostic : report.diagnostics()) read.diagnostics.push_back(std::move(diagnostic));
}

// Under gravity they start cold.
double BodyBlocks::usualTemperature(const Deck& deck, const Population&) const {
  const bool gravity = !deck.interactions.empty() && deck.interactions.front().style == LawStyle::gravity;
  return gravity ? 0.0 : deck.run.temperature;
}

// Every body sees all others. Interactions a second of one core with AVX2; 24 bytes each of position, velocity, force
// and jerk (kept twice), 96 of what laws read, mass, charge, times.
Estimate BodyBlocks::estimate(const Deck& deck, std::int64_t bodies, double) const {
  constexpr double interactionsPerSecond = 5e8, bytes = 6.0 * 24.0 + 96.0 + 48.0 + 48.0;
  const double n = static_cast<double>(bodies);
  Estimate result;
  result.pairsPerParticle = result.listedPerParticle = std::max(0.0, n - 1.0);
  result.memoryBytes = n * bytes;
  result.checkpointBytes = n * (4.0 * 24.0 + 4.0 + 8.0);
  result.secondsPerStep = n * n / interactionsPerSecond * (deck.run.precision == Precision::single ? 1.0 : 2.5);
  return result;
}

bool BodyBlocks::keepsEnergy(const Deck& deck) const { return deck.integrator.style != SchemeStyle::langevin; }
bool BodyBlocks::keepsMomentum(const Deck& deck) const { return deck.integrator.style != SchemeStyle::langevin; }

// What is stored between steps depends on it.
void BodyBlocks::integratorDifference(const Deck& then, const Deck& now, Differences& differences) const {
  if (then.integrator.style != now.integrator.style)
    differences.add("integrator", "another integrator");
  else if (now.integrator.style == SchemeStyle::hermiteBlock)
    differences.same("integrator.levels", "bodies' steps are counted in other units (integrator.levels)",
                     keysOf(then.integrator).levels, keysOf(now.integrator).levels);
}

// Of bodies the checkpoint has these, and the deck would not tell.
void BodyBlocks::populationDifference(const Deck& then, const Deck& now, std::size_t k,
                                      Differences& differences) const {
  const BodyKeys &before = keysOf(then.populations[k]), &here = keysOf(now.populations[k]);
  const std::string path = fmt::format("population.{}", k);
  differences.same(path + ".total_mass", "another mass", before.total_mass, here.total_mass);
  differences.same(path + ".charge", "another charge", before.charge, here.charge);
  differences.same(path + ".exclusions", "exclusions where there were none, or none where there were",
                   !before.exclusions.empty(), !here.exclusions.empty());
}

}  // namespace mesowarp::nbody
