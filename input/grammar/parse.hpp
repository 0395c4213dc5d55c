// A deck's text to typed parameters, or to all of its errors at once.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "input/deck.hpp"
#include "input/grammar/diagnostic.hpp"
#include "input/grammar/overrides.hpp"

namespace mesowarp::input {

struct ParseResult {
  Deck deck;                            // complete if ok()
  std::vector<Diagnostic> diagnostics;  // in the order of the deck, overrides last
  bool ok() const;                      // no errors; warnings there may be
};

// The text of the deck at `path`; nothing, and one more diagnostic, if it cannot be read. Of a file larger than a deck
// may be (1 MiB) only as much as shows that.
std::optional<std::string> readDeckText(const std::string& path, std::vector<Diagnostic>& diagnostics);

// Reads the deck at `path`. What is wrong, with the file too, is in the diagnostics: nothing is thrown.
ParseResult parseDeck(const std::string& path, const std::vector<Override>& overrides = {});

// The same for text that is in memory. `name` stands for the path: relative paths in the deck start from its folder.
ParseResult parseDeckText(const std::string& text, const std::string& name,
                          const std::vector<Override>& overrides = {});

}  // namespace mesowarp::input
