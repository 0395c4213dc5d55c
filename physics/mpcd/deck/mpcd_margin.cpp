#include "physics/mpcd/deck/mpcd_margin.hpp"

#include <algorithm>
#include <cmath>

#include "physics/mpcd/deck/mpcd_deck.hpp"
#include "physics/mpcd/deck/mpcd_walls.hpp"

namespace mesowarp::mpcd {

namespace {

// Of so many cells, but at least so many that particles may move on for one collision.
Margin marginFor(const input::Deck& deck, int cells) {
  const double perSpeed = collisionTime(deck) / collisionOf(deck).cell;
  const double limit = std::exp2(std::ceil(std::log2(speedLimit(deck))));
  Margin margin;
  margin.moved = limit * perSpeed, margin.usual = std::min(usualSpeed(deck), limit) * perSpeed;
  margin.cells = std::max({2, cells, static_cast<int>(std::ceil(margin.moved))});
  margin.collisions = std::max(1, static_cast<int>(margin.cells / margin.moved));
  return margin;
}

}  // namespace

// Embedded particles come as far as half the skin before the list is built anew, and they migrate.
Margin marginOf(const input::Deck& deck) {
  const CollisionBlock& c = collisionOf(deck);
  Margin margin = marginFor(deck, 0);
  if (!c.embedded.empty())
    margin.cells = std::max(margin.cells, static_cast<int>(std::ceil(0.5 * deck.neighbor.skin / c.cell)));
  return margin;
}

// So wide that particles may be some cells away, and for some collisions: then they migrate every thirty collisions or
// so. A domain that is a third margin has more cells that it shares than others.
Margin marginOf(const input::Deck& deck, int narrowestDomain) {
  const Margin least = marginOf(deck);
  constexpr double wishedCells = 3.0, wishedCollisions = 4.0;
  const double wished = std::min(wishedCells + 2.0 * least.usual, wishedCollisions * least.moved);
  for (int cells = static_cast<int>(std::ceil(wished)); cells > least.cells; --cells)
    if (6 * cells <= narrowestDomain) return marginFor(deck, cells);
  return least;
}

}  // namespace mesowarp::mpcd
