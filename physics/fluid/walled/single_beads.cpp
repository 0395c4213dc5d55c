#include "physics/fluid/walled/single_beads.hpp"

#include <map>

#include "input/species.hpp"
#include "physics/boundary/deck/wall_tables.hpp"
#include "physics/fluid/deck/fluid_checks.hpp"

namespace mesowarp::fluid {

input::Deck withSingleBeads(const input::Deck& deck) {
  input::Deck single = deck;
  single.bonds.clear(), single.angles.clear(), single.dihedrals.clear();
  single.populations.clear();
  const double all = boundary::beadDensity(deck);  // of all chains
  double beads = 0.0;
  for (const auto& p : deck.populations)
    if (p.kind == Kind::polymer) beads += static_cast<double>(p.count) * static_cast<double>(p.blocks.size());
  for (const auto& p : deck.populations) {
    if (p.kind != Kind::polymer) {
      single.populations.push_back(p);
      continue;
    }
    std::map<std::string, double> ofSpecies;
    for (const auto& species : input::beadSpecies(p)) ofSpecies[species] += static_cast<double>(p.count);
    for (const auto& [species, count] : ofSpecies) {
      input::Population fluid = p;
      fluid.kind = Kind::fluid, fluid.species = species;
      fluid.blocks.clear(), fluid.molecule.clear(), fluid.letters.clear();
      fluid.count = 0, fluid.density = all * count / beads;
      fluid.initial = apartOf(p) > 0.0 ? input::StartKind::lattice : input::StartKind::random;
      single.populations.push_back(std::move(fluid));
    }
  }
  return single;
}

}  // namespace mesowarp::fluid
