#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "input/complete.hpp"
#include "input/grammar/suggest.hpp"
#include "input/grammar/value.hpp"
#include "input/method.hpp"
#include "input/molecules/molecule_blocks.hpp"
#include "input/species.hpp"

namespace mesowarp::input {
namespace {

constexpr std::size_t mostSpecies = 64;

template <class T>
bool contains(const std::vector<T>& list, const T& item) {
  return std::find(list.begin(), list.end(), item) != list.end();
}

std::string pathOf(const char* block, std::size_t k, const char* key = "") {
  return fmt::format("{}.{}{}{}", block, k, *key ? "." : "", key);
}

std::string placeOf(const Source& where) {
  return !where.option.empty() ? where.option : fmt::format("line {}", where.line);
}

// Of interaction k, which acts between no two species: those behind it that took its pairs.
void tellReplaced(Report& report, const Deck& deck, std::size_t k, const std::vector<const Interaction*>& used) {
  std::vector<std::string> places;
  const auto& between = deck.interactions[k].between;
  const auto covers = [](const std::string& pattern, const std::string& name) {
    return pattern == "*" || name == "*" || pattern == name;
  };
  for (std::size_t later = k + 1; later < deck.interactions.size(); ++later) {
    const auto& [a, b] = deck.interactions[later].between;
    const bool same =
        (covers(a, between[0]) && covers(b, between[1])) || (covers(a, between[1]) && covers(b, between[0]));
    if (same && familyOf(deck.interactions[later]) == familyOf(deck.interactions[k]) &&
        contains(used, &deck.interactions[later]))
      places.push_back(placeOf(deck.interactions[later].where));
  }
  if (places.empty()) return;  // there are no species yet
  report.warning(
      pathOf("interaction", k),
      fmt::format(
          "this interaction, in {}, has no effect: for the same species a later [[interaction]] replaces it, in {}",
          placeOf(deck.interactions[k].where), fmt::join(places, " and ")));
}

// Interaction k, if a block before it has a force of its family between the same two species: true if so.
bool refuseTwice(Report& report, const Deck& deck, std::size_t k) {
  const Interaction& own = deck.interactions[k];
  const auto& [a, b] = own.between;
  for (std::size_t j = 0; j < k; ++j) {
    const Interaction& other = deck.interactions[j];
    const auto& [c, d] = other.between;
    if (!((a == c && b == d) || (a == d && b == c)) || familyOf(other) != familyOf(own)) continue;
    report.error(
        pathOf("interaction", k),
        fmt::format("{} and {} have an interaction of style {} in {} already, to which style {} in {} cannot be "
                    "added: put both into one block, or leave one out",
                    quoted(a), quoted(b), quoted(other.style), placeOf(other.where), quoted(own.style),
                    placeOf(own.where)));
    return true;
  }
  return false;
}

// Of each method whose particles act on each other, the species that its populations hold.
std::vector<std::vector<std::string>> actingSpecies(const Deck& deck) {
  std::vector<std::vector<std::string>> all;
  for (const MethodBlocks* method : methodsOf(deck)) {
    if (!method->whyAlone().empty()) return {deck.species};  // there should be no others
    if (method->interactions().empty()) continue;
    std::vector<Population> own;
    for (const Population* population : populationsOf(deck, *method)) own.push_back(*population);
    all.push_back(speciesOf(own));
  }
  return all;
}

void checkCoverage(Report& report, const Deck& deck) {
  int told = 0;
  std::vector<const Interaction*> used;
  const auto acting = actingSpecies(deck);
  for (std::size_t i = 0; i < deck.species.size(); ++i) {
    for (std::size_t j = i; j < deck.species.size(); ++j) {
      const auto together = [&](const auto& own) {
        return contains(own, deck.species[i]) && contains(own, deck.species[j]);
      };
      if (std::none_of(acting.begin(), acting.end(), together)) continue;
      const auto here = interactionsOf(deck, deck.species[i], deck.species[j]);
      used.insert(used.end(), here.begin(), here.end());
      if (!here.empty() || ++told > 10) continue;
      // Reported where the species appears that the interactions forgot.
      std::size_t k = 0;
      while (k + 1 < deck.populations.size() && !contains(speciesOf(deck.populations[k]), deck.species[j])) ++k;
      report.error(pathOf("population", k),
                   fmt::format("no [[interaction]] between {} and {}: add one with between = [{}, {}]",
                               quoted(deck.species[i]), quoted(deck.species[j]), quoted(deck.species[i]),
                               quoted(deck.species[j])));
    }
  }
  for (std::size_t k = 0; k < deck.interactions.size(); ++k)
    if (!refuseTwice(report, deck, k) && std::find(used.begin(), used.end(), &deck.interactions[k]) == used.end())
      tellReplaced(report, deck, k, used);
}

// True if all names are those of species.
bool checkNames(Report& report, const Deck& deck) {
  bool good = true;
  for (std::size_t k = 0; k < deck.interactions.size(); ++k) {
    for (const auto& name : deck.interactions[k].between) {
      if (name == "*" || contains(deck.species, name)) continue;
      report.error(pathOf("interaction", k, "between"),
                   fmt::format("no population has the species {}{}", quoted(name), suggestion(name, deck.species)));
      good = false;
    }
  }
  return good;
}

void checkBonds(Report& report, const Deck& deck) {
  std::vector<std::string> names;
  for (const auto& population : deck.populations) names.push_back(population.name);
  const auto methods = methodsOf(deck);
  if (std::none_of(methods.begin(), methods.end(), [](auto* method) { return method->takes("bond"); }))
    return;  // has been told
  for (std::size_t k = 0; k < deck.bonds.size(); ++k) {
    const Bond& bond = deck.bonds[k];
    const auto at = std::find(names.begin(), names.end(), bond.population);
    if (at == names.end()) {
      report.error(pathOf("bond", k, "population"), fmt::format("there is no population {}{}", quoted(bond.population),
                                                                suggestion(bond.population, names)));
      continue;
    }
    const Population& population = deck.populations[static_cast<std::size_t>(at - names.begin())];
    const bool file = population.initial == StartKind::file;
    const MethodBlocks& method = ownerOf(population);
    if (const auto why = method.refusesBonds(population); !why.empty())
      report.error(pathOf("bond", k, "population"), why);
    if (bond.type != 0 && !file)
      report.error(
          pathOf("bond", k, "type"),
          fmt::format("type is for bonds from a file; leave it out for population {}", quoted(population.name)));
    for (std::size_t other = 0; other < k; ++other)
      if (deck.bonds[other].population == bond.population && bond.between.empty() &&
          deck.bonds[other].between.empty() &&
          (deck.bonds[other].type == bond.type || deck.bonds[other].type == 0 || bond.type == 0)) {
        report.error(pathOf("bond", k), fmt::format("the bonds of population {} are given already, in another [[bond]]",
                                                    quoted(bond.population)));
        break;
      }
  }
}

}  // namespace

void completeSpecies(BlocksRead& read) {
  Deck& deck = read.deck;
  deck.species = speciesOf(deck.populations);
  if (read.broken.count("population")) return;
  Report report(deck);
  for (std::size_t k = 0; k < deck.populations.size(); ++k)
    ownerOf(deck.populations[k]).checkSpecies(report, k, deck.populations[k]);
  if (deck.species.size() > mostSpecies) {
    report.error("population.0",
                 fmt::format("there are {} species, and {} are possible", deck.species.size(), mostSpecies));
  } else if (report.diagnostics().empty() && !read.broken.count("interaction") && checkNames(report, deck)) {
    checkCoverage(report, deck);
  }
  if (!read.broken.count("bond")) checkBonds(report, deck);
  const bool readable = !read.broken.count("bond") && !read.broken.count("angle") && !read.broken.count("dihedral");
  if (readable && report.diagnostics().empty()) checkMolecules(report, deck);
  for (auto& diagnostic : report.diagnostics()) read.diagnostics.push_back(std::move(diagnostic));
}

}  // namespace mesowarp::input
