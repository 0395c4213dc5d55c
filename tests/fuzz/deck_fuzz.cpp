// Mutated decks: whatever the text, the parser answers with a deck or with diagnostics; it never throws or crashes. A
// deck that parses resolves to text that reads back as the same deck.
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/unit/input/input_decks.hpp"

namespace mesowarp::input::test {
namespace {

// SplitMix64: the same mutations on every machine.
class Random {
public:
  explicit Random(std::uint64_t seed) : state_(seed) {}
  std::size_t below(std::size_t bound) { return bound == 0 ? 0 : static_cast<std::size_t>(next() % bound); }

private:
  std::uint64_t next() {
    std::uint64_t z = (state_ += 0x9E3779B97F4A7C15u);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  std::uint64_t state_;
};

const std::vector<std::string> tokens{"[",
                                      "]",
                                      "[[",
                                      "]]",
                                      "{",
                                      "}",
                                      "=",
                                      ",",
                                      ".",
                                      "\"",
                                      "'",
                                      "\"\"\"",
                                      "#",
                                      "\n",
                                      "*",
                                      "-",
                                      "0",
                                      "1",
                                      "-1",
                                      "0.0",
                                      "1e308",
                                      "1e-320",
                                      "1e30",
                                      "-0.0",
                                      "nan",
                                      "inf",
                                      "-inf",
                                      "true",
                                      "false",
                                      "[]",
                                      "{}",
                                      "\"\"",
                                      "\"*\"",
                                      "9223372036854775807",
                                      "-9223372036854775808",
                                      "99999999999999999999",
                                      "0x7fffffff",
                                      "1979-05-27T07:32:00Z",
                                      "\"lj\"",
                                      "\"wca\"",
                                      "\"dpd\"",
                                      "\"polymer\"",
                                      "\"file\"",
                                      "\"fene\"",
                                      "\"lattice\"",
                                      "\"groot-warren\"",
                                      "[run]\n",
                                      "[[population]]\n",
                                      "[[interaction]]\n",
                                      "[[bond]]\n",
                                      "[[boundary]]\nface = \"x\"\n",
                                      "[[output]]\n",
                                      "gamma",
                                      "sigma",
                                      "temperature",
                                      "count = 4294967295\n",
                                      "types = [\"A\", \"B\"]\n",
                                      "a.b.c",
                                      "\\u0000",
                                      "\xff",
                                      "\xc3\xa9",
                                      "\t"};

std::vector<std::string> seeds() {
  std::vector<std::string> all{minimalDeck, fullDeck, argonDeck};
  const char* root = std::getenv("MESOWARP_SOURCE_DIR");
  std::error_code ignored;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(root ? root : MESOWARP_SOURCE_DIR) + "/examples", ignored)) {
    if (entry.path().extension() != ".toml") continue;
    std::stringstream text;
    text << std::ifstream(entry.path()).rdbuf();
    all.push_back(text.str());
  }
  return all;
}

// Start and end of a piece between blanks.
std::pair<std::size_t, std::size_t> piece(const std::string& text, Random& random) {
  const std::size_t at = random.below(text.size());
  const auto before = text.find_last_of(" \n", at), after = text.find_first_of(" \n", at);
  return {before == std::string::npos ? 0 : before + 1,
          after == std::string::npos ? text.size() : std::max(after, before == std::string::npos ? 0 : before + 1)};
}

std::string mutated(std::string text, const std::vector<std::string>& all, Random& random) {
  const std::size_t at = random.below(text.size() + 1);
  switch (random.below(8)) {
  case 0:
    if (!text.empty()) text[random.below(text.size())] ^= static_cast<char>(1u << random.below(8));
    break;
  case 1:
    text.erase(at, 1 + random.below(20));
    break;
  case 2:
    text.insert(at, tokens[random.below(tokens.size())]);
    break;
  case 3: {  // a value or key becomes another token
    const auto [from, to] = piece(text, random);
    text.replace(from, to - from, tokens[random.below(tokens.size())]);
    break;
  }
  case 4: {  // two pieces swap
    const auto [a, b] = piece(text, random);
    const std::string first = text.substr(a, b - a);
    const auto [c, d] = piece(text, random);
    text.replace(c, d - c, first);
    break;
  }
  case 5: {  // a stretch of another deck
    const std::string& other = all[random.below(all.size())];
    text.insert(at, other.substr(random.below(other.size()), random.below(200)));
    break;
  }
  case 6: {  // a line is lost
    const auto end = text.find('\n', at);
    if (end != std::string::npos) text.erase(text.rfind('\n', end - 1) + 1, end - text.rfind('\n', end - 1));
    break;
  }
  default: {  // a line comes twice
    const auto end = text.find('\n', at);
    const auto start = end == std::string::npos || end == 0 ? 0 : text.rfind('\n', end - 1) + 1;
    if (end != std::string::npos) text.insert(start, text.substr(start, end + 1 - start));
  }
  }
  return text;
}

// Returns whether the text parsed.
bool digest(const std::string& text, const std::vector<Override>& overrides) {
  const auto result = parseDeckText(text, "fuzz/deck.toml", overrides);
  for (const auto& diagnostic : result.diagnostics) EXPECT_FALSE(format(diagnostic, "deck.toml").empty());
  checkPhysics(result.deck);
  estimate(result.deck);
  if (!result.ok()) {
    EXPECT_FALSE(result.diagnostics.empty());
    return false;
  }
  const auto again = parseDeckText(result.deck.resolved, "fuzz/deck.toml");
  EXPECT_TRUE(again.ok());
  for (const auto& diagnostic : again.diagnostics)
    if (!diagnostic.warning) ADD_FAILURE() << format(diagnostic, "resolved");
  if (again.ok()) expectSameDeck(result.deck, again.deck);
  return true;
}

TEST(DeckFuzz, MutatedDecks) {
  const auto all = seeds();
  const auto start = std::chrono::steady_clock::now();
  const auto hasTime = [&] { return std::chrono::steady_clock::now() - start < std::chrono::seconds(8); };
  constexpr std::size_t fewest = 501, most = 20000;  // the fewest however slow the machine and the build are
  std::size_t parsed = 0, tried = 0;
  for (; tried < fewest || (tried < most && hasTime()); ++tried) {
    Random random(tried);
    std::string text = all[random.below(all.size())];
    for (std::size_t k = 1 + random.below(tried % 2 ? 2 : 8); k > 0; --k) text = mutated(std::move(text), all, random);
    std::vector<Override> overrides;
    if (random.below(4) == 0) {
      Override option = "population.0.density=4";
      for (std::size_t k = random.below(4); k > 0; --k) option = mutated(std::move(option), all, random);
      overrides.push_back(option);
    }
    ASSERT_NO_THROW(parsed += digest(text, overrides)) << text;
    if (testing::Test::HasFailure()) {
      FAIL() << "mutation " << tried << " of\n" << text << (overrides.empty() ? "" : "\n--set " + overrides[0]);
    }
  }
  RecordProperty("tried", static_cast<int>(tried));
  RecordProperty("parsed", static_cast<int>(parsed));
  EXPECT_GT(parsed, tried / 50) << "nearly all mutations break the deck: the round trip is hardly tested";
  EXPECT_GE(tried, fewest);
}

}  // namespace
}  // namespace mesowarp::input::test
