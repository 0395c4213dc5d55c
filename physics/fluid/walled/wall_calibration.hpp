// What a wall needs beside its bounce so that flows in the bulk end at its surface: found out before a run, in a flow
// between two plates of the deck's fluid.
#pragma once

#include <string>
#include <vector>

#include "input/deck.hpp"

namespace mesowarp::fluid {

// Whether some wall of the deck leaves something to the program that it can find out
// (physics/fluid/deck/wall_trial.hpp).
bool needsCalibration(const input::Deck& deck);

// Fills in boundary::WallSettings (physics/boundary/deck/wall_tables.hpp) of the deck. The same on any machine and
// any number of threads where runs are. Throws RunError.
void calibrateWalls(input::Deck& deck);

// What was found, for each wall whose friction the deck leaves open.
std::vector<std::string> frictionInWords(const input::Deck& calibrated);
// What is wrong with the density next to walls without particles; empty: nothing.
std::string densityInWords(const input::Deck& calibrated);

}  // namespace mesowarp::fluid
