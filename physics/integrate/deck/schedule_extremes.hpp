// What a deck comes to be by its [[schedule]] blocks. Of decks whose schedules are not known to be right; what is wrong
// with them is left out. No Kokkos.
#pragma once

#include "physics/integrate/schedule.hpp"

namespace mesowarp {

// Whether there is one value for each step.
inline bool isComplete(const ScheduleKeys& keys) {
  return !keys.steps.empty() && keys.steps.size() == keys.values.size();
}

// The numbers of a deck that a key names: that of its block, and of the [[interaction]] blocks that the program has
// made like it for walls. Empty: there is none, or it must not change.
std::vector<double*> scheduledPlaces(input::Deck& deck, const std::string& key);

// For the reference, in Markdown: what a [[schedule]] can change and what it cannot, and why.
std::string scheduledTable();

// The deck as it is in the first step, without schedules: what is found out before a run is found out for it. Of decks
// that are right.
input::Deck atFirstStep(const input::Deck& deck);

// The steps in which the number of some [[schedule]] is at its least or its largest, and the deck as it is then.
std::vector<std::pair<std::int64_t, input::Deck>> decksAtExtremes(const input::Deck& deck);

}  // namespace mesowarp
