// The resolved deck reads back as the same deck; the reference is that of the schema.
#include <cstdlib>
#include <fstream>
#include <gmock/gmock.h>
#include <sstream>

#include "input/grammar/reference.hpp"
#include "input/grammar/suggest.hpp"
#include "tests/unit/input/input_decks.hpp"

namespace mesowarp::input::test {
namespace {

TEST(InputResolved, ReadsBackAsTheSameDeck) {
  const std::string file = with(minimalDeck, "density = 3.0", "initial = \"file\"\nfile = \"start.data\"");
  const std::string types = with(file, "species = \"W\"", "types = [\"W\", \"V\"]");
  for (const auto& text : {minimalDeck, fullDeck, argonDeck, file, with(types, "[\"W\", \"W\"]", "\"*\"")}) {
    const Deck deck = deckOf(text);
    const auto again = parseDeckText(deck.resolved, "/elsewhere/deck.toml");
    EXPECT_THAT(lines(again.diagnostics), testing::IsEmpty());
    expectSameDeck(deck, again.deck);
  }
}

TEST(InputResolved, HoldsEveryDefault) {
  const std::string text = deckOf(minimalDeck).resolved;
  for (const char* line :
       {"temperature = 1.0\n", "seed = 1\n", "precision = \"mixed\"\n", "skin = 0.3\n", "sigma = 3.0\n",
        "periodic = [true, true, true]\n", "style = \"velocity-verlet\"\n", "every = 500\n", "mass = 1.0\n"})
    EXPECT_THAT(text, testing::HasSubstr(line));
}

TEST(InputResolved, NumbersKeepTheirBits) {
  for (const double number : {0.1, 1.0 / 3.0, 1e-7, 1e22, 123456789.0, 5e-324}) {
    const std::string text = tomlText(Value(number));
    EXPECT_EQ(std::strtod(text.c_str(), nullptr), number);
    EXPECT_NE(text.find_first_of(".e"), std::string::npos) << text;
  }
}

TEST(InputSchema, EveryFieldIsDocumentedAndItsDefaultAllowed) {
  forEachBlock([](const auto& schema, auto) {
    EXPECT_FALSE(schema.about.empty()) << schema.name;
    for (const auto& field : schema.fields) {
      EXPECT_FALSE(field.about.empty()) << field.key;
      for (const When& condition : field.when) {
        const auto keys = schema.keys();
        EXPECT_NE(std::find(keys.begin(), keys.end(), condition.key), keys.end()) << field.key;
      }
      const bool hasDefault = !field.required && field.defaultText.empty();
      const Value value = defaultOf(field);
      if (!hasDefault || !std::holds_alternative<double>(value)) continue;
      const double number = std::get<double>(value);
      EXPECT_TRUE(number >= field.range.lowest && number <= field.range.highest &&
                  !(field.range.above && number == field.range.lowest))
          << field.key;
    }
  });
}

TEST(InputReference, DocumentIsThatOfTheSchema) {
  const char* root = std::getenv("MESOWARP_SOURCE_DIR");
  const std::string path = std::string(root ? root : MESOWARP_SOURCE_DIR) + "/docs/reference.md";
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  EXPECT_TRUE(text.str() == referenceMarkdown()) << path << " is out of date: mesowarp reference > docs/reference.md";
}

TEST(InputSuggest, DistanceAndNearest) {
  EXPECT_EQ(editDistance("gamma", "gamma"), 0);
  EXPECT_EQ(editDistance("gmama", "gamma"), 1);
  EXPECT_EQ(editDistance("Time-Step", "time_step"), 0);
  EXPECT_EQ(editDistance("", "abc"), 3);
  EXPECT_EQ(nearest("sigm", {"gamma", "sigma"}), "sigma");
  EXPECT_EQ(nearest("pressure", {"gamma", "sigma"}), "");
  EXPECT_EQ(nearest("x", {"y", "z"}), "");
  EXPECT_EQ(nearest(std::string(100000, 'x'), {"y"}), "");
}

}  // namespace
}  // namespace mesowarp::input::test
