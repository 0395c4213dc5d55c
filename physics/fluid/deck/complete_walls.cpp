// Walls bring a frozen species each, and what acts on it where the deck does not say; and how far away they are.
#include <algorithm>
#include <fmt/format.h>
#include <memory>

#include "input/species.hpp"
#include "physics/boundary/deck/solid_text.hpp"
#include "physics/fluid/deck/fluid_blocks.hpp"
#include "physics/fluid/deck/fluid_checks.hpp"
#include "physics/membrane/deck/membrane_blocks.hpp"
#include "physics/pair/deck/made_like.hpp"
#include "physics/transport/deck/transport_deck.hpp"
#include "physics/transport/deck/wall_concentrations.hpp"

namespace mesowarp::fluid {

using namespace input;

namespace {

// Of single particles, if there is one.
const Population* firstFluid(const Deck& deck) {
  const Population* chains = nullptr;
  for (const auto& population : deck.populations) {
    if (!isOurs(population) || population.kind == Kind::membrane || population.frozen || speciesOf(population).empty())
      continue;
    if (population.kind != Kind::polymer) return &population;
    if (!chains) chains = &population;
  }
  return chains;
}

// One more block, as if the deck had it: what is given in one is given in the other.
void addInteraction(Deck& deck, const Interaction& as, const std::string& a, const std::string& b) {
  const std::string from = fmt::format("interaction.{}", &as - deck.interactions.data()),
                    to = fmt::format("interaction.{}", deck.interactions.size());
  std::map<std::string, Source> copies;
  for (const auto& [path, source] : deck.sources)
    if (path == from || path.rfind(from + ".", 0) == 0) copies[to + path.substr(from.size())] = source;
  deck.sources.insert(copies.begin(), copies.end());
  Interaction copy = as;
  copy.between = {a, b};
  if (int& like = copy.own.get<MadeLike>().block; like < 0) like = static_cast<int>(&as - deck.interactions.data());
  deck.interactions.push_back(copy);
}

// Forces that act on the particles of such walls have blocks of their own, in which fluxes can be closed: not one for
// all species, which the fluid has too.
void nameClosedWalls(Deck& deck) {
  for (const std::string& wall : transport::closedSpecies(deck))
    for (const auto& species : speciesOf(deck.populations)) {
      std::vector<std::size_t> shared;
      for (const Interaction* one : interactionsOf(deck, wall, species))
        if (transport::isTransport(*one) && one->between[0] != wall && one->between[1] != wall)
          shared.push_back(static_cast<std::size_t>(one - deck.interactions.data()));
      for (const std::size_t at : shared) addInteraction(deck, deck.interactions[at], wall, species);
    }
}

}  // namespace

void FluidBlocks::addPopulations(BlocksRead& read) const {
  Deck& deck = read.deck;
  for (auto& population : deck.populations)  // a population of one frozen species is frozen
    if (const SpeciesKeys* own = speciesKeys(deck, population.species); own && own->frozen && isOurs(population))
      population.frozen = true;
  membrane::addPopulations(read);
  if (deck.walls.empty() || read.broken.count("wall") || read.broken.count("population")) return;
  const Population* fluid = firstFluid(deck);
  if (!fluid) return;  // will be told
  const std::string like = speciesOf(*fluid).front();
  const double mass = fluid->mass;
  for (const auto& wall : deck.walls) {
    if (wall.method == WallMethod::effective) continue;
    const auto all = speciesOf(deck.populations);
    if (std::find(all.begin(), all.end(), wall.species) != all.end()) continue;
    Population frozen;
    frozen.name = frozen.species = wall.species;
    frozen.kind = Kind::fluid, frozen.initial = Kind::inSolid;
    frozen.frozen = true, frozen.mass = mass, frozen.where = wall.where;
    deck.sources[fmt::format("population.{}", deck.populations.size())] = wall.where;
    deck.populations.push_back(frozen);
    if (read.broken.count("interaction")) continue;
    for (const auto& species : speciesOf(deck.populations)) {
      if (pairInteraction(deck, wall.species, species)) continue;
      std::vector<std::size_t> asMany;
      const bool isWall = std::any_of(deck.walls.begin(), deck.walls.end(),
                                      [&](const Wall& other) { return other.species == species; });
      for (const Interaction* as : interactionsOf(deck, like, isWall ? like : species)) {
        const auto at = as - deck.interactions.data();  // the list grows
        asMany.push_back(static_cast<std::size_t>(at));
      }
      for (const std::size_t at : asMany) addInteraction(deck, deck.interactions[at], wall.species, species);
    }
  }
  if (read.broken.count("interaction") == 0) nameClosedWalls(deck);
}

FluidBlocks::Distance FluidBlocks::distanceToWalls(const Deck& deck) const {
  if (deck.walls.empty()) return {};
  const auto parts = std::make_shared<boundary::SolidParts>(boundary::solidOf(deck));
  return [parts, &deck](const std::array<double, 3>& x) { return parts->view()(parts->point(deck, x)).distance; };
}

}  // namespace mesowarp::fluid
