// The phases that keep what is inside of membranes inside, and what is outside outside.
#pragma once

#include "input/deck.hpp"
#include "state/box_population.hpp"
#include "step/engine.hpp"

namespace mesowarp::membrane {

// Of a deck whose membranes have two sides; else nothing. They come before all forces of a step. Defined in
// two_sides.device.cpp.
template <class P>
void addTwoSides(Engine& engine, BoxPopulation<P>& population, const input::Deck& deck);

}  // namespace mesowarp::membrane
