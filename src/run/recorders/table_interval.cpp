#include "run/recorders/table_interval.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "input/grammar/diagnostic.hpp"
#include "input/grammar/parse.hpp"
#include "input/grammar/resolved.hpp"

namespace mesowarp {
namespace {

auto tableOf(auto& deck) {
  return std::find_if(deck.outputs.begin(), deck.outputs.end(),
                      [](const input::Output& output) { return output.format == input::OutputFormat::table; });
}

}  // namespace

void keepTableInterval(const std::string& checkpointDeck, i64 step, input::Deck& deck,
                       std::vector<std::string>& notes) {
  const auto parsed = input::parseDeckText(checkpointDeck, deck.file, {});
  const auto before = tableOf(parsed.deck);
  const auto now = tableOf(deck);
  if (!parsed.ok() || before == parsed.deck.outputs.end() || now == deck.outputs.end() || now->every == before->every)
    return;
  if (!input::isGiven(deck, fmt::format("output.{}", now - deck.outputs.begin()))) {
    now->every = before->every;
    deck.resolved = input::resolvedText(deck);
  } else {
    notes.push_back(fmt::format("the table has a row every {} steps up to step {} and every {} from there on; its "
                                "averages weigh all rows alike",
                                before->every, step, now->every));
  }
}

}  // namespace mesowarp
