// Bonds and the neighbour list against the time step.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "input/grammar/value.hpp"
#include "input/species.hpp"
#include "physics/fluid/deck/fluid_checks.hpp"

namespace mesowarp::fluid {

using namespace input;

// Two bonded particles vibrate with omega = sqrt(2 K / m); K = k, of fene k / (1 - (r / r_max)^2) at the initial
// length.
void checkBondStrength(const Deck& deck, Report& report) {
  std::vector<std::string> held;
  for (std::size_t k = 0; k < deck.bonds.size(); ++k) {
    const Bond& bond = deck.bonds[k];
    held.push_back(bond.population);
    const auto at = std::find_if(deck.populations.begin(), deck.populations.end(),
                                 [&](const Population& p) { return p.name == bond.population; });
    if (at == deck.populations.end()) continue;
    const std::string path = fmt::format("bond.{}.", k);
    double stiffness = bond.k;
    if (bond.style == BondStyle::fene && at->initial == StartKind::random) {
      const double stretch = at->bond_length / bond.r_max;
      if (stretch >= 1.0) {
        report.error(path + "r_max", fmt::format("r_max = {} must be larger than the bond_length of population {}, {}",
                                                 bond.r_max, quoted(at->name), at->bond_length));
        continue;
      }
      stiffness = bond.k / (1.0 - stretch * stretch);
    }
    const double phase = deck.run.timestep * std::sqrt(2.0 * stiffness / massesOf(deck, *at, bond.between)[0]);
    const double advised = 0.3 * deck.run.timestep / phase;
    if (phase > 2.0)
      report.error(
          path + "k",
          fmt::format(
              "k = {} is unstable with timestep = {}: dt sqrt(2 k / m) = {:.3g} is above 2; at most {:.2g} is advised",
              bond.k, deck.run.timestep, phase, advised));
    else if (phase > 0.3)
      report.warning(path + "k", fmt::format("k = {} is stiff for timestep = {}: dt sqrt(2 k / m) = {:.3g} is above "
                                             "0.3; a timestep of at most {:.2g} is advised",
                                             bond.k, deck.run.timestep, phase, advised));
  }
  for (std::size_t k = 0; k < deck.populations.size(); ++k) {
    const Population& p = deck.populations[k];
    const bool chain = p.kind == Kind::polymer && (p.initial == StartKind::file || p.blocks.size() > 1);
    if (chain && std::find(held.begin(), held.end(), p.name) == held.end())
      report.warning(fmt::format("population.{}", k),
                     fmt::format("nothing holds the molecules of {} together: add a [[bond]]", quoted(p.name)));
  }
}

// A list lasts until two particles have come nearer by the skin, that is, one has moved half of it.
void checkNeighborList(const Deck& deck, Report& report) {
  const double skin = deck.neighbor.skin, cutoff = largestCutoff(deck);
  double lightest = 0.0;
  for (const auto& population : deck.populations)
    if (isOurs(population))
      for (const auto& species : speciesOf(population))
        lightest = lightest > 0.0 ? std::min(lightest, massOf(deck, species)) : massOf(deck, species);
  if (deck.neighbor.rebuild == RebuildStyle::every && lightest > 0.0) {
    const double moved = 3.0 * std::sqrt(deck.run.temperature / lightest) * deck.run.timestep * deck.neighbor.every;
    if (moved > 0.5 * skin * (1.0 + 1e-9))
      report.warning(
          "neighbor.every",
          fmt::format("in {} steps fast particles (three times the thermal speed) move {:.3g}, more than half the skin "
                      "of {}: pairs would be missed; use rebuild = \"displacement\", or every = {}",
                      deck.neighbor.every, moved, skin,
                      std::max(1.0, std::floor(0.5 * skin / moved * deck.neighbor.every))));
  }
  if (skin > cutoff)
    report.warning("neighbor.skin",
                   fmt::format("skin = {} is wider than the cutoff, {:.4g}: most listed pairs will be too far apart",
                               skin, cutoff));
  else if (skin < 0.05 * cutoff && deck.neighbor.rebuild == RebuildStyle::displacement)
    report.warning(
        "neighbor.skin",
        fmt::format("skin = {} is below a twentieth of the cutoff, {:.4g}: the list will be rebuilt nearly every step",
                    skin, cutoff));
}

}  // namespace mesowarp::fluid
