// The files that a run makes in its output directory, as far as a deck decides their names.
#pragma once

#include <string>
#include <vector>

#include "input/deck.hpp"
#include "input/grammar/diagnostic.hpp"

namespace mesowarp::input {

// The signed distance to walls, without its endings, of decks that have [[wall]] blocks.
inline constexpr const char* wallFile = "walls";

// Of cells, one file a frame: surface-<population>-<step>.vtp.
inline constexpr const char* surfaceSeries = "surface-";

// Names in the output directory, without the checkpoints (checkpoint-<step>.h5).
std::vector<std::string> resultFiles(const Deck& deck);
// Beginnings of the names of files of which there is one a frame.
std::vector<std::string> resultSeries(const Deck& deck);

// The names of trajectories without their endings, one a method: of the first "trajectory", of each further one
// "trajectory-<population>".
std::vector<std::string> trajectoryNames(const Deck& deck);
// Of one [[output]].
std::vector<std::string> trajectoryNames(const Deck& deck, const Output& output);

// A [[measure]] names its files: two must not have one name (nor differ by case alone, which some file systems do not
// see), and none that of the program's other files.
void checkMeasureNames(const Deck& deck, Report& report);
void checkTrajectoryNames(const Deck& deck, Report& report);

}  // namespace mesowarp::input
