#include "physics/mpcd/deck/mpcd_margin.hpp"

#include <algorithm>
#include <cmath>

#include "physics/mpcd/deck/mpcd_deck.hpp"
#include "physics/mpcd/deck/mpcd_walls.hpp"

namespace mesowarp::mpcd {

// Embedded particles come as far as half the skin before the list is built anew, and they migrate.
Margin marginOf(const input::Deck& deck) {
  const CollisionBlock& c = collisionOf(deck);
  const double limit = std::exp2(std::ceil(std::log2(speedLimit(deck))));
  const double moved = limit * collisionTime(deck) / c.cell;
  Margin margin;
  margin.cells = std::max(2, static_cast<int>(std::ceil(moved)));
  margin.collisions = std::max(1, static_cast<int>(margin.cells / moved));
  if (!c.embedded.empty())
    margin.cells = std::max(margin.cells, static_cast<int>(std::ceil(0.5 * deck.neighbor.skin / c.cell)));
  return margin;
}

}  // namespace mesowarp::mpcd
