#include "input/grammar/parse.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>

#include "core/file_kind.hpp"
#include "input/complete.hpp"
#include "input/grammar/resolved.hpp"
#include "input/grammar/toml_reader.hpp"
#include "input/read_blocks.hpp"

namespace mesowarp::input {

bool ParseResult::ok() const {
  return std::all_of(diagnostics.begin(), diagnostics.end(), [](const Diagnostic& d) { return d.warning; });
}

ParseResult parseDeckText(const std::string& text, const std::string& name, const std::vector<Override>& overrides) {
  ParseResult result;
  result.deck.file = name;
  auto root = readToml(text, result.diagnostics);
  if (!root) return result;
  applyOverrides(*root, overrides, result.diagnostics);
  BlocksRead read = readBlocks(*root, name);
  complete(read);
  result.deck = std::move(read.deck);
  std::move(read.diagnostics.begin(), read.diagnostics.end(), std::back_inserter(result.diagnostics));
  sortByPlace(result.diagnostics);
  if (result.ok()) result.deck.resolved = resolvedText(result.deck);
  return result;
}

std::optional<std::string> readDeckText(const std::string& path, std::vector<Diagnostic>& diagnostics) {
  const auto failed = [&](const std::string& message) {
    diagnostics.push_back({{}, message});
    return std::nullopt;
  };
  if (const auto why = whyNoFile(path); !why.empty() && why != "does not exist") return failed("the deck " + why);
  errno = 0;
  std::ifstream file(path, std::ios::binary);
  if (!file) return failed(std::string("the deck cannot be read: ") + std::strerror(errno));
  // One byte more than allowed, so that a longer file shows without being read whole.
  std::string text(largestDeck + 1, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad()) return failed(std::string("the deck cannot be read: ") + std::strerror(errno));
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

ParseResult parseDeck(const std::string& path, const std::vector<Override>& overrides) {
  ParseResult result;
  result.deck.file = path;
  const auto text = readDeckText(path, result.diagnostics);
  return text ? parseDeckText(*text, path, overrides) : result;
}

}  // namespace mesowarp::input
