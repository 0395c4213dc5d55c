#include "physics/group/deck/group_keys.hpp"

#include <algorithm>
#include <stdexcept>

#include "input/method.hpp"
#include "input/species.hpp"

namespace mesowarp::group {
namespace {

// A number of at most 18 digits, to which `at` is moved on; throws.
std::int64_t numberAt(const std::string& text, std::size_t& at) {
  const std::size_t from = at;
  while (at < text.size() && text[at] >= '0' && text[at] <= '9') ++at;
  if (at == from || at - from > 18) throw std::invalid_argument(text);
  return std::stoll(text.substr(from, at - from));
}

NumberRange rangeOf(const std::string& piece) {
  std::size_t at = 0;
  NumberRange range{numberAt(piece, at), 0, 1};
  range.last = range.first;
  if (at < piece.size() && piece[at] == ':') range.last = numberAt(piece, ++at);
  if (at < piece.size() && piece[at] == ':') range.stride = numberAt(piece, ++at);
  if (at != piece.size() || range.last < range.first || range.stride < 1) throw std::invalid_argument(piece);
  return range;
}

}  // namespace

std::vector<NumberRange> rangesOf(const std::string& text) {
  std::vector<NumberRange> ranges;
  std::string piece;
  for (const char c : text + ",")
    if (c != ',' && c != ' ')
      piece += c;
    else if (!piece.empty())
      ranges.push_back(rangeOf(piece)), piece.clear();
  if (ranges.empty()) throw std::invalid_argument(text);
  return ranges;
}

const input::MethodBlocks& ownerOfGroups() {
  for (const input::MethodBlocks* method : input::methodBlocks())
    for (const auto* list : method->ownLists())
      if (list->name == GroupKeys::block) return *method;
  throw std::logic_error("no method has groups");
}

std::uint32_t bitOf(const input::Deck& deck, const std::string& group) {
  const auto all = allOf<GroupKeys>(deck);
  for (std::size_t k = 0; k < std::min(all.size(), mostGroups); ++k)
    if (all[k].name == group) return std::uint32_t{1} << k;
  return 0;
}

std::uint32_t heldBits(const input::Deck& deck) {
  std::uint32_t bits = 0;
  for (const HoldKeys& hold : allOf<HoldKeys>(deck)) bits |= bitOf(deck, hold.group);
  return bits;
}

std::vector<std::string> speciesIn(const input::Deck& deck, const GroupKeys& group) {
  std::vector<std::string> all;
  for (const std::string& species : deck.species) {
    bool may = group.populations.empty();
    for (const auto& p : deck.populations) {
      const auto of = input::speciesOf(p);
      may = may || (std::count(group.populations.begin(), group.populations.end(), p.name) > 0 &&
                    std::count(of.begin(), of.end(), species) > 0);
    }
    may = may && (group.species.empty() || std::count(group.species.begin(), group.species.end(), species) > 0);
    if (may) all.push_back(species);
  }
  return all;
}

std::string phaseOf(const PullKeys& keys) { return "pull " + keys.name; }
std::string phaseOf(const HoldKeys& keys) { return "hold " + keys.name; }

bool wantsSums(const input::Deck& deck) {
  const auto asks = [](const std::vector<std::string>& columns) {
    return std::count(columns.begin(), columns.end(), groupColumns) > 0;
  };
  return hasGroups(deck) && (std::any_of(deck.outputs.begin(), deck.outputs.end(),
                                         [&](const input::Output& o) { return asks(o.columns); }) ||
                             std::any_of(deck.measures.begin(), deck.measures.end(),
                                         [&](const input::Measure& m) { return asks(m.columns); }));
}

std::string columnOf(const GroupKeys& keys, const std::string& quantity) {
  return "group_" + keys.name + "_" + quantity;
}
std::string columnOf(const PullKeys& keys, const std::string& quantity) { return "pull_" + keys.name + "_" + quantity; }
std::string columnOf(const HoldKeys& keys, const std::string& quantity) { return "hold_" + keys.name + "_" + quantity; }

}  // namespace mesowarp::group
