// The interval of the table's rows when a run is resumed.
#pragma once

#include <string>
#include <vector>

#include "core/types.hpp"
#include "input/deck.hpp"

namespace mesowarp {

// Without [[output]] blocks the interval follows from run.steps, which a resumed run may raise: then that of the
// checkpoint's deck stands, so that one file has one interval. A deck that asks for another one gets it, and a note
// says so.
void keepTableInterval(const std::string& checkpointDeck, i64 step, input::Deck& deck, std::vector<std::string>& notes);

}  // namespace mesowarp
