#include "physics/membrane/sides/fill_cells.hpp"

#include <cmath>

#include "device/host_loop.hpp"
#include "input/species.hpp"
#include "physics/membrane/deck/membrane_deck.hpp"
#include "physics/membrane/sides/wound_cells.hpp"

namespace mesowarp::membrane {
namespace {

i64 placeOf(const HostParticles& particles, std::size_t i, std::size_t axis) {
  return static_cast<i64>(particles.position[i][axis] >> (64 - placeBits));
}

// Images of a sheared box have not slid yet.
SlidPlaces slidAtStart(const input::Deck& deck) {
  const Shear shear = shearOf(deck);
  if (!shear.on) return {};
  return {shear.flow, shear.gradient, i64{1} << (placeBits - 1), 0};
}

std::vector<i64> unwrapped(const std::vector<TwoSides>& sides, const HostParticles& particles, const SlidPlaces& slid) {
  std::vector<i64> places;
  for (const TwoSides& one : sides)
    for (i64 v = 0; v < one.count * one.vertices; ++v) {
      const std::size_t i = one.firstTag + static_cast<std::size_t>(v);
      for (std::size_t axis = 0; axis < 3; ++axis)
        places.push_back(placeOf(particles, i, axis) +
                         particles.image[i][axis] *
                             (static_cast<int>(axis) == slid.gradient ? slid.height : i64{1} << placeBits));
    }
  return places;
}

}  // namespace

void fillCells(const input::Deck& deck, HostParticles& particles) {
  const std::vector<TwoSides> sides = twoSidesOf(deck);
  if (sides.empty()) return;
  WoundCells cells(sides);
  const SlidPlaces slid = slidAtStart(deck);
  cells.place(unwrapped(sides, particles, slid), slid);
  const Winding winding = cells.view();
  const SideRule rule(sides);
  std::vector<double> masses = massesOf(deck);
  std::vector<char> moves(masses.size(), 1);
  for (std::size_t s = 0; s < masses.size(); ++s) moves[s] = input::isFrozen(deck, deck.species[s]) ? 0 : 1;
  for (const auto& [membrane, firstTag] : membranePopulations(deck)) {
    const auto species = particles.species[firstTag];
    moves[species] = 0;  // vertices are neither here nor there
  }
  hostLoop("fill cells", 0, particles.count(), [&](i64 i) {
    const u32 species = particles.species[i];
    if (!moves[species]) return;
    const auto k = static_cast<std::size_t>(i);
    const i64 place[3] = {placeOf(particles, k, 0), placeOf(particles, k, 1), placeOf(particles, k, 2)};
    const int cell = winding.cellAt(place);
    const u32 becomes = rule.of(species, cell < 0 ? -1 : winding.cell[cell].membrane).species;
    if (becomes == species) return;
    particles.species[i] = becomes;
    const double slower = std::sqrt(masses[species] / masses[becomes]);
    for (double& v : particles.velocity[i]) v *= slower;
  });
}

}  // namespace mesowarp::membrane
