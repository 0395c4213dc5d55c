// What particles carry for measures (origins.hpp).
#pragma once

#include <string>

#include "input/deck.hpp"
#include "step/engine.hpp"

namespace mesowarp::observables {

// Whether a measure has a field of its particles, and its name and its words of 64 bits.
bool hasField(const input::Measure& measure);
std::string fieldName(const input::Measure& measure);
inline int fieldWords(const input::Measure& measure) { return 3 * measure.levels; }

// Adds the fields of all measures of a deck, before the first step and before a checkpoint is restored.
void addMeasuredFields(Engine& engine, const input::Deck& deck);

}  // namespace mesowarp::observables
