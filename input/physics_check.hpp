// What a deck means as physics: whether it can run, and whether it should.
#pragma once

#include <cstdint>
#include <vector>

#include "input/deck.hpp"
#include "input/estimate.hpp"
#include "input/grammar/diagnostic.hpp"

namespace mesowarp::input {

// Of a deck without parse errors: what cannot run is an error, what will run badly a warning; in the deck's order.
std::vector<Diagnostic> checkPhysics(const Deck& deck);

// Parts that methods share. Where the bins of measures are; what is recorded when.
void checkMeasures(const Deck& deck, Report& report);
void checkSchedule(const Deck& deck, Report& report);
// An error for population k if with its particles there are more than `most` and without them there were not; adds them
// to soFar.
void refuseTooMany(const Deck& deck, std::size_t k, std::int64_t& soFar, std::int64_t most, Report& report);
// Beside the blocks of a deck. A run that goes on from a checkpoint needs no file that its particles came from.
struct StartFiles {
  bool needed = true;
};
// A file that the deck names must be there, and a file. Empty: none is named.
void checkFile(const std::string& path, const std::string& file, Report& report);
// The same of a file that particles came from.
void checkStartFile(const Deck& deck, const std::string& path, const std::string& file, Report& report);

}  // namespace mesowarp::input
