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
#include "physics/integrate/langevin_keys.hpp"
#include "physics/membrane/deck/membrane_blocks.hpp"
#include "physics/transport/deck/transport_blocks.hpp"

namespace mesowarp::fluid {

using namespace input;

namespace {

Block<OwnItem> thermostatBlock() {
  using Keys = ThermostatKeys;
  std::vector<Key<Keys>> fields{
      bind(Type::name, "population", &Keys::population).orElseNot("from `species`").means("whose particles it acts on"),
      bind(Type::names, "species", &Keys::species)
          .orElseNot("from `population`")
          .means("instead: species whose particles it acts on, of whatever population"),
      choice("style", &Keys::style, {"langevin"})
          .means("langevin: friction with a medium at rest, and its noise; momentum is not conserved"),
      bind(Type::number, "friction", &Keys::friction)
          .above(0)
          .in("1 / time")
          .need()
          .means("gamma: velocities decay as exp(-gamma t), and a particle alone diffuses with k_BT / (m gamma)"),
      bind(Type::number, "temperature", &Keys::temperature)
          .from(0)
          .in("energy")
          .derived("run.temperature")
          .means("k_BT of the medium"),
      bind(Type::integer, "every", &Keys::every)
          .from(1)
          .to(1e6)
          .in("steps")
          .means(
              "between two kicks, each of which makes up for all of them; gamma every timestep must be far below 1")};
  BlockInfo info{ThermostatKeys::block, true, false, "",
                 "What keeps a population, or some species, at a temperature, beside what pair forces do."};
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
                    path = block + (all[k].species.empty() ? ".population" : ".species");
  for (const std::string& species : all[k].species) {
    if (std::find(deck.species.begin(), deck.species.end(), species) == deck.species.end() || !isOurs(deck, species))
      report.error(path, fmt::format("no population of particles in a box has the species {}{}", quoted(species),
                                     suggestion(species, deck.species)));
    else if (isFrozen(deck, species))
      report.error(path, fmt::format("species {} is frozen, and has no temperature", quoted(species)));
  }
  for (std::size_t j = 0; j < k; ++j)
    for (const std::string& species : heldBy(all[k], deck)) {
      const auto theirs = heldBy(all[j], deck);
      if (std::find(theirs.begin(), theirs.end(), species) == theirs.end()) continue;
      const bool whole = all[k].species.empty() && all[j].population == all[k].population;
      return report.error(path,
                          whole ? fmt::format("population {} has another thermostat already", quoted(all[k].population))
                                : fmt::format("species {} has another thermostat already, in line {}", quoted(species),
                                              itemsOf(deck, ThermostatKeys::block)[j].where.line));
    }
}

void checkKicks(const Deck& deck, std::size_t k, Report& report) {
  const ThermostatKeys keys = thermostatsOf(deck)[k];
  const std::string block = fmt::format("{}.{}", ThermostatKeys::block, k);
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
  }
}

void checkThermostats(const Deck& deck, Report& report) {
  std::vector<std::string> names;
  for (const Population& p : deck.populations)
    if (isOurs(p)) names.push_back(p.name);
  const auto all = thermostatsOf(deck);
  for (std::size_t k = 0; k < all.size(); ++k) {
    const std::string block = fmt::format("{}.{}", ThermostatKeys::block, k), path = block + ".population";
    if (all[k].population.empty() == all[k].species.empty()) {
      report.error(block, "a [[thermostat]] acts on a population or on some species: give one of the two");
      continue;
    }
    checkHeld(deck, k, report);
    checkKicks(deck, k, report);
    if (!all[k].species.empty()) continue;
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
