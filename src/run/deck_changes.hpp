// What two decks differ in, block by block and key by key.
#pragma once

#include <string>
#include <vector>

namespace mesowarp {

// Of two resolved decks (Deck::resolved), one line for each difference: "[run] seed: 1 -> 2", "[[interaction]] 2, b is
// new: 25.0", "[[output]] 3 is gone (format = "xyz")". Blocks of one name belong together if they are the same, or else
// by their name or label, or else in their order; numbers are those of the new deck, of what is gone those of the old.
// The number of steps does not count, since a run is resumed for more of them.
std::vector<std::string> changesOf(const std::string& before, const std::string& now);

}  // namespace mesowarp
