// The resolved deck: what the program runs, every default included.
#pragma once

#include <string>

#include "input/deck.hpp"

namespace mesowarp::input {

// TOML text; parsing it gives the same Deck again (Sources apart).
std::string resolvedText(const Deck& deck);

}  // namespace mesowarp::input
