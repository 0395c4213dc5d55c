// Decks of bodies.
#include <algorithm>
#include <fmt/format.h>
#include <limits>

#include "input/grammar/value.hpp"
#include "input/physics_check.hpp"
#include "physics/nbody/deck/body_blocks.hpp"
#include "physics/nbody/deck/body_deck.hpp"

namespace mesowarp::nbody {
namespace {

using namespace input;

void checkPopulation(const Deck& deck, std::size_t k, bool gravity, Report& report) {
  const Population& p = deck.populations[k];
  const BodyKeys& own = keysOf(p);
  const std::string path = fmt::format("population.{}", k), name = quoted(p.name);
  if (p.initial == StartKind::random)
    return report.error(path, fmt::format("bodies have no box to be random in: give population {} initial = "
                                          "\"plummer\", \"sphere\", \"lattice\" or \"file\"",
                                          name));
  if (p.density > 0.0) report.error(path + ".density", "bodies have no box to be dense in: give count");
  if (p.initial != StartKind::file && p.count == 0)
    report.error(path, fmt::format("population {} has no bodies: give count", name));
  if (p.initial == InitialBodies::plummer && !gravity)
    report.error(path + ".initial", "initial = \"plummer\" is an equilibrium of gravity alone");
  if (!own.exclusions.empty() && gravity)
    report.error(path + ".exclusions", "gravity knows no exclusions: they are for lj-coulomb");
  if (p.initial == InitialBodies::sphere && !gravity)
    report.warning(path + ".initial", "bodies overlap at random places, where Lennard-Jones forces have no bound: "
                                      "start from a \"lattice\" or a \"file\"");
  if (own.charge != 0.0 && (gravity || deck.own.get<ElectrostaticsBlock>().dielectric == Dielectric::none))
    report.error(path + ".charge", gravity ? "gravity knows no charges"
                                           : "there are charges, but [electrostatics] has dielectric = \"none\"");
  checkStartFile(deck, path + ".file", p.file, report);
  checkStartFile(deck, path + ".exclusions", own.exclusions, report);
}

// One law for all: gravity's constants cannot depend on the pair, and styles do not mix.
void checkForces(const Deck& deck, bool gravity, Report& report) {
  const Interaction& first = deck.interactions.front();
  for (std::size_t k = 1; k < deck.interactions.size(); ++k) {
    const Interaction& i = deck.interactions[k];
    if (i.style != first.style)
      report.error(fmt::format("interaction.{}.style", k), "gravity and lj-coulomb cannot be in one deck");
    else if (gravity &&
             (keysOf(i).constant != keysOf(first).constant || keysOf(i).softening != keysOf(first).softening))
      report.error(fmt::format("interaction.{}", k),
                   "gravity is the same between all bodies: one constant, one softening");
  }
}

void checkElectrostatics(const Deck& deck, bool gravity, Report& report) {
  const ElectrostaticsBlock& e = deck.own.get<ElectrostaticsBlock>();
  if (gravity && e.dielectric != Dielectric::none)
    report.error("electrostatics.dielectric", "[electrostatics] is for lj-coulomb, and this deck has gravity");
  if (e.dielectric != Dielectric::sigmoidal) return;
  const double leading = e.alpha != 0.0 ? e.alpha : e.beta != 0.0 ? e.beta : e.gamma;
  if (leading < 0.0)
    report.error(e.alpha != 0.0  ? "electrostatics.alpha"
                 : e.beta != 0.0 ? "electrostatics.beta"
                                 : "electrostatics.gamma",
                 "the dielectric would fall to zero at large distances, and Coulomb forces grow without bound: the "
                 "first of alpha, beta, gamma that is not zero must be positive");
}

void checkBodySums(const Deck& deck, Report& report) {
  const NbodyBlock& sums = deck.own.get<NbodyBlock>();
  const Accumulator a = sums.accumulator;
  if (!accumulatorFits(deck.run.precision, a))
    report.error("nbody.accumulator",
                 deck.run.precision == Precision::double_
                     ? "precision = \"double\" takes accumulator = \"double\" or \"narumi\", or leave it out"
                 : deck.run.precision == Precision::mixed
                     ? "precision = \"mixed\" takes accumulator = \"double-sum\", \"takahashi-iitaka\" or \"narumi\""
                     : "accumulator = \"double\" is for precision = \"double\": \"double-sum\" sums single-precision "
                       "terms in double");
  else if (deck.run.reproducibility == Reproducibility::bitwise && a != Accumulator::narumi)
    report.error("nbody.accumulator", "reproducibility = \"bitwise\" needs sums whose order cannot matter: accumulator "
                                      "= \"narumi\", or leave it out");
  if (sums.range > 0.0 && a != Accumulator::narumi && a != Accumulator::modified_nitadori)
    report.error("nbody.range", "range is for accumulator = \"narumi\" or \"modified-nitadori\"");
}

void checkSteps(const Deck& deck, bool gravity, Report& report) {
  const std::string& style = deck.integrator.style;
  if (!gravity && (style == SchemeStyle::hermite || style == SchemeStyle::hermiteBlock))
    report.error("integrator.style", "Hermite's scheme needs the jerk, which is there for gravity alone");
  if (gravity && style == SchemeStyle::langevin)
    report.error("integrator.style", "style = \"langevin\" is for lj-coulomb: stars have no thermostat");
}

}  // namespace

bool accumulatorFits(Precision precision, Accumulator accumulator) {
  if (precision == Precision::single) return accumulator != Accumulator::double_;
  if (precision == Precision::double_) return accumulator == Accumulator::double_ || accumulator == Accumulator::narumi;
  return accumulator == Accumulator::double_sum || accumulator == Accumulator::takahashi_iitaka ||
         accumulator == Accumulator::narumi;
}

void BodyBlocks::check(const Deck& deck, Report& report) const {
  if (deck.interactions.empty())
    return report.error("population.0",
                        "bodies without an [[interaction]]: give them style = \"gravity\" or \"lj-coulomb\"");
  const bool gravity = deck.interactions.front().style == LawStyle::gravity;
  constexpr std::int64_t most = std::numeric_limits<std::int32_t>::max() / 2;
  std::int64_t bodies = 0;
  for (std::size_t k = 0; k < deck.populations.size(); ++k) {
    checkPopulation(deck, k, gravity, report);
    refuseTooMany(deck, k, bodies, most, report);
  }
  checkForces(deck, gravity, report);
  checkElectrostatics(deck, gravity, report);
  checkBodySums(deck, report);
  checkSteps(deck, gravity, report);
}

}  // namespace mesowarp::nbody
