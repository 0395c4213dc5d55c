// What the steps of a collision solvent need of a deck, as kernels take it.
#pragma once

#include "physics/mpcd/deck/mpcd_deck.hpp"
#include "physics/mpcd/solvent_pass.hpp"

namespace mesowarp::mpcd {

// How many cells wider than its domain a rank's span is, and how many collisions may pass between two migrations.
struct Margin {
  int cells = 1, collisions = 1;
};
Margin marginOf(const input::Deck& deck);
// Cells that a rank's domain must be wide.
int narrowestDomain(const input::Deck& deck);

std::array<int, 3> cellsOf(const input::Deck& deck);
SumScale scaleOf(const input::Deck& deck, bool wide);
// Up to a cell, by the step alone.
GridShift shiftOf(const BrickGrid& grid, u64 seed, i64 step);
template <class P>
SolventDrives<P> drivesOf(const input::Deck& deck, const Box& box);

}  // namespace mesowarp::mpcd
