// Reactions as text: "A + 2 B -> C : 0.5". Either side may be empty (a first-order decay: "A -> : 0.1").
#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <map>

#include "input/grammar/suggest.hpp"
#include "input/grammar/value.hpp"
#include "physics/transport/deck/transport_deck.hpp"

namespace mesowarp::transport {
namespace {

constexpr int mostTerms = 6, largestNumber = 9;

std::string trimmed(const std::string& text) {
  const auto first = text.find_first_not_of(" \t"), last = text.find_last_not_of(" \t");
  return first == std::string::npos ? "" : text.substr(first, last - first + 1);
}

// "2 B": how many of which solute. Returns what is wrong.
std::string readTerm(const std::string& text, const std::vector<std::string>& solutes, Reaction::Term& term) {
  std::size_t digits = 0;
  while (digits < text.size() && std::isdigit(static_cast<unsigned char>(text[digits]))) ++digits;
  const bool counted = digits > 0 && digits < text.size() && (text[digits] == ' ' || text[digits] == '\t');
  term.number = counted ? std::atoi(text.substr(0, std::min<std::size_t>(digits, 4)).c_str()) : 1;
  const std::string name = counted ? trimmed(text.substr(digits)) : text;
  const auto at = std::find(solutes.begin(), solutes.end(), name);
  term.solute = static_cast<int>(at - solutes.begin());
  if (name.empty()) return "a solute's name is missing";
  if (at == solutes.end())
    return fmt::format("{} is no solute of this deck{}", input::quoted(name), input::suggestion(name, solutes));
  if (term.number < 1 || term.number > largestNumber)
    return fmt::format("{} stands there {} times: from 1 to {} are possible", input::quoted(name), term.number,
                       largestNumber);
  return {};
}

// "A + 2 B", each solute once.
std::string readSide(const std::string& text, const std::vector<std::string>& solutes, std::map<int, int>& numbers) {
  if (trimmed(text).empty()) return {};
  std::size_t first = 0;
  while (first <= text.size()) {
    const std::size_t plus = std::min(text.find('+', first), text.size());
    Reaction::Term term{};
    if (auto wrong = readTerm(trimmed(text.substr(first, plus - first)), solutes, term); !wrong.empty()) return wrong;
    numbers[term.solute] += term.number;
    first = plus + 1;
  }
  return {};
}

}  // namespace

std::string readReaction(const std::string& text, const std::vector<std::string>& solutes, Reaction& reaction) {
  const std::size_t arrow = text.find("->"), colon = text.rfind(':');
  if (arrow == std::string::npos) return "there is no -> in it";
  if (colon == std::string::npos || colon < arrow) return "there is no rate: write \"A + B -> C : 0.5\"";
  const std::string number = trimmed(text.substr(colon + 1));
  char* end = nullptr;
  reaction.rate = std::strtod(number.c_str(), &end);
  if (number.empty() || *end != '\0' || !std::isfinite(reaction.rate) || reaction.rate < 0.0)
    return fmt::format("its rate {} is no number >= 0", input::quoted(number));
  std::map<int, int> before, after;
  if (auto wrong = readSide(text.substr(0, arrow), solutes, before); !wrong.empty()) return wrong;
  if (auto wrong = readSide(text.substr(arrow + 2, colon - arrow - 2), solutes, after); !wrong.empty()) return wrong;
  reaction.reactants.clear(), reaction.changes.clear();
  std::map<int, int> change = after;
  for (const auto& [solute, n] : before) reaction.reactants.push_back({solute, n}), change[solute] -= n;
  for (const auto& [solute, n] : change)
    if (n != 0) reaction.changes.push_back({solute, n});
  if (reaction.changes.empty()) return "it changes nothing";
  if (static_cast<int>(std::max(reaction.reactants.size(), reaction.changes.size())) > mostTerms)
    return fmt::format("it has more than {} solutes", mostTerms);
  return {};
}

std::vector<std::pair<std::string, Reaction>> reactionsOf(const input::Deck& deck) {
  const TransportKeys& keys = transportOf(deck);
  std::vector<std::pair<std::string, Reaction>> all;
  for (std::size_t k = 0; k < keys.reactions.size(); ++k) {
    Reaction reaction;
    if (!readReaction(keys.reactions[k], keys.solutes, reaction).empty()) continue;
    if (k < keys.rates.size()) reaction.rate = keys.rates[k];
    all.emplace_back(keys.reactions[k], std::move(reaction));
  }
  return all;
}

}  // namespace mesowarp::transport
