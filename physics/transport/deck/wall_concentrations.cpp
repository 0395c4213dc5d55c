#include "physics/transport/deck/wall_concentrations.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "input/grammar/suggest.hpp"
#include "input/grammar/value.hpp"
#include "input/species.hpp"
#include "physics/transport/deck/transport_deck.hpp"

namespace mesowarp::transport {

using namespace input;

namespace {

const Wall* wallNamed(const Deck& deck, const std::string& name) {
  const auto at = std::find_if(deck.walls.begin(), deck.walls.end(), [&](const Wall& w) { return w.name == name; });
  return at == deck.walls.end() ? nullptr : &*at;
}

bool isFrozen(const Wall* wall) { return wall && wall->method == WallMethod::frozen; }

// Walls that share their frozen species cannot differ.
void refuseSharedSpecies(const Deck& deck, const std::vector<WallConcentration>& all, std::size_t k, Report& report) {
  const Wall* wall = wallNamed(deck, all[k].wall);
  if (!isFrozen(wall)) return;
  for (const auto& other : deck.walls) {
    if (other.name == wall->name || other.species != wall->species || !isFrozen(&other)) continue;
    const auto same = std::find_if(all.begin(), all.end(), [&](const WallConcentration& c) {
      return c.wall == other.name && c.solute == all[k].solute && c.noFlux == all[k].noFlux && c.value == all[k].value;
    });
    if (same == all.end())
      report.error(fmt::format("wall_concentration.{}.wall", k),
                   fmt::format("walls {} and {} are filled with the same species {}, and have another concentration of "
                               "{}: give one of them a `species` of its own",
                               quoted(wall->name), quoted(other.name), quoted(wall->species), quoted(all[k].solute)));
  }
}

}  // namespace

std::vector<WallConcentration> wallConcentrationsOf(const Deck& deck) {
  std::vector<WallConcentration> all;
  for (const auto& item : itemsOf(deck, "wall_concentration")) all.push_back(item.own.get<WallConcentration>());
  return all;
}

const WallConcentration* wallConcentrationOf(const Deck& deck, const std::vector<WallConcentration>& all,
                                             const std::string& species, const std::string& solute) {
  for (const auto& c : all) {
    const Wall* wall = wallNamed(deck, c.wall);
    if (isFrozen(wall) && wall->species == species && c.solute == solute) return &c;
  }
  return nullptr;
}

std::vector<std::string> closedSpecies(const Deck& deck) {
  std::vector<std::string> species;
  for (const auto& c : wallConcentrationsOf(deck)) {
    const Wall* wall = wallNamed(deck, c.wall);
    if (c.noFlux && isFrozen(wall) && std::find(species.begin(), species.end(), wall->species) == species.end())
      species.push_back(wall->species);
  }
  return species;
}

void closeWalls(Deck& deck) {
  const auto all = wallConcentrationsOf(deck);
  const auto& solutes = transportOf(deck).solutes;
  for (const auto& c : all) {
    const Wall* wall = wallNamed(deck, c.wall);
    const auto at = std::find(solutes.begin(), solutes.end(), c.solute);
    if (!c.noFlux || !isFrozen(wall) || at == solutes.end()) continue;
    for (auto& i : deck.interactions) {
      if (!isTransport(i) || (i.between[0] != wall->species && i.between[1] != wall->species)) continue;
      auto& kappa = i.own.get<FluxKeys>().kappa;
      if (kappa.size() <= 1) kappa.assign(solutes.size(), kappa.empty() ? 0.0 : kappa[0]);
      if (kappa.size() == solutes.size()) kappa[static_cast<std::size_t>(at - solutes.begin())] = 0.0;
    }
  }
}

void checkWallConcentrations(const Deck& deck, Report& report) {
  const auto all = wallConcentrationsOf(deck);
  const auto& solutes = transportOf(deck).solutes;
  std::vector<std::string> walls;
  for (const auto& wall : deck.walls) walls.push_back(wall.name);
  for (std::size_t k = 0; k < all.size(); ++k) {
    const std::string path = fmt::format("wall_concentration.{}", k);
    if (!wallNamed(deck, all[k].wall))
      report.error(path + ".wall",
                   fmt::format("there is no [[wall]] {}{}", quoted(all[k].wall), suggestion(all[k].wall, walls)));
    if (std::find(solutes.begin(), solutes.end(), all[k].solute) == solutes.end())
      report.error(path + ".solute", fmt::format("{} is none of transport.solutes{}", quoted(all[k].solute),
                                                 suggestion(all[k].solute, solutes)));
    for (std::size_t other = 0; other < k; ++other)
      if (all[other].wall == all[k].wall && all[other].solute == all[k].solute)
        report.error(path + ".solute", fmt::format("wall {} has a [[wall_concentration]] of {} already",
                                                   quoted(all[k].wall), quoted(all[k].solute)));
    refuseSharedSpecies(deck, all, k, report);
  }
}

}  // namespace mesowarp::transport
