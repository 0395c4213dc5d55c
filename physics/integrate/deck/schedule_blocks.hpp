// [[schedule]] as decks have it: grammar, completion, checks. It is of every method that takes the block; the first of
// them in a deck tells what is wrong with it. No Kokkos.
#pragma once

#include "input/complete.hpp"
#include "input/grammar/block.hpp"
#include "input/grammar/diagnostic.hpp"

namespace mesowarp {

constexpr const char* scheduledColumns = "scheduled";  // a word of output.columns: one for each [[schedule]]
// What that word stands for in a deck.
std::vector<std::string> scheduledColumnsOf(const input::Deck& deck);

input::Block<input::OwnItem> scheduleBlock();
// Names of schedules that have none, and what a deck has of them at its start. To be called twice does no harm.
void completeSchedules(input::BlocksRead& read);
void checkSchedules(const input::Deck& deck, input::Report& report);

}  // namespace mesowarp
