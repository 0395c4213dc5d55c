// Whether a deck's transport can run, and whether it should.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/shear.hpp"
#include "input/estimate.hpp"
#include "input/grammar/suggest.hpp"
#include "input/grammar/value.hpp"
#include "input/species.hpp"
#include "physics/integrate/box/box_keys.hpp"
#include "physics/integrate/schedule.hpp"
#include "physics/transport/deck/transport_blocks.hpp"
#include "physics/transport/deck/transport_deck.hpp"
#include "physics/transport/deck/wall_concentrations.hpp"

namespace mesowarp::transport {

using namespace input;

namespace {

constexpr double halfTurn = 3.14159265358979323846;

class Checks {
public:
  Checks(const Deck& deck, Report& report) : deck_(deck), report_(report), transport_(transportOf(deck)) {}

  void all() {
    if (!hasTransport(deck_)) return refuseWithoutFluxes();
    if (!solutes()) return;
    fluxes(), populations(), randomFlux(), sums();
    reactions(), sources(), initial();
    stiff();
    checkWallConcentrations(deck_, report_);
  }
  // What is too fast for the time step.
  void stiff() {
    stiffFluxes();
    for (const auto& [text, reaction] : reactionsOf(deck_)) stiffReaction(text, reaction);
    stiffSources();
  }

private:
  std::size_t count() const { return transport_.solutes.size(); }

  void refuseWithoutFluxes() {
    for (const char* block : {"transport", "source.0", "concentration.0", "wall_concentration.0"})
      if (isGiven(deck_, block)) {
        report_.error(block, "no [[interaction]] of this deck is of style = \"tdpd\", so nothing carries solutes: make "
                             "the fluid's \"tdpd\", or leave the block out");
      }
    for (std::size_t k = 0; k < deck_.populations.size(); ++k)
      if (!deck_.populations[k].own.get<SoluteKeys>().concentration.empty())
        report_.error(fmt::format("population.{}.concentration", k),
                      "no [[interaction]] of this deck is of style = \"tdpd\", so nothing carries solutes");
    for (std::size_t k = 0; k < deck_.outputs.size(); ++k) {
      refuseWord(fmt::format("output.{}.columns", k), deck_.outputs[k].columns, "solutes");
      refuseWord(fmt::format("output.{}.fields", k), deck_.outputs[k].fields, "concentration");
    }
    for (std::size_t k = 0; k < deck_.measures.size(); ++k) {
      refuseWord(fmt::format("measure.{}.quantities", k), deck_.measures[k].quantities, "concentration");
      refuseWord(fmt::format("measure.{}.columns", k), deck_.measures[k].columns, "solutes");
    }
  }
  void refuseWord(const std::string& path, const std::vector<std::string>& words, const std::string& word) {
    if (std::find(words.begin(), words.end(), word) != words.end())
      report_.error(path,
                    fmt::format("{} is of style = \"tdpd\", which no [[interaction]] of this deck has: leave it out",
                                quoted(word)));
  }

  bool solutes() {
    if (count() == 0) {
      report_.error(isGiven(deck_, "transport") ? "transport.solutes" : firstFlux(),
                    "style = \"tdpd\" needs to know what is dissolved: [transport] with solutes = [\"oxygen\"]");
      return false;
    }
    if (count() > static_cast<std::size_t>(mostSolutes)) {
      report_.error("transport.solutes", fmt::format("there are {} solutes: at most {}", count(), mostSolutes));
      return false;
    }
    for (std::size_t k = 1; k < count(); ++k)
      if (std::find(transport_.solutes.begin(), transport_.solutes.begin() + static_cast<std::ptrdiff_t>(k),
                    transport_.solutes[k]) != transport_.solutes.begin() + static_cast<std::ptrdiff_t>(k))
        report_.error("transport.solutes", fmt::format("{} stands there twice", quoted(transport_.solutes[k])));
    return true;
  }
  std::string firstFlux() const {
    for (std::size_t k = 0; k < deck_.interactions.size(); ++k)
      if (isTransport(deck_.interactions[k])) return fmt::format("interaction.{}.style", k);
    return "interaction";
  }

  void lengthOf(const std::string& path, const std::vector<double>& list) {
    if (list.size() > 1 && list.size() != count())
      report_.error(path, fmt::format("there are {} numbers for {} solutes: give one for each, or one for all",
                                      list.size(), count()));
  }

  void fluxes() {
    for (std::size_t k = 0; k < deck_.interactions.size(); ++k) {
      const Interaction& i = deck_.interactions[k];
      if (isTransport(i)) lengthOf(fmt::format("interaction.{}.kappa", k), i.own.get<FluxKeys>().kappa);
    }
    if (deck_.run.pair_noise == PairNoise::multiply)
      report_.error("run.pair_noise",
                    "pair_noise = \"multiply\" is of style = \"dpd\" alone: leave it out with \"tdpd\"");
  }

  // A particle's concentration goes to its neighbours' at the rate kappa rho int w_DC d^3r; a mode in which neighbours
  // are opposite decays twice as fast, and is unstable from dt rate = 1 on.
  void stiffFluxes() {
    const double density = transport_.density, dt = deck_.run.timestep;
    for (std::size_t k = 0; k < deck_.interactions.size(); ++k) {
      const Interaction& i = deck_.interactions[k];
      if (!isTransport(i)) continue;
      const auto& keys = i.own.get<FluxKeys>();
      double largest = 0.0;
      for (std::size_t s = 0; s < count(); ++s) largest = std::max(largest, numberOf(keys.kappa, s));
      const double rate = largest * density * 4.0 * halfTurn * weightIntegral(2, keys.exponent, keys.cutoff);
      const std::string path = fmt::format("interaction.{}.kappa", k);
      if (rate * dt >= 1.0)
        report_.error(path, fmt::format("kappa = {} moves {:.3g} of a particle's concentration to its neighbours in a "
                                        "step, and from 1 on the fluxes are unstable: lower run.timestep below {:.2g}, "
                                        "or kappa below {:.3g}",
                                        largest, rate * dt, 1.0 / rate, largest / (rate * dt)));
      else if (rate * dt > 0.3)
        report_.warning(path, fmt::format("kappa = {} moves {:.0f}% of a particle's concentration to its neighbours in "
                                          "a step: run.timestep of at most {:.2g} is advised",
                                          largest, 100.0 * rate * dt, 0.3 / rate));
    }
  }

  void populations() {
    for (std::size_t k = 0; k < deck_.populations.size(); ++k) {
      const auto& list = deck_.populations[k].own.get<SoluteKeys>().concentration;
      const std::string path = fmt::format("population.{}.concentration", k);
      lengthOf(path, list);
      for (std::size_t other = 0; other < k; ++other)
        for (const auto& species : speciesOf(deck_.populations[k])) {
          const auto of = speciesOf(deck_.populations[other]);
          if (std::find(of.begin(), of.end(), species) == of.end() ||
              deck_.populations[other].own.get<SoluteKeys>().concentration == list)
            continue;
          report_.error(path, fmt::format("species {} begins with another concentration in population {}: give one of "
                                          "them a species of its own, or use [[concentration]] with a region",
                                          quoted(species), quoted(deck_.populations[other].name)));
        }
    }
  }

  void randomFlux() {
    lengthOf("transport.solute_mass", transport_.soluteMass);
    if (!transport_.randomFlux) {
      if (!transport_.soluteMass.empty())
        report_.warning("transport.solute_mass", "solute_mass does nothing without random_flux = true");
      return;
    }
    if (transport_.soluteMass.empty())
      report_.error("transport.random_flux", "random_flux needs solute_mass: m_s, in masses of a particle");
    if (!(transport_.density > 0.0))
      report_.error("transport.random_flux", "how many particles there are is known only when the run starts, for a "
                                             "file, walls or cells decide on that: give transport.density, the number "
                                             "of particles per volume");
    if (changesBox(deck_))
      report_.warning("transport.random_flux",
                      fmt::format("the box changes its volume, and rho of the random flux stays {:.6g}, that of the "
                                  "start: its amplitude goes with the root of rho; give transport.density, the mean "
                                  "over the run, or leave random_flux out",
                                  transport_.density));
  }

  void sums() {
    using input::Accumulator;
    const Accumulator a = deck_.sums.accumulator;
    if (a != Accumulator::single && a != Accumulator::double_ && a != Accumulator::narumi)
      report_.error("sums.accumulator", "style = \"tdpd\" takes accumulator = \"single\", \"double\" or \"narumi\"");
  }

  void reactions() {
    if (transport_.reactions.size() > static_cast<std::size_t>(mostReactions))
      report_.error("transport.reactions",
                    fmt::format("there are {} reactions: at most {}", transport_.reactions.size(), mostReactions));
    for (const auto& text : transport_.reactions) {
      Reaction reaction;
      const std::string wrong = readReaction(text, transport_.solutes, reaction);
      if (!wrong.empty()) report_.error("transport.reactions", fmt::format("the reaction {}: {}", quoted(text), wrong));
    }
  }

  // The rate at which a reactant is used up, at the largest concentration of the start or of a wall.
  void stiffReaction(const std::string& text, const Reaction& reaction) {
    int order = 0, most = 0;
    for (const auto& [solute, number] : reaction.reactants) order += number, most = std::max(most, number);
    double largest = largestConcentration(deck_);
    for (const auto& wall : wallConcentrationsOf(deck_)) largest = std::max(largest, wall.value);
    const double rate = most * reaction.rate * std::pow(largest, std::max(0, order - 1));
    if (order > 0 && rate * deck_.run.timestep > mostDecay)
      report_.warning("transport.reactions",
                      fmt::format("the reaction {}, whose rate is {:.6g}, may use up {:.0f}% of a reactant in a step: "
                                  "run.timestep of at most {:.2g} is advised",
                                  quoted(text), reaction.rate, 100.0 * rate * deck_.run.timestep, mostDecay / rate));
  }

  void nameOf(const std::string& path, const std::string& solute, const std::string& species) {
    if (std::find(transport_.solutes.begin(), transport_.solutes.end(), solute) == transport_.solutes.end())
      report_.error(path + ".solute", fmt::format("{} is none of transport.solutes{}", quoted(solute),
                                                  suggestion(solute, transport_.solutes)));
    if (!species.empty() && std::find(deck_.species.begin(), deck_.species.end(), species) == deck_.species.end())
      report_.error(path + ".species", fmt::format("no population has the species {}{}", quoted(species),
                                                   suggestion(species, deck_.species)));
  }

  void region(const std::string& path, const FilledRegion& region) {
    for (std::size_t c = 0; c < 3 && region.shape == Shape::box; ++c)
      if (!(region.low[c] < region.high[c]) || region.high[c] <= 0.0 || region.low[c] >= deck_.box.size[c])
        return report_.error(path + ".high",
                             fmt::format("the region has no volume in the box: along {} it goes from {} to {}, the box "
                                         "from 0 to {}",
                                         "xyz"[c], region.low[c], region.high[c], deck_.box.size[c]));
    for (std::size_t c = 0; c < 3 && region.shape >= Shape::sphere; ++c) {
      if (region.shape == Shape::cylinder && static_cast<int>(c) == region.axis) continue;
      if (region.center[c] < 0.0 || region.center[c] > deck_.box.size[c])
        return report_.error(path + ".center", fmt::format("center along {} is {}, and the box goes from 0 to {}",
                                                           "xyz"[c], region.center[c], deck_.box.size[c]));
      const double room = std::min(region.center[c], deck_.box.size[c] - region.center[c]);
      if (const Shear shear = deck_.own.get<Shear>();
          shear.on && shear.gradient == static_cast<int>(c) && region.radius > room)
        return report_.error(path + ".radius", fmt::format("the region reaches {:.4g} beyond a face along {}, whose "
                                                           "images slide in a sheared box: move its center, or make "
                                                           "it smaller",
                                                           region.radius - room, "xyz"[c]));
    }
  }

  void sources() {
    const auto all = sourcesOf(deck_);
    if (all.size() > static_cast<std::size_t>(mostSources))
      report_.error("source.0", fmt::format("there are {} [[source]] blocks: at most {}", all.size(), mostSources));
    for (std::size_t k = 0; k < all.size(); ++k) {
      const std::string path = fmt::format("source.{}", k);
      nameOf(path, all[k].solute, all[k].species);
      region(path, all[k]);
      if (all[k].rate == 0.0 && all[k].linear == 0.0 && !isScheduled(deck_, path + ".rate") &&
          !isScheduled(deck_, path + ".linear"))
        report_.warning(path, "this source has no rate and does nothing");
    }
  }
  void stiffSources() {
    const auto all = sourcesOf(deck_);
    for (std::size_t k = 0; k < all.size(); ++k)
      if (const double rate = std::abs(all[k].linear), dt = deck_.run.timestep; rate * dt > mostDecay)
        report_.warning(fmt::format("source.{}.linear", k),
                        fmt::format("linear = {} changes a concentration by {:.0f}% in a step: run.timestep of at most "
                                    "{:.2g} is advised",
                                    all[k].linear, 100.0 * rate * dt, mostDecay / rate));
  }

  void initial() {
    const auto all = initialConcentrationsOf(deck_);
    for (std::size_t k = 0; k < all.size(); ++k) {
      const std::string path = fmt::format("concentration.{}", k);
      nameOf(path, all[k].solute, all[k].species);
      region(path, all[k]);
    }
  }

  static constexpr double mostDecay = 0.1;  // in a step
  const Deck& deck_;
  Report& report_;
  const TransportKeys& transport_;
};

}  // namespace

void check(const Deck& deck, Report& report) { Checks(deck, report).all(); }
void checkStiffness(const Deck& deck, Report& report) {
  if (hasTransport(deck)) Checks(deck, report).stiff();
}

}  // namespace mesowarp::transport
