// Walls of any shape: whether their solid can be, leaves room for what is around it, and moves along its surface.
#pragma once

#include "input/differences.hpp"
#include "input/grammar/diagnostic.hpp"
#include "physics/boundary/deck/solid_text.hpp"

namespace mesowarp::boundary {

// False: it has told of errors, or warned.
bool checkSolid(const input::Deck& deck, const SolidReach& reach, input::Report& report);

// What a resumed run cannot change: a fluid's frozen particles, and its own, are where they are.
void solidDifference(const input::Deck& then, const input::Deck& now, input::Differences& differences);

}  // namespace mesowarp::boundary
