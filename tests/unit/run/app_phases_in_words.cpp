// `mesowarp check` names the phases of a deck's step without making an engine: they are those that it would have.
#include <filesystem>
#include <gtest/gtest.h>

#include "input/grammar/parse.hpp"
#include "input/method.hpp"
#include "physics/methods.hpp"

namespace mesowarp::test {
namespace {

std::vector<std::string> phasesOfEngine(const input::Deck& deck) {
  std::vector<std::string> names;
  const auto engine = engineOfDeck(deck);
  for (const auto& phase : engine->phases()) names.push_back(phase->name());
  return names;
}

// The fluid that walls are cut from is equilibrated first, which for this example takes most of the time of all.
const std::vector<input::Override> narrowTube{"box.size=[6.0,9.4,9.4]", "shape.0.center=[0.0,4.7,4.7]",
                                              "shape.0.radius=3.0", "measure.0.center=[0.0,4.7,4.7]",
                                              "measure.0.radius=3.0"};

TEST(PhasesInWords, AreThoseOfTheEngineForEveryExample) {
  int decks = 0;
  for (const auto& entry : std::filesystem::directory_iterator(std::string(MESOWARP_SOURCE_DIR) + "/examples")) {
    if (entry.path().extension() != ".toml") continue;
    const bool tube = entry.path().stem() == "tdpd_tube";
    const auto parsed = input::parseDeck(entry.path(), tube ? narrowTube : std::vector<input::Override>{});
    ASSERT_TRUE(parsed.ok()) << entry.path();
    EXPECT_EQ(input::phasesOf(parsed.deck), phasesOfEngine(parsed.deck)) << entry.path();
    ++decks;
  }
  EXPECT_GE(decks, 8);
}

}  // namespace
}  // namespace mesowarp::test
