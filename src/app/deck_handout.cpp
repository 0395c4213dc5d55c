#include "app/deck_handout.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <spdlog/spdlog.h>

#include "app/same_files.hpp"
#include "core/error.hpp"
#include "input/estimate.hpp"
#include "input/grammar/parse.hpp"
#include "input/grammar/printable.hpp"
#include "input/physics_check.hpp"
#include "io/checkpoint/checkpoint.hpp"
#include "io/checkpoint/checkpoint_text.hpp"
#include "physics/methods.hpp"
#include "run/deck_difference.hpp"

namespace mesowarp {
namespace {

std::vector<std::string> allOverrides(const RunRequest& request) {
  std::vector<std::string> all = request.overrides;
  if (request.steps) all.push_back("run.steps=" + std::to_string(*request.steps));
  if (request.seed) all.push_back("run.seed=" + std::to_string(*request.seed));
  return all;
}

bool isThere(const std::string& file) {
  std::error_code ignored;
  return std::filesystem::is_regular_file(file, ignored);
}

// The numbers of particles that the deck's files hold, for the checks and the estimate.
void countParticlesOfFiles(input::ParseResult& result) {
  for (std::size_t k = 0; k < result.deck.populations.size(); ++k) {
    input::Population& population = result.deck.populations[k];
    if (population.initial != input::StartKind::file || !isThere(population.file)) continue;  // the checks tell
    try {
      population.count = methodFor(population).particlesInFile(population.file);
    } catch (const std::exception& error) {
      result.diagnostics.push_back({input::sourceOf(result.deck, fmt::format("population.{}.file", k)), error.what()});
    }
  }
}

// Of files that are not there any more, what the checkpoint to go on from says. So long as one is not known, files are
// asked for.
void takeCountsOfCheckpoint(input::Deck& deck, const RunRequest& request) {
  input::Deck then = deck;
  const auto checkpoint = request.resume.empty() ? io::newestCheckpoint(outputDirectory(request)) : request.resume;
  if (!checkpoint) return;
  if (const auto counts = io::textInCheckpoint(*checkpoint, fileCountsText)) input::takeCountsOfFiles(then, *counts);
  bool needed = false;
  for (std::size_t k = 0; k < deck.populations.size(); ++k) {
    input::Population& population = deck.populations[k];
    if (population.initial != input::StartKind::file) continue;
    if (population.count == 0 && !isThere(population.file)) population.count = then.populations[k].count;
    needed = needed || population.count == 0;
  }
  deck.own.get<input::StartFiles>().needed = needed;
}

// counts: what the root has found in its files, or its checkpoint; without it they are looked into.
input::ParseResult parseAndCheck(const std::string& text, const RunRequest& request,
                                 const std::optional<std::string>& counts) {
  auto result = input::parseDeckText(text, request.deck, allOverrides(request));
  if (counts) {
    input::takeCountsOfFiles(result.deck, *counts);
    result.deck.own.get<input::StartFiles>().needed = !request.resuming;
  } else if (result.ok()) {
    countParticlesOfFiles(result);
    if (request.resuming) takeCountsOfCheckpoint(result.deck, request);
  }
  if (result.ok())
    for (auto& d : input::checkPhysics(result.deck)) result.diagnostics.push_back(std::move(d));
  return result;
}

constexpr std::size_t mostTold = 20;          // of errors, and of warnings
constexpr std::size_t longestMessage = 1000;  // bytes

void print(const input::ParseResult& result, const RunRequest& request) {
  std::size_t told[2] = {};  // errors, warnings
  for (const auto& d : result.diagnostics) {
    if (d.warning && request.quiet) continue;
    if (told[d.warning ? 1 : 0]++ < mostTold)
      fmt::print(stderr, "{}\n", input::printable(input::format(d, request.deck), longestMessage));
  }
  for (const int warning : {1, 0})
    if (told[warning] > mostTold)
      fmt::print(stderr, "... and {} more {}\n", told[warning] - mostTold, warning ? "warnings" : "errors");
  if (told[0] > 0)
    fmt::print(stderr, "{} error{} in {}; nothing was run or written\n", told[0], told[0] == 1 ? "" : "s",
               input::printable(request.deck));
}

// Reads, parses, checks and prints; the deck's text and the deck if there are no errors.
std::optional<input::Deck> readDeck(const RunRequest& request, std::string& text) {
  input::ParseResult result;
  if (const auto read = input::readDeckText(request.deck, result.diagnostics))
    text = *read, result = parseAndCheck(text, request, std::nullopt);
  print(result, request);
  return result.ok() ? std::optional(std::move(result.deck)) : std::nullopt;
}

// What all ranks have to agree on, in words that no command line can contain a separator of.
constexpr char separator = '\0';

std::string packed(const RunRequest& request) {
  std::string words = request.deck + separator + request.output + separator + (request.resuming ? "r" : "") +
                      separator + request.resume;
  for (const auto& item : allOverrides(request)) words += separator + item;
  return words;
}

void unpack(const std::string& words, RunRequest& request) {
  std::vector<std::string> parts(1);
  for (const char c : words) {
    if (c == separator)
      parts.emplace_back();
    else
      parts.back() += c;
  }
  request.deck = parts[0], request.output = parts[1], request.resuming = !parts[2].empty(), request.resume = parts[3];
  request.overrides.assign(parts.begin() + 4, parts.end());
  request.steps.reset(), request.seed.reset();
}

std::string shown(const std::string& words) {
  RunRequest request;
  unpack(words, request);
  std::string line = request.deck;
  if (!request.output.empty()) line += " --output " + request.output;
  for (const auto& item : request.overrides) line += " --set " + item;
  return line + (request.resuming ? " --resume" + (request.resume.empty() ? "" : " " + request.resume) : "");
}

// The root's request on all ranks.
void shareRequest(RunRequest& request, const comm::Communicator& ranks) {
  const std::string mine = packed(request), roots = ranks.fromRank(0, mine);
  const std::vector<std::int64_t> differs = ranks.all(mine == roots ? 0 : 1);
  const auto first = std::find(differs.begin(), differs.end(), 1);
  if (first == differs.end()) return;
  const auto rank = static_cast<int>(first - differs.begin());
  const std::string others = ranks.fromRank(rank, mine);
  if (ranks.root())
    spdlog::warn("rank {} of {} was started with another command line than the root:\n  root:   {}\n  rank {}: {}\nall "
                 "of them run the root's, as one simulation",
                 rank, ranks.size(), shown(roots), rank, shown(others));
  unpack(roots, request);
}

}  // namespace

std::string outputDirectory(const RunRequest& request) {
  return request.output.empty() ? std::filesystem::path(request.deck).stem().string() + "-output" : request.output;
}

std::optional<input::Deck> readDeck(const RunRequest& request) {
  std::string ignored;
  return readDeck(request, ignored);
}

std::optional<input::Deck> handOutDeck(RunRequest& request, const comm::Communicator& ranks) {
  shareRequest(request, ranks);
  std::string text;
  std::optional<input::Deck> deck;
  if (ranks.root()) deck = readDeck(request, text);
  if (ranks.all(deck ? 1 : 0)[0] == 0) return std::nullopt;
  text = ranks.fromRank(0, std::move(text));
  const std::string counts = ranks.fromRank(0, deck ? input::countsOfFiles(*deck) : "");
  ranks.onAll([&] {
    if (ranks.root()) return;
    auto result = parseAndCheck(text, request, counts);
    for (const auto& d : result.diagnostics)
      if (!d.warning) throw InputError(fmt::format("rank {}: {}", ranks.rank(), input::format(d, request.deck)));
    deck = std::move(result.deck);
  });
  requireSameFiles(*deck, request.resuming, ranks);
  return deck;
}

}  // namespace mesowarp
