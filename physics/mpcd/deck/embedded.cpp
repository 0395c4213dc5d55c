#include "physics/mpcd/deck/embedded.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "input/grammar/suggest.hpp"
#include "input/grammar/value.hpp"
#include "input/species.hpp"
#include "physics/mpcd/deck/mpcd_blocks.hpp"
#include "physics/mpcd/deck/mpcd_walls.hpp"
#include "physics/mpcd/deck/solvents.hpp"

namespace mesowarp::mpcd {
namespace {

using namespace input;

constexpr const char* embeddedKey = "collision.embedded";
constexpr int fewestBits = 30;  // behind the point, of a sum of momenta, and of the lightest mass

bool isEmbedded(const Deck& deck, const Population& population) {
  const auto& names = collisionOf(deck).embedded;
  return std::find(names.begin(), names.end(), population.name) != names.end();
}

bool known(const Deck& deck, Report& report) {
  std::vector<std::string> names;
  for (const Population& p : deck.populations)
    if (ownerOf(p).embeds()) names.push_back(p.name);
  bool all = true;
  const auto& asked = collisionOf(deck).embedded;
  for (std::size_t k = 0; k < asked.size(); ++k) {
    const auto refuse = [&](const std::string& why) { report.error(embeddedKey, why), all = false; };
    const auto it = std::find_if(deck.populations.begin(), deck.populations.end(),
                                 [&](const Population& p) { return p.name == asked[k]; });
    if (it == deck.populations.end())
      refuse(fmt::format("there is no population {}{}", quoted(asked[k]), suggestion(asked[k], names)));
    else if (!ownerOf(*it).embeds())
      refuse(fmt::format("population {} is of {}, and cannot be embedded in a solvent{}", quoted(asked[k]),
                         ownerOf(*it).inWords(), suggestion("", names)));
    else
      for (const std::string& species : speciesOf(*it))
        if (isFrozen(deck, species))
          refuse(fmt::format("species {} of population {} is frozen, and what is embedded must move: leave it out",
                             quoted(species), quoted(asked[k])));
    if (std::find(asked.begin(), asked.begin() + static_cast<std::ptrdiff_t>(k), asked[k]) !=
        asked.begin() + static_cast<std::ptrdiff_t>(k))
      refuse(fmt::format("{} stands there twice", quoted(asked[k])));
  }
  return all;
}

// A collision knows a particle by its species.
void checkShared(const Deck& deck, Report& report) {
  for (const Population& p : deck.populations) {
    if (isEmbedded(deck, p) || !ownerOf(p).embeds()) continue;
    for (const std::string& species : speciesOf(p))
      for (const Population& other : deck.populations) {
        const auto theirs = speciesOf(other);
        if (!isEmbedded(deck, other) || std::find(theirs.begin(), theirs.end(), species) == theirs.end()) continue;
        return report.error(embeddedKey,
                            fmt::format("species {} is of population {}, which is embedded, and of {}, which is "
                                        "not: embed both, or give one of them another species",
                                        quoted(species), quoted(other.name), quoted(p.name)));
      }
  }
}

void checkMasses(const Deck& deck, Report& report) {
  const GuestBits bits = guestBits(deck);
  const auto& size = deck.box.size;
  const double perCell = static_cast<double>(solventCount(deck)) * meanMass(deck) / solventOf(deck).mass *
                         std::pow(collisionOf(deck).cell, 3) / (size[0] * size[1] * size[2]);
  for (std::size_t k = 0; k < deck.populations.size(); ++k) {
    const Population& p = deck.populations[k];
    if (!isEmbedded(deck, p)) continue;
    const auto [lightest, heaviest] = massesOf(deck, p);
    const double ratio = heaviest / solventOf(deck).mass;
    const std::string path = fmt::format("population.{}.mass", k);
    if (momentumBits(bits) < fewestBits || std::log2(lightest / solventOf(deck).mass) + massBits(bits) < fewestBits)
      report.error(path, fmt::format("a particle of population {} has the mass of {:.3g} solvent particles: a cell's "
                                     "sums cannot hold it beside the others with enough digits; bring the masses "
                                     "nearer together, or make collision.cell smaller",
                                     quoted(p.name), ratio));
    else if (ratio > 4.0 * perCell)
      report.warning(
          path, fmt::format("a particle of population {} is as heavy as {:.3g} solvent particles, and a cell has "
                            "{:.3g}: it hardly feels the solvent; masses up to those of a cell's solvent are usual",
                            quoted(p.name), ratio, perCell));
  }
}

void checkMeasures(const Deck& deck, Report& report) {
  for (std::size_t k = 0; k < deck.measures.size(); ++k)
    if (deck.measures[k].isOfPlaces() && deck.measures[k].of_species.empty())
      report.warning(fmt::format("measure.{}.style", k),
                     "it is of what is embedded, and the solvent has no part in it: name its species to say so");
}

}  // namespace

std::vector<double> embeddedMasses(const Deck& deck) {
  if (collisionOf(deck).embedded.empty()) return {};
  std::vector<double> masses(deck.species.size(), 0.0);
  for (const Population& p : deck.populations) {
    if (!isEmbedded(deck, p)) continue;
    for (const std::string& species : speciesOf(p)) {
      const auto at = std::find(deck.species.begin(), deck.species.end(), species) - deck.species.begin();
      masses[static_cast<std::size_t>(at)] = massOf(deck, species) / solventOf(deck).mass;
    }
  }
  return masses;
}

// Room for 256 of the heaviest in a unit of volume or in a cell, be the mean what it may; none is 32 times as fast as
// the lightest of all in thermal motion.
GuestBits guestBits(const Deck& deck) {
  const double cell = collisionOf(deck).cell, volume = std::max(1.0, cell * cell * cell);
  double heaviest = 0.0, fastest = speedLimit(deck), number = 256.0 * volume;
  for (const Population& p : deck.populations) {
    if (!isEmbedded(deck, p)) continue;
    Population lightest = p;
    lightest.mass = massesOf(deck, p)[0];
    heaviest = std::max(heaviest, massesOf(deck, p)[1] / solventOf(deck).mass);
    fastest = std::max(fastest, 2.0 * speedLimit(lightest, hottest(deck)));
    if (p.density > 0.0) number = std::max(number, 32.0 * p.density * volume);
  }
  return {static_cast<int>(std::ceil(std::log2(heaviest * number))), static_cast<int>(std::ceil(std::log2(fastest)))};
}

void checkEmbedded(const Deck& deck, Report& report) {
  if (collisionOf(deck).embedded.empty() || !known(deck, report)) return;
  checkShared(deck, report);
  if (isGiven(deck, "shear"))
    report.error(embeddedKey, "nothing can be embedded in a solvent in a sheared box yet: leave out [shear]");
  if (!(deck.run.temperature > 0.0)) return;
  checkMasses(deck, report);
  checkMeasures(deck, report);
  if (collisionOf(deck).every > deck.run.steps && deck.run.steps > 0)
    report.warning("collision.every", fmt::format("no collision takes place within run.steps = {}", deck.run.steps));
}

}  // namespace mesowarp::mpcd
