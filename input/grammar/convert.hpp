// From a node of the deck's tree to the value of a field: the type and range checks.
#pragma once

#include <optional>
#include <vector>

#include "input/grammar/diagnostic.hpp"
#include "input/grammar/key.hpp"

namespace mesowarp::input {

// No number of a deck is beyond this: its powers and products stay finite.
constexpr double largestNumber = 1e30;

// Nothing, and at least one more diagnostic, if the node is not what the field expects.
std::optional<Value> convert(const KeyInfo& field, const Node& node, std::vector<Diagnostic>& diagnostics);

bool isName(const std::string& text);

}  // namespace mesowarp::input
