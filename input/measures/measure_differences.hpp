// What makes the sums that a measure has in a checkpoint useless to a deck that has changed it.
#pragma once

#include <cstdint>

#include "input/deck.hpp"
#include "input/differences.hpp"

namespace mesowarp::input {

// Measure `number` of `now` against that of the same name of the checkpoint's deck, if it had one. step: the
// checkpoint's, before which all samples are.
void measureDifferences(const Deck& then, std::int64_t step, const Deck& now, std::size_t number,
                        Differences& differences);

}  // namespace mesowarp::input
