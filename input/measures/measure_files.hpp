// The files of a [[measure]] that is not of places in the box.
#pragma once

#include <string>
#include <vector>

#include "input/deck.hpp"

namespace mesowarp::input {

// What a file's name without its ending has behind the measure's: "" for a function, "_means" for single numbers beside
// it.
std::vector<std::string> measureSuffixes(const Measure& measure);
// The default name.
std::string nameOf(const Measure& measure);

}  // namespace mesowarp::input
