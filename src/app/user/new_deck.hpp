// Decks to start from, one for each kind of system: the files of examples/new, which are compiled in.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace mesowarp {

struct NewDeck {
  std::string_view kind, text;
};

// All of them, by kind (written by the build: cmake/MesowarpNewDecks.cmake).
const std::vector<NewDeck>& newDecks();

std::vector<std::string> newDeckKinds();

// What a deck is, in a line: its first sentence.
std::string firstSentence(std::string_view deck);

// Writes the deck of a kind to a file; path empty: KIND.toml here. kind empty: lists the kinds. Throws InputError for
// an unknown kind, and if there is something at path already, whatever it is. Returns the exit code.
int writeNewDeck(const std::string& kind, const std::string& path);

}  // namespace mesowarp
