// What can be wrong with a [[measure]] that is not of places in the box.
#pragma once

#include "input/deck.hpp"
#include "input/grammar/diagnostic.hpp"

namespace mesowarp::input {

// Measure k of the deck.
void checkMeasured(const Deck& deck, std::size_t k, Report& report);
// Of a measure of places: whose particles it is of.
void checkWhoseProfile(const Deck& deck, std::size_t k, Report& report);
// Of all together: those that particles carry numbers for.
void checkMeasuredFields(const Deck& deck, Report& report);

}  // namespace mesowarp::input
