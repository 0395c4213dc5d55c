// What makes the sums that a measure has in a checkpoint useless to a deck that has changed it.
#pragma once

#include "input/deck.hpp"
#include "input/differences.hpp"

namespace mesowarp::input {

// Measure `number` of `now` against that of the same name of the checkpoint's deck, if it had one.
void measureDifferences(const Deck& then, const Deck& now, std::size_t number, Differences& differences);

}  // namespace mesowarp::input
