// What a deck comes to be by its [[schedule]] blocks. Of decks whose schedules are not known to be right; what is wrong
// with them is left out. No Kokkos.
#pragma once

#include "physics/integrate/schedule.hpp"

namespace mesowarp {

// Whether there is one value for each step.
inline bool isComplete(const ScheduleKeys& keys) {
  return !keys.steps.empty() && keys.steps.size() == keys.values.size();
}

// The steps in which the number of some [[schedule]] is at its least or its largest, and the deck as it is then.
std::vector<std::pair<std::int64_t, input::Deck>> decksAtExtremes(const input::Deck& deck);

}  // namespace mesowarp
