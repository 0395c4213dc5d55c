#include "app/user/new_deck.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <system_error>

#include "core/error.hpp"
#include "input/grammar/printable.hpp"
#include "io/files/new_file.hpp"

namespace mesowarp {

std::string firstSentence(std::string_view deck) {
  std::string words;
  while (!deck.empty() && deck.front() == '#') {
    const auto end = std::min(deck.find('\n'), deck.size());
    words += std::string(deck.substr(1, end - 1));
    deck.remove_prefix(std::min(end + 1, deck.size()));
  }
  words.erase(0, words.find_first_not_of(' '));
  for (const std::string_view stop : {": ", ". "}) words = words.substr(0, words.find(stop));
  return words;
}

int writeNewDeck(const std::string& kind, const std::string& path) {
  if (kind.empty()) {
    for (const NewDeck& deck : newDecks()) fmt::print("{:<14} {}\n", deck.kind, firstSentence(deck.text));
    return 0;
  }
  const auto& decks = newDecks();
  const auto found = std::find_if(decks.begin(), decks.end(), [&](const NewDeck& deck) { return deck.kind == kind; });
  if (found == decks.end()) throw InputError(fmt::format("there is no kind of deck \"{}\"", input::printable(kind)));
  const std::string name = path.empty() ? kind + ".toml" : path;
  std::error_code ignored;
  if (std::filesystem::symlink_status(name, ignored).type() != std::filesystem::file_type::not_found)
    throw InputError(fmt::format("{} is there already, and stays as it is: name another file: mesowarp new {} FILE",
                                 input::printable(name), kind));
  io::NewFile file(name, false);
  file.write(found->text);
  file.finish();
  fmt::print("{} is written; next: mesowarp check {}, then mesowarp run {}\n", name, name, name);
  return 0;
}

std::vector<std::string> newDeckKinds() {
  std::vector<std::string> kinds;
  for (const NewDeck& deck : newDecks()) kinds.emplace_back(deck.kind);
  return kinds;
}

}  // namespace mesowarp
