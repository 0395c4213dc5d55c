#include "physics/mpcd/deck/mpcd_margin.hpp"

#include <algorithm>
#include <cmath>

#include "physics/mpcd/deck/mpcd_deck.hpp"
#include "physics/mpcd/deck/mpcd_walls.hpp"

namespace mesowarp::mpcd {

namespace {

// Of a particle in a collision, in cells.
double mostMoved(const input::Deck& deck) {
  const double limit = std::exp2(std::ceil(std::log2(speedLimit(deck))));
  return limit * collisionTime(deck) / collisionOf(deck).cell;
}
Margin marginFor(const input::Deck& deck, int collisions) {
  const double moved = mostMoved(deck);
  Margin margin;
  margin.moved = moved;
  margin.cells = std::max(2, static_cast<int>(std::ceil(collisions * moved)));
  margin.collisions = std::max(1, static_cast<int>(margin.cells / moved));
  return margin;
}

}  // namespace

// Embedded particles come as far as half the skin before the list is built anew, and they migrate.
Margin marginOf(const input::Deck& deck) {
  const CollisionBlock& c = collisionOf(deck);
  Margin margin = marginFor(deck, 1);
  if (!c.embedded.empty())
    margin.cells = std::max(margin.cells, static_cast<int>(std::ceil(0.5 * deck.neighbor.skin / c.cell)));
  return margin;
}

// A domain that is a third margin has more cells that it shares than others.
Margin marginOf(const input::Deck& deck, int narrowestDomain) {
  const Margin least = marginOf(deck);
  constexpr int wishedCollisions = 4;
  for (int collisions = wishedCollisions; collisions > least.collisions; --collisions) {
    const Margin wider = marginFor(deck, collisions);
    if (wider.cells >= least.cells && 6 * wider.cells <= narrowestDomain) return wider;
  }
  return least;
}

}  // namespace mesowarp::mpcd
