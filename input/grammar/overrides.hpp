// Command-line overrides, "run.steps=1000" or "population.water.density=4", worked into the deck's tree before it is
// read, so that types, ranges and all else are checked as if the deck said so.
#pragma once

#include <string>
#include <vector>

#include "input/grammar/diagnostic.hpp"
#include "input/grammar/value.hpp"

namespace mesowarp::input {

// "block.key=value"; in a list of blocks "block.NUMBER.key=value", from 0, or "block.NAME.key=value". NUMBER may be one
// past the last: a new block. The value is in TOML syntax; a bare word is a string.
using Override = std::string;

void applyOverrides(Node& root, const std::vector<Override>& overrides, std::vector<Diagnostic>& diagnostics);

}  // namespace mesowarp::input
