// The one door to toml++: TOML text in, a tree with line and column of every value out.
#pragma once

#include <optional>
#include <string>

#include "input/grammar/diagnostic.hpp"
#include "input/grammar/value.hpp"

namespace mesowarp::input {

constexpr std::size_t largestDeck = 1 << 20;  // bytes

// Nothing, and one more diagnostic, if the text is no TOML. Throws nothing but std::bad_alloc.
std::optional<Node> readToml(const std::string& text, std::vector<Diagnostic>& diagnostics);

// One value in TOML syntax, or a bare word, taken as a string; nothing if it is neither. All of it stands at `where`.
std::optional<Node> readTomlValue(const std::string& text, const Source& where);

}  // namespace mesowarp::input
