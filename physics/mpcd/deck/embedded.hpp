// Particles of other methods that are embedded in the solvent, as a deck has them. Masses are in those of a solvent
// particle.
#pragma once

#include <string>
#include <vector>

#include "input/deck.hpp"
#include "input/grammar/diagnostic.hpp"

namespace mesowarp::mpcd {

// Of each species of the deck its mass; 0: it is not embedded. Empty: none is.
std::vector<double> embeddedMasses(const input::Deck& deck);

// Bits of what a cell can hold of them, and of what none is faster than: powers of two
// (physics/mpcd/solutes/guest_sums.hpp).
struct GuestBits {
  int mass = 0, speed = 0;
};
GuestBits guestBits(const input::Deck& deck);
// A cell's sums have so many bits behind the point of m v, and of m.
constexpr int momentumBits(const GuestBits& bits) { return 62 - bits.mass - bits.speed; }
constexpr int massBits(const GuestBits& bits) { return 58 - bits.mass; }

void checkEmbedded(const input::Deck& deck, input::Report& report);

}  // namespace mesowarp::mpcd
