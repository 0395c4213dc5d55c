// States of a fluid in equilibrium that fills all of the box, as copies of a periodic block, which has a short run of
// its own.
#pragma once

#include <array>
#include <vector>

#include "input/deck.hpp"
#include "io/h5md/snapshot.hpp"

namespace mesowarp::fluid {

struct FluidStates {
  input::Deck block;              // the deck's fluids alone
  std::array<int, 3> copies{};    // of the block, along each axis, fill the box
  std::vector<io::Snapshot> all;  // of the block, far enough apart to differ
};

// The same on each rank that asks. edge: of the block, in cutoffs; 0: by the size of the box. Throws InputError,
// RunError.
FluidStates equilibratedStates(const input::Deck& deck, double edge = 0.0);

// Of the box, in cubes of the largest cutoff.
double volumeInCutoffs(const input::Deck& deck);

}  // namespace mesowarp::fluid
