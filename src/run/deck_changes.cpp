#include "run/deck_changes.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <optional>
#include <sstream>
#include <utility>

namespace mesowarp {
namespace {

using DeckKey = std::pair<std::string, std::string>;  // name, value

struct DeckBlock {
  std::string header;  // with its brackets
  std::size_t number;  // among those of this header, from 1
  std::vector<DeckKey> keys;

  std::optional<std::string> value(const std::string& name) const {
    for (const auto& [key, value] : keys)
      if (key == name) return value;
    return std::nullopt;
  }
  std::string title() const { return header[1] == '[' ? fmt::format("{} {}", header, number) : header; }
};

std::vector<DeckBlock> deckBlocks(const std::string& resolved) {
  std::vector<DeckBlock> blocks;
  std::istringstream stream(resolved);
  for (std::string line; std::getline(stream, line);) {
    if (line.empty()) continue;
    if (line.front() == '[') {
      const auto number = std::count_if(blocks.begin(), blocks.end(), [&](const auto& b) { return b.header == line; });
      blocks.push_back({line, static_cast<std::size_t>(number) + 1, {}});
    } else if (const auto equals = line.find(" = "); equals != std::string::npos && !blocks.empty()) {
      const std::string key = line.substr(0, equals);
      if (blocks.back().header != "[run]" || key != "steps")
        blocks.back().keys.emplace_back(key, line.substr(equals + 3));
    }
  }
  return blocks;
}

using DeckBlocks = std::vector<DeckBlock>;

DeckBlocks withHeader(const DeckBlocks& all, const std::string& header) {
  DeckBlocks found;
  std::copy_if(all.begin(), all.end(), std::back_inserter(found), [&](const auto& b) { return b.header == header; });
  return found;
}

// The first block for which are(block, other) and which no other has yet.
template <class Are>
void pairUp(const DeckBlocks& before, const DeckBlocks& now, std::vector<std::optional<std::size_t>>& partner,
            const Are& are) {
  for (std::size_t n = 0; n < now.size(); ++n)
    for (std::size_t b = 0; b < before.size() && !partner[n]; ++b)
      if (std::find(partner.begin(), partner.end(), b) == partner.end() && are(before[b], now[n])) partner[n] = b;
}

std::string firstOf(const DeckBlock& block) {
  return block.keys.empty() ? std::string() : fmt::format(" ({} = {})", block.keys[0].first, block.keys[0].second);
}

void compareKeys(const DeckBlock& before, const DeckBlock& now, std::vector<std::string>& lines) {
  for (const auto& [key, value] : now.keys) {
    const auto then = before.value(key);
    if (!then)
      lines.push_back(fmt::format("{} {} is new: {}", now.title(), key, value));
    else if (*then != value)
      lines.push_back(fmt::format("{} {}: {} -> {}", now.title(), key, *then, value));
  }
  for (const auto& [key, value] : before.keys)
    if (!now.value(key)) lines.push_back(fmt::format("{} {} is gone: {}", now.title(), key, value));
}

void compareBlocks(const DeckBlocks& before, const DeckBlocks& now, std::vector<std::string>& lines) {
  std::vector<std::optional<std::size_t>> partner(now.size());
  pairUp(before, now, partner, [](const DeckBlock& a, const DeckBlock& b) { return a.keys == b.keys; });
  for (const char* key : {"name", "label"})
    pairUp(before, now, partner,
           [&](const DeckBlock& a, const DeckBlock& b) { return a.value(key) && a.value(key) == b.value(key); });
  pairUp(before, now, partner, [](const DeckBlock&, const DeckBlock&) { return true; });
  std::size_t last = 0;
  bool inOrder = true;
  for (std::size_t n = 0; n < now.size(); ++n) {
    if (!partner[n]) {
      lines.push_back(fmt::format("{} is new{}", now[n].title(), firstOf(now[n])));
      continue;
    }
    inOrder = inOrder && *partner[n] >= last, last = *partner[n];
    compareKeys(before[*partner[n]], now[n], lines);
  }
  for (std::size_t b = 0; b < before.size(); ++b)
    if (std::find(partner.begin(), partner.end(), b) == partner.end())
      lines.push_back(fmt::format("{} is gone{}", before[b].title(), firstOf(before[b])));
  if (!inOrder) lines.push_back(fmt::format("the {} blocks are in another order", now[0].header));
}

}  // namespace

std::vector<std::string> changesOf(const std::string& before, const std::string& now) {
  const DeckBlocks then = deckBlocks(before), today = deckBlocks(now);
  std::vector<std::string> headers, lines;
  for (const DeckBlocks* blocks : {&today, &then})
    for (const DeckBlock& block : *blocks)
      if (std::find(headers.begin(), headers.end(), block.header) == headers.end()) headers.push_back(block.header);
  for (const auto& header : headers) compareBlocks(withHeader(then, header), withHeader(today, header), lines);
  return lines;
}

}  // namespace mesowarp
