// The [[thermostat]] blocks: grammar and checks.
#include <algorithm>
#include <fmt/format.h>

#include "core/shear.hpp"
#include "input/grammar/suggest.hpp"
#include "input/grammar/value.hpp"
#include "input/schema.hpp"
#include "input/species.hpp"
#include "physics/fluid/deck/fluid_blocks.hpp"
#include "physics/fluid/deck/fluid_checks.hpp"
#include "physics/group/deck/group_blocks.hpp"
#include "physics/integrate/collision_rate.hpp"
#include "physics/integrate/deck/schedule_blocks.hpp"
#include "physics/integrate/langevin_keys.hpp"
#include "physics/membrane/deck/membrane_blocks.hpp"
#include "physics/transport/deck/transport_blocks.hpp"

namespace mesowarp::fluid {

using namespace input;

namespace {

Block<OwnItem> thermostatBlock() {
  using Keys = ThermostatKeys;
  std::vector<Key<Keys>> fields{
      bind(Type::name, "population", &Keys::population).orElseNot("others").means("whose particles it acts on"),
      bind(Type::names, "species", &Keys::species)
          .orElseNot("of `population`")
          .means("instead: species whose particles it acts on, of whatever population"),
      bind(Type::name, "group", &Keys::group)
          .orElseNot("of `population`")
          .means("instead: a [[group]] whose particles it acts on"),
      choice("style", &Keys::style, {"langevin", "lowe-andersen"})
          .means("langevin: friction with a medium at rest, and its noise; momentum is not conserved; lowe-andersen: "
                 "pairs collide, and have a relative velocity of the temperature then; momentum is conserved"),
      bind(Type::number, "rate", &Keys::rate)
          .only("style", {"lowe-andersen"})
          .above(0)
          .in("1 / time")
          .need()
          .means("Gamma: of collisions of each pair within the cutoff"),
      bind(Type::number, "cutoff", &Keys::cutoff)
          .only("style", {"lowe-andersen"})
          .above(0)
          .in("length")
          .derived("the longest of the interactions")
          .means("r_T: distance up to which pairs collide"),
      bind(Type::number, "friction", &Keys::friction)
          .only("style", {"langevin"})
          .above(0)
          .in("1 / time")
          .need()
          .means("gamma: velocities decay as exp(-gamma t), and a particle alone diffuses with k_BT / (m gamma)"),
      bind(Type::number, "temperature", &Keys::temperature)
          .from(0)
          .in("energy")
          .derived("run.temperature")
          .means("k_BT"),
      bind(Type::integer, "every", &Keys::every)
          .from(1)
          .to(1e6)
          .in("steps")
          .means(
              "between two kicks, each of which makes up for all of them; gamma every timestep must be far below 1; of "
              "lowe-andersen between rounds of collisions")};
  BlockInfo info{ThermostatKeys::block, true, false, "",
                 "What keeps a population, some species or a group at a temperature, beside what pair forces do."};
  info.owner = &fluidBlocks();
  return ownList<Keys>(std::move(info), std::move(fields));
}

// A thermostat knows a particle by its species.
void checkSpeciesOf(const Deck& deck, const Population& held, const std::string& path, Report& report) {
  for (const std::string& species : speciesOf(held))
    for (const Population& other : deck.populations) {
      const auto theirs = speciesOf(other);
      if (other.name == held.name || std::find(theirs.begin(), theirs.end(), species) == theirs.end()) continue;
      return report.error(path, fmt::format("species {} of population {} is of {} too: give one of them another "
                                            "species, so that the thermostat knows whom it acts on",
                                            quoted(species), quoted(held.name), quoted(other.name)));
    }
}

// Of thermostat k: its species are there, move, and have no other.
void checkHeld(const Deck& deck, std::size_t k, Report& report) {
  const auto all = thermostatsOf(deck);
  const std::string block = fmt::format("{}.{}", ThermostatKeys::block, k),
                    path = block + (!all[k].group.empty()    ? ".group"
                                    : all[k].species.empty() ? ".population"
                                                             : ".species");
  if (!all[k].group.empty() && !group::checkGroup(deck, all[k].group, path, report)) return;
  for (const std::string& species : all[k].species) {
    if (std::find(deck.species.begin(), deck.species.end(), species) == deck.species.end() || !isOurs(deck, species))
      report.error(path, fmt::format("no population of particles in a box has the species {}{}", quoted(species),
                                     suggestion(species, deck.species)));
    else if (isFrozen(deck, species))
      report.error(path, fmt::format("species {} is frozen, and has no temperature", quoted(species)));
  }
  for (std::size_t j = 0; j < k; ++j) {
    if (!all[k].group.empty() && !all[j].group.empty()) {  // whether they share particles is known at the start
      if (all[k].group != all[j].group) continue;
      return report.error(path, fmt::format("group {} has another thermostat already", quoted(all[k].group)));
    }
    for (const std::string& species : heldBy(all[k], deck)) {
      const auto theirs = heldBy(all[j], deck);
      if (std::find(theirs.begin(), theirs.end(), species) == theirs.end()) continue;
      const bool whole = !all[k].population.empty() && all[j].population == all[k].population;
      return report.error(path,
                          whole ? fmt::format("population {} has another thermostat already", quoted(all[k].population))
                                : fmt::format("species {} has another thermostat already, in line {}", quoted(species),
                                              itemsOf(deck, ThermostatKeys::block)[j].where.line));
    }
  }
}

// What pairs exchange is in the pressure of the steps in which they do, for all the steps between.
void warnOfPressure(const Deck& deck, const ThermostatKeys& keys, const std::string& block, Report& report) {
  const auto look = [&](const std::vector<std::string>& columns, std::int64_t every, const std::string& path) {
    const auto pressure =
        std::find_if(columns.begin(), columns.end(), [](const auto& column) { return column.starts_with("pressure"); });
    if (pressure != columns.end() && every % keys.every != 0)
      report.warning(path, fmt::format("pairs of the [[thermostat]] exchange momentum every {} steps, and {} of the "
                                       "steps between lacks it, so its mean is wrong: take a multiple of {} as every "
                                       "here, or {}.every = 1",
                                       keys.every, *pressure, keys.every, block));
  };
  for (std::size_t k = 0; k < deck.outputs.size(); ++k)
    if (deck.outputs[k].format == OutputFormat::table)
      look(deck.outputs[k].columns, deck.outputs[k].every, fmt::format("output.{}.columns", k));
  for (std::size_t k = 0; k < deck.measures.size(); ++k)
    look(deck.measures[k].columns, deck.measures[k].every, fmt::format("measure.{}.columns", k));
}

// Pairs of a thermostat of pairs, as many particles as there may be.
void checkCollisions(const Deck& deck, const ThermostatKeys& keys, const std::string& block, Report& report) {
  if (deck.own.get<Shear>().on)
    report.error(block, "style = \"lowe-andersen\" does not go with [shear] yet: take a [[interaction]] of style "
                        "\"dpd-thermostat\", or leave [shear] out");
  for (std::size_t m = 0; m < deck.measures.size(); ++m) {
    const Measure& measure = deck.measures[m];
    if (measure.style == MeasureStyle::viscosity && measure.every != 1)
      report.error(fmt::format("measure.{}.every", m), "what pairs of the [[thermostat]] exchange is new in each step, "
                                                       "so each counts: take every = 1");
    if (keys.every == 1) continue;
    const auto& quantities = measure.quantities;
    const bool viscosity = measure.style == MeasureStyle::viscosity,
               stress = std::find(quantities.begin(), quantities.end(), "stress") != quantities.end();
    if (viscosity || stress)
      report.error(fmt::format("measure.{}.{}", m, viscosity ? "style" : "quantities"),
                   fmt::format("pairs of the [[thermostat]] exchange momentum every {} steps, and the stress of the "
                               "steps between would lack it: set {}.every = 1",
                               keys.every, block));
  }
  if (keys.every > 1) warnOfPressure(deck, keys, block, report);
  if (const double longest = largestCutoff(deck); keys.cutoff > longest * (1.0 + 1e-12))
    report.error(block + ".cutoff",
                 fmt::format("cutoff = {} is beyond the longest of the interactions, {:.6g}, to which pairs are known: "
                             "take up to that",
                             keys.cutoff, longest));
  const auto held = heldBy(keys, deck);
  double particles = 0.0, volume = 1.0;
  for (const double edge : deck.box.size) volume *= edge;
  for (const Population& p : deck.populations) {
    const auto theirs = speciesOf(p);
    if (isOurs(p) && std::any_of(theirs.begin(), theirs.end(), [&](const std::string& species) {
          return std::find(held.begin(), held.end(), species) != held.end();
        }))
      particles += static_cast<double>(particleCount(p, deck.box));
  }
  const double time = deck.run.timestep * static_cast<double>(keys.every);
  const double mine = collisionsOf(keys, time, particles / volume);
  if (mine > mostCollisions)
    report.error(
        block + ".rate",
        fmt::format("each particle would have {:.3g} collisions {}, and can have {:.3g}: lower rate to {:.2g}, "
                    "or cutoff, {}",
                    mine, keys.every == 1 ? "a step" : fmt::format("every {} steps", keys.every), mostCollisions,
                    keys.rate * mostCollisions / mine, keys.every == 1 ? "or run.timestep" : "or every"));
}

void checkKicks(const Deck& deck, std::size_t k, Report& report) {
  const ThermostatKeys keys = thermostatsOf(deck)[k];
  const std::string block = fmt::format("{}.{}", ThermostatKeys::block, k);
  if (keys.ofPairs()) return checkCollisions(deck, keys, block, report);
  if (deck.own.get<Shear>().on) report.error(block, "a medium at rest does not go with [shear]: leave one of them out");
  const double decay = keys.friction * deck.run.timestep * static_cast<double>(keys.every);
  if (decay > 0.2)
    report.warning(isGiven(deck, block + ".every") ? block + ".every" : block + ".friction",
                   fmt::format("friction times the time between two kicks is {:.3g}: above 0.2 forces and friction "
                               "come too far apart",
                               decay));
}

}  // namespace

std::vector<const Block<OwnItem>*> FluidBlocks::ownLists() const {
  static const Block<OwnItem> thermostat = thermostatBlock(), species = speciesBlock(), schedule = scheduleBlock();
  std::vector<const Block<OwnItem>*> lists{&species};
  for (const auto* list : transport::ownLists(*this)) lists.push_back(list);
  lists.push_back(&thermostat), lists.push_back(&schedule), lists.push_back(&inflowBlock());
  for (const auto* list : membrane::ownLists(*this)) lists.push_back(list);
  for (const auto* list : group::ownLists(*this)) lists.push_back(list);
  return lists;
}

void completeThermostats(BlocksRead& read) {
  const auto it = read.deck.lists.find(ThermostatKeys::block);
  if (it == read.deck.lists.end()) return;
  for (OwnItem& item : it->second) {
    auto& keys = item.own.get<ThermostatKeys>();
    if (keys.temperature < 0.0) keys.temperature = read.deck.run.temperature;
    if (keys.cutoff < 0.0) keys.cutoff = largestCutoff(read.deck);
  }
}

void checkThermostatRates(const Deck& deck, Report& report) {
  for (std::size_t k = 0; k < thermostatsOf(deck).size(); ++k) checkKicks(deck, k, report);
}

void checkThermostats(const Deck& deck, Report& report) {
  std::vector<std::string> names;
  for (const Population& p : deck.populations)
    if (isOurs(p)) names.push_back(p.name);
  const auto all = thermostatsOf(deck);
  for (std::size_t k = 0; k < all.size(); ++k) {
    const std::string block = fmt::format("{}.{}", ThermostatKeys::block, k), path = block + ".population";
    if (!all[k].population.empty() + !all[k].species.empty() + !all[k].group.empty() != 1) {
      report.error(block, "a [[thermostat]] acts on a population, on some species or on a group: give one of these");
      continue;
    }
    checkHeld(deck, k, report);
    checkKicks(deck, k, report);
    if (all[k].population.empty()) continue;
    const auto it = std::find_if(deck.populations.begin(), deck.populations.end(),
                                 [&](const Population& p) { return p.name == all[k].population && isOurs(p); });
    if (it == deck.populations.end()) {
      report.error(path, fmt::format("there is no population {} of particles in a box{}", quoted(all[k].population),
                                     suggestion(all[k].population, names)));
      continue;
    }
    if (it->frozen)
      report.error(path, fmt::format("population {} is frozen, and has no temperature", quoted(it->name)));
    checkSpeciesOf(deck, *it, path, report);
  }
}

}  // namespace mesowarp::fluid
