// What time it is in a step: step run.timestep, but for a run that went on with another time step: there time goes on
// from what it was in the checkpoint.
#pragma once

#include "core/types.hpp"
#include "input/deck.hpp"

namespace mesowarp {

// Beside the blocks of a deck; 0 of a run that has kept its time step.
struct ElapsedTime {
  double shift = 0.0;
};

inline double timeOf(const input::Deck& deck, i64 step) {
  return static_cast<double>(step) * deck.run.timestep + deck.own.get<ElapsedTime>().shift;
}

}  // namespace mesowarp
