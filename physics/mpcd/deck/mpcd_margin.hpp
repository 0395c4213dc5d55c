// How far particles get from their rank's domain, in collision cells.
#pragma once

#include "input/deck.hpp"

namespace mesowarp::mpcd {

// How many cells wider than its domain a rank's span is, and how many collisions may pass between two migrations.
struct Margin {
  int cells = 1, collisions = 1;
  double moved = 1.0;  // by a particle in a collision, in cells, at most
  double usual = 1.0;  // the same, of one that is not faster than usualSpeed(): those that are must be reported

  // How far particles may be from their domain, in cells, and stay away for two collisions more.
  double lasting() const { return cells - 2.0 * usual - 1e-6 * cells; }
};
Margin marginOf(const input::Deck& deck);
// The same where domains of so many cells have room for more: each migration makes the ranks wait for each other.
Margin marginOf(const input::Deck& deck, int narrowestDomain);
// How wide a domain must be for its neighbours' spans to overlap with its own once, in cells.
constexpr int narrowest(int margin) { return 2 * margin + 3; }
// Cells that a rank's domain must be wide.
inline int narrowestDomain(const input::Deck& deck) { return narrowest(marginOf(deck).cells); }

}  // namespace mesowarp::mpcd
