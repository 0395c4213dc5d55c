#include "input/species.hpp"

#include <algorithm>

#include "input/molecules/reach_ever.hpp"

namespace mesowarp::input {
namespace {

void addOnce(std::vector<std::string>& list, const std::string& name) {
  if (!name.empty() && std::find(list.begin(), list.end(), name) == list.end()) list.push_back(name);
}

bool matches(const std::string& pattern, const std::string& name) { return pattern == "*" || pattern == name; }

std::string letterSpecies(const Population& polymer, char letter) {
  const auto it = polymer.letters.find(letter);
  return it == polymer.letters.end() ? std::string(1, letter) : it->second;
}

}  // namespace

std::vector<std::string> beadSpecies(const Population& polymer) {
  std::vector<std::string> beads;
  beads.reserve(polymer.blocks.size());
  for (const char letter : polymer.blocks) beads.push_back(letterSpecies(polymer, letter));
  return beads;
}

std::vector<std::string> speciesOf(const Population& population) {
  std::vector<std::string> species;
  addOnce(species, population.species);
  std::string seen;
  for (const char letter : population.blocks) {
    if (seen.find(letter) != std::string::npos) continue;
    seen += letter;
    addOnce(species, letterSpecies(population, letter));
  }
  for (const auto& type : population.types) addOnce(species, type);
  return species;
}

std::vector<std::string> speciesOf(const std::vector<Population>& populations) {
  std::vector<std::string> species;
  for (const auto& population : populations)
    for (const auto& name : speciesOf(population)) addOnce(species, name);
  return species;
}

const Interaction* pairInteraction(const Deck& deck, const std::string& a, const std::string& b) {
  for (auto it = deck.interactions.rbegin(); it != deck.interactions.rend(); ++it) {
    const auto& [first, second] = it->between;
    if ((matches(first, a) && matches(second, b)) || (matches(first, b) && matches(second, a))) return &*it;
  }
  return nullptr;
}

std::vector<const Interaction*> interactionsOf(const Deck& deck, const std::string& a, const std::string& b) {
  std::vector<const Interaction*> all;
  for (const auto& interaction : deck.interactions) {
    const auto& [first, second] = interaction.between;
    if (!(matches(first, a) && matches(second, b)) && !(matches(first, b) && matches(second, a))) continue;
    const std::string family = familyOf(interaction);
    std::erase_if(all, [&](const Interaction* other) { return familyOf(*other) == family; });
    all.push_back(&interaction);
  }
  return all;
}

const Interaction* dpdInteraction(const Deck& deck, const std::string& a, const std::string& b) {
  for (const Interaction* interaction : interactionsOf(deck, a, b))
    if (hasDpdNoise(*interaction)) return interaction;
  return nullptr;
}

bool anyBetweenMolecules(const Deck& deck) {
  return std::any_of(deck.interactions.begin(), deck.interactions.end(),
                     [](const Interaction& interaction) { return betweenMolecules(interaction); });
}

double reachOf(const Interaction& interaction) {
  return std::max({interaction.cutoff, interaction.further, interaction.own.get<CutoffEver>().cutoff});
}

double largestCutoff(const Deck& deck) {
  double acting = 0.0, any = 0.0;
  for (const auto& interaction : deck.interactions) any = std::max(any, reachOf(interaction));
  for (std::size_t i = 0; i < deck.species.size(); ++i)
    for (std::size_t j = i; j < deck.species.size(); ++j)
      for (const Interaction* interaction : interactionsOf(deck, deck.species[i], deck.species[j]))
        acting = std::max(acting, reachOf(*interaction));
  return acting > 0.0 ? acting : any;
}

const SpeciesKeys* speciesKeys(const Deck& deck, const std::string& species) {
  for (const OwnItem& item : itemsOf(deck, SpeciesKeys::block))
    if (const auto& keys = item.own.get<SpeciesKeys>(); keys.name == species) return &keys;
  return nullptr;
}

bool isFrozen(const Deck& deck, const std::string& species) {
  if (const SpeciesKeys* own = speciesKeys(deck, species); own && own->frozen) return true;
  return std::any_of(deck.populations.begin(), deck.populations.end(), [&](const Population& p) {
    if (!p.frozen) return false;
    const auto all = speciesOf(p);
    return std::find(all.begin(), all.end(), species) != all.end();
  });
}

double massOf(const Deck& deck, const std::string& species) {
  if (const SpeciesKeys* own = speciesKeys(deck, species); own && own->mass > 0.0) return own->mass;
  for (const auto& population : deck.populations) {
    const auto all = speciesOf(population);
    if (std::find(all.begin(), all.end(), species) != all.end()) return population.mass;
  }
  return 1.0;
}

std::array<double, 2> massesOf(const Deck& deck, const Population& population, const std::vector<std::string>& named) {
  std::array<double, 2> masses{0.0, 0.0};
  for (const std::string& species : speciesOf(population)) {
    const auto isNamed = [&](const std::string& name) { return name == "*" || name == species; };
    if (!named.empty() && std::none_of(named.begin(), named.end(), isNamed)) continue;
    const double mass = massOf(deck, species);
    masses = {masses[0] > 0.0 ? std::min(masses[0], mass) : mass, std::max(masses[1], mass)};
  }
  return masses[0] > 0.0 ? masses : std::array<double, 2>{population.mass, population.mass};
}

}  // namespace mesowarp::input
