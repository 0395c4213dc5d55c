// Populations in a box: their numbers, their chains, their masses.
#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <map>

#include "input/estimate.hpp"
#include "input/grammar/convert.hpp"
#include "input/grammar/suggest.hpp"
#include "input/grammar/value.hpp"
#include "input/physics_check.hpp"
#include "input/species.hpp"
#include "physics/fluid/deck/fluid_checks.hpp"
#include "start/start_region.hpp"

namespace mesowarp::fluid {

using namespace input;

namespace {

constexpr std::int64_t mostParticles = std::numeric_limits<std::int32_t>::max();

void checkCount(const Deck& deck, std::size_t k, Report& report) {
  const Population& population = deck.populations[k];
  const std::string path = fmt::format("population.{}", k), name = quoted(population.name);
  const bool density = population.density > 0.0, count = population.count > 0;
  if (density && count)
    return report.error(path + ".count", fmt::format("population {} has both density and count: give one", name));
  if (!density && !count)
    return report.error(path, fmt::format("population {} has no particles: give density or count", name));
  const StartRegion& region = population.own.get<StartRegion>();
  if (particleCount(population, deck.box) == 0 && region.part > 0.0)  // or that there is nothing of it is told
    report.error(
        path + ".density",
        fmt::format("population {} has no particles: density = {} in a {} of volume {:.6g} is less than half a {}",
                    name, population.density, region.words.empty() ? "box" : "region",
                    region.part * deck.box.size[0] * deck.box.size[1] * deck.box.size[2],
                    population.kind == Kind::polymer ? "molecule" : "particle"));
}

void checkChain(const Deck& deck, std::size_t k, Report& report) {
  const Population& polymer = deck.populations[k];
  const std::string path = fmt::format("population.{}", k);
  if (polymer.initial == StartKind::lattice)
    report.error(path + ".initial",
                 "initial = \"lattice\" is for fluids: polymers start \"random\" or from a \"file\"");
  const double apart = apartOf(polymer), most = 0.35;  // of the volume, in spheres of that diameter
  if (apart > polymer.bond_length)
    report.error(path + ".apart",
                 fmt::format("apart = {} is above bond_length = {}: make it at most that", apart, polymer.bond_length));
  const double volume = deck.box.size[0] * deck.box.size[1] * deck.box.size[2],
               filled = 0.5236 * apart * apart * apart * static_cast<double>(particleCount(polymer, deck.box)) / volume;
  if (filled > most)
    report.error(path + ".apart",
                 fmt::format("beads that are {} apart would fill {:.0f}% of the box, and self-avoiding "
                             "walks find no way above {:.0f}%: lower apart, or the number of beads",
                             apart, 100.0 * filled, 100.0 * most));
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (polymer.initial == StartKind::random && polymer.bond_length >= deck.box.size[axis] / 2.0)
      return report.error(path + ".bond_length",
                          fmt::format("bond_length = {} does not fit the box, {} along {}: it must be below half of it",
                                      polymer.bond_length, deck.box.size[axis], "xyz"[axis]));
}

// What is frozen is a species as a whole, and something must move.
void checkFrozen(const Deck& deck, Report& report) {
  std::map<std::string, const Population*> first;
  bool anyMoves = false;
  for (std::size_t k = 0; k < deck.populations.size(); ++k) {
    const Population& population = deck.populations[k];
    if (!isOurs(population)) continue;
    for (const auto& species : speciesOf(population)) {
      anyMoves = anyMoves || !isFrozen(deck, species);
      const auto [it, isNew] = first.emplace(species, &population);
      const SpeciesKeys* own = speciesKeys(deck, species);
      if (!isNew && it->second->frozen != population.frozen && !(own && own->frozen))
        report.error(fmt::format("population.{}.frozen", k),
                     fmt::format("species {} is frozen in one of the populations {} and {} and moves in the other: "
                                 "give one of them a species of its own",
                                 quoted(species), quoted(it->second->name), quoted(population.name)));
    }
  }
  if (!anyMoves && !first.empty())
    report.error("population.0.frozen", "all populations are frozen: nothing would move");
}

// [[species]]: each is there once, and held by some population; a population's mass does not contradict it.
void checkSpeciesBlocks(const Deck& deck, Report& report) {
  const auto& blocks = itemsOf(deck, SpeciesKeys::block);
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    const auto& keys = blocks[k].own.get<SpeciesKeys>();
    const std::string path = fmt::format("species.{}", k);
    if (std::find(deck.species.begin(), deck.species.end(), keys.name) == deck.species.end())
      report.error(path + ".name", fmt::format("no population has the species {}{}", quoted(keys.name),
                                               suggestion(keys.name, deck.species)));
    for (std::size_t j = 0; j < k; ++j)
      if (const auto& other = blocks[j]; other.own.get<SpeciesKeys>().name == keys.name)
        report.error(path + ".name", fmt::format("species {} has a [[species]] block already, in line {}",
                                                 quoted(keys.name), other.where.line));
    if (!(keys.mass > 0.0)) continue;
    for (std::size_t p = 0; p < deck.populations.size(); ++p) {
      const Population& population = deck.populations[p];
      if (population.species == keys.name && isGiven(deck, fmt::format("population.{}.mass", p)) &&
          population.mass != keys.mass)
        report.error(fmt::format("population.{}.mass", p),
                     fmt::format("mass = {} is not that of species {}, {} in line {}: leave one of them out",
                                 population.mass, quoted(keys.name), keys.mass, blocks[k].where.line));
    }
  }
}

// Two masses of one species would make it two species.
void checkMasses(const Deck& deck, Report& report) {
  std::map<std::string, const Population*> first;
  for (std::size_t k = 0; k < deck.populations.size(); ++k)
    for (const auto& species : speciesOf(deck.populations[k])) {
      const SpeciesKeys* own = speciesKeys(deck, species);
      if (own && own->mass > 0.0) continue;
      const auto [it, isNew] = first.emplace(species, &deck.populations[k]);
      if (!isNew && it->second->mass != deck.populations[k].mass)
        report.error(fmt::format("population.{}.mass", k),
                     fmt::format("species {} has mass {} here and {} in population {}", quoted(species),
                                 deck.populations[k].mass, it->second->mass, quoted(it->second->name)));
    }
}

}  // namespace

void checkPopulations(const Deck& deck, Report& report) {
  std::int64_t particles = 0;
  for (std::size_t k = 0; k < deck.populations.size(); ++k) {
    const Population& population = deck.populations[k];
    if (!isOurs(population)) continue;
    if (population.initial == Kind::inSolid || population.initial == Kind::inCells) continue;
    if (population.kind == Kind::membrane) {  // counted with its cells
      refuseTooMany(deck, k, particles, mostParticles, report);
      continue;
    }
    if (population.initial != StartKind::file)
      checkCount(deck, k, report);
    else
      checkStartFile(deck, fmt::format("population.{}.file", k), population.file, report);
    if (population.kind == Kind::polymer) checkChain(deck, k, report);
    refuseTooMany(deck, k, particles, mostParticles, report);
  }
  checkMasses(deck, report);
  checkSpeciesBlocks(deck, report);
  checkFrozen(deck, report);
}

}  // namespace mesowarp::fluid
