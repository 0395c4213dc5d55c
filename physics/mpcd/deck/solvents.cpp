#include "physics/mpcd/deck/solvents.hpp"

#include <algorithm>
#include <cmath>

#include "input/estimate.hpp"
#include "physics/integrate/schedule.hpp"
#include "physics/mpcd/deck/mpcd_blocks.hpp"

namespace mesowarp::mpcd {

using input::Deck, input::Population;

std::vector<const Population*> solventsOf(const Deck& deck) { return input::populationsOf(deck, mpcdBlocks()); }

const Population& solventOf(const Deck& deck) { return *solventsOf(deck).front(); }

std::int64_t solventCount(const Deck& deck) {
  std::int64_t all = 0;
  for (const Population* solvent : solventsOf(deck)) all += input::particleCount(*solvent, deck.box);
  return all;
}

double perCell(const Deck& deck, const Population& solvent) {
  const auto& size = deck.box.size;
  const double cell = collisionOf(deck).cell;
  return static_cast<double>(input::particleCount(solvent, deck.box)) /
         (size[0] * size[1] * size[2] * roomOf(solvent) / (cell * cell * cell));
}

double perCell(const Deck& deck) {
  double all = 0.0;
  for (const Population* solvent : solventsOf(deck)) all += perCell(deck, *solvent);
  return all;
}

double meanFreePath(const Population& solvent, const Deck& deck) {
  return collisionTime(deck) * std::sqrt(deck.run.temperature / solvent.mass);
}

double hottest(const Deck& deck) { return largestEver(deck, "run.temperature", deck.run.temperature); }

double meanMass(const Deck& deck) {
  const Population& first = solventOf(deck);
  if (!isMixture(deck)) return first.mass;
  double mass = 0.0, number = 0.0;
  for (const Population* solvent : solventsOf(deck)) {
    const double n = static_cast<double>(input::particleCount(*solvent, deck.box));
    mass += n * heldMass(deck, *solvent) * first.mass, number += n;
  }
  return mass / number;
}

bool isMixture(const Deck& deck) {
  const auto all = solventsOf(deck);
  return std::any_of(all.begin(), all.end(), [&](const Population* p) { return p->mass != all.front()->mass; });
}

double heldMass(const Deck& deck, const Population& solvent) {
  return std::nearbyint(solvent.mass / solventOf(deck).mass * 0x1p40) * 0x1p-40;
}

const Population& lightest(const Deck& deck) {
  const auto all = solventsOf(deck);
  return **std::min_element(all.begin(), all.end(),
                            [](const Population* a, const Population* b) { return a->mass < b->mass; });
}

double heaviest(const Deck& deck) {
  double most = 1.0;
  for (const Population* solvent : solventsOf(deck)) most = std::max(most, heldMass(deck, *solvent));
  return most;
}

}  // namespace mesowarp::mpcd
