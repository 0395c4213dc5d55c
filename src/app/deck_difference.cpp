#include "app/deck_difference.hpp"

#include <sstream>

#include "core/error.hpp"
#include "input/parse.hpp"
#include "input/species.hpp"

namespace mesowarp {

void refuseOtherSystem(const std::string& checkpointDeck, const input::Deck& deck, const std::string& path) {
  const auto parsed = input::parseDeckText(checkpointDeck, path, {});
  if (!parsed.ok()) throw InputError(path + ": the deck inside cannot be read by this version");
  const input::Deck& old = parsed.deck;
  const auto refuse = [&](const std::string& what) {
    throw InputError(path + " is of a run with " + what + " than the deck's: a resumed run cannot change that");
  };
  if (old.box.size != deck.box.size || old.box.periodic != deck.box.periodic) refuse("another box");
  if (old.species != deck.species) refuse("other species");
  if (old.run.precision != deck.run.precision) refuse("another precision");
  if (input::methodOf(old) != input::methodOf(deck)) refuse("other kinds of populations");
  if (input::methodOf(deck) == input::Method::bodies && old.integrator.style != deck.integrator.style)
    refuse("another integrator");
  if ((old.integrator.lambda == 0.5) != (deck.integrator.lambda == 0.5)) refuse("another integrator");
}

std::vector<std::string> deckDifferences(const std::string& checkpointDeck, const std::string& deck) {
  const auto lines = [](const std::string& text) {
    std::vector<std::string> all;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
      if (line.find("steps =") == std::string::npos) all.push_back(line);
    return all;
  };
  const auto before = lines(checkpointDeck), now = lines(deck);
  if (before.size() != now.size()) return {"blocks were added or removed"};
  std::vector<std::string> differences;
  for (std::size_t k = 0; k < before.size(); ++k)
    if (before[k] != now[k]) differences.push_back(before[k] + " -> " + now[k]);
  return differences;
}

}  // namespace mesowarp
