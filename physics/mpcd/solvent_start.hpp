// Where solvent particles start, and how fast: by tags alone. Mean velocity and kinetic energy are taken from integer
// sums, so they have the same bits on any number of ranks and threads.
#pragma once

#include <vector>

#include "comm/communicator.hpp"
#include "core/box.hpp"
#include "input/deck.hpp"

namespace mesowarp::mpcd {

struct StartRow {
  u64 x[3];  // 64-bit coordinates
  double v[3];
  u32 tag;
};

// Those of tags first, … first + count - 1, which is this rank's block; collective. Net momentum is that of
// population.velocity, the temperature is exact.
std::vector<StartRow> startRows(const input::Deck& deck, const input::Population& population, const Box& box, i64 first,
                                i64 count, i64 total, const comm::Communicator* ranks);

}  // namespace mesowarp::mpcd
