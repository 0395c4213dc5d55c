// The memory that measures take.
#pragma once

#include "input/deck.hpp"

namespace mesowarp::input {

// Of all of a deck's, bytes of each particle that is measured.
double bytesOfMeasures(const Deck& deck);

}  // namespace mesowarp::input
