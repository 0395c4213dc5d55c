// What follows from a deck with transport, before it is run.
#include <algorithm>
#include <fmt/format.h>

#include "input/species.hpp"
#include "physics/transport/deck/transport_blocks.hpp"
#include "physics/transport/deck/transport_deck.hpp"
#include "physics/transport/deck/wall_concentrations.hpp"

namespace mesowarp::transport {

using namespace input;

// Of the first species that exchanges solutes with itself, in a fluid of it alone.
std::vector<std::pair<std::string, std::string>> expectations(const Deck& deck) {
  std::vector<std::pair<std::string, std::string>> lines;
  const double density = transportOf(deck).density, temperature = deck.run.temperature;
  for (const auto& species : deck.species) {
    const Interaction* pair = dpdInteraction(deck, species, species);
    if (!pair || !isTransport(*pair) || !(density > 0.0) || !(pair->gamma > 0.0)) continue;
    const double own = particleDiffusion(*pair, temperature, density),
                 viscosity = kinematicViscosity(*pair, temperature, density);
    const auto& solutes = transportOf(deck).solutes;
    for (std::size_t s = 0; s < solutes.size(); ++s) {
      const double fickian = fickianDiffusion(*pair, s, density), whole = own + fickian;
      lines.emplace_back("D of " + solutes[s],
                         fmt::format("{:.4g} in {} (Fickian {:.4g}, with the particles {:.4g}), Schmidt number {:.3g}",
                                     whole, species, fickian, own, viscosity / whole));
    }
    break;
  }
  return lines;
}

void difference(const Deck& then, const Deck& now, Differences& differences) {
  if (hasTransport(then) != hasTransport(now))
    return differences.add("interaction", hasTransport(now) ? "tdpd, which there was none of" : "no tdpd");
  if (transportOf(then).solutes != transportOf(now).solutes) differences.add("transport.solutes", "other solutes");
  if (layoutOf(then).stride != layoutOf(now).stride)
    differences.add("transport.random_flux", "random fluxes where there were none, or none where there were");
  const auto before = wallConcentrationsOf(then), after = wallConcentrationsOf(now);
  for (std::size_t k = 0; k < after.size(); ++k) {
    const auto was = std::find_if(before.begin(), before.end(), [&](const WallConcentration& c) {
      return c.wall == after[k].wall && c.solute == after[k].solute;
    });
    // Frozen particles keep the concentration that they began with.
    const bool frozen = std::any_of(now.walls.begin(), now.walls.end(), [&](const Wall& wall) {
      return wall.name == after[k].wall && wall.method == WallMethod::frozen;
    });
    if (frozen && !after[k].noFlux && (was == before.end() || was->noFlux || was->value != after[k].value))
      differences.add(fmt::format("wall_concentration.{}.value", k),
                      "another concentration of a wall's particles, which have theirs from the start");
  }
}

// The state twice, what an observed step shows, and in single precision what rounding took.
double bytesPerParticle(const Deck& deck) {
  if (!hasTransport(deck)) return 0.0;
  const bool single = deck.run.precision == Precision::single;
  const Layout layout = layoutOf(deck);
  return (single ? 16.0 : 24.0) * layout.stride +
         (single ? 4.0 : 8.0) * (12.0 * layout.furtherDozens + (layout.randomFours > 0 ? layout.stride : 0));
}

}  // namespace mesowarp::transport
