// Every class of error in a deck: the message, its line and column, the suggestion.
#include <filesystem>
#include <fstream>
#include <gmock/gmock.h>

#include "tests/unit/input/input_decks.hpp"

namespace mesowarp::input::test {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

TEST(InputErrors, ADeckWithoutErrorsHasNone) {
  for (const auto& deck : {minimalDeck, fullDeck, argonDeck}) EXPECT_THAT(errorsOf(deck), IsEmpty());
}

TEST(InputErrors, UnknownKey) {
  EXPECT_THAT(errorsOf(with(minimalDeck, "steps =", "stpes =")),
              ElementsAre("deck.toml:2:1: unknown key \"stpes\" in [run]; did you mean \"steps\"?"));
  EXPECT_THAT(errorsOf(with(minimalDeck, "steps =", "a = 25.0\nsteps =")),
              ElementsAre("deck.toml:2:1: unknown key \"a\" in [run]; it belongs in [[interaction]]"));
  EXPECT_THAT(errorsOf(with(minimalDeck, "size =", "frobnicate = 1\nsize =")),
              ElementsAre("deck.toml:6:1: unknown key \"frobnicate\" in [box]; known: \"size\", \"periodic\""));
  EXPECT_THAT(errorsOf("skin = 3\n" + minimalDeck),
              ElementsAre("deck.toml:1:1: unknown key \"skin\"; it belongs in [neighbor]"));
}

TEST(InputErrors, UnknownBlock) {
  EXPECT_THAT(errorsOf(minimalDeck + "[neighbour]\nskin = 0.2\n"),
              ElementsAre("deck.toml:17:2: unknown block \"neighbour\"; did you mean \"neighbor\"?"));
  EXPECT_THAT(errorsOf(with(minimalDeck, "[run]", "[rnu]")),
              ElementsAre("deck.toml:1:2: unknown block \"rnu\"; did you mean \"run\"?"));
}

TEST(InputErrors, UnknownValue) {
  EXPECT_THAT(
      errorsOf(with(minimalDeck, "a = 25.0", "a = 25.0\nstyle = \"dpdd\"")),
      ElementsAre("deck.toml:16:9: style: expected one of \"dpd\", \"tdpd\", \"lj\", \"wca\", "
                  "\"dpd-thermostat\", \"soft\", \"table\", \"morse\", \"many-body\", \"gravity\", or \"lj-coulomb\", "
                  "found the string \"dpdd\"; did you mean \"dpd\"?"));
  EXPECT_THAT(errorsOf(with(minimalDeck, "steps =", "precision = \"Double\"\nsteps =")),
              ElementsAre("deck.toml:2:13: precision: expected one of \"single\", \"mixed\", or \"double\", found the "
                          "string \"Double\"; did you mean \"double\"?"));
}

TEST(InputErrors, WrongType) {
  EXPECT_THAT(errorsOf(with(minimalDeck, "0.01", "\"fast\"")),
              ElementsAre("deck.toml:3:12: timestep: expected a number > 0 (time), found the string \"fast\""));
  EXPECT_THAT(errorsOf(with(minimalDeck, "10000", "10.5")),
              ElementsAre("deck.toml:2:9: steps: expected an integer from 0 to 1000000000000000, found 10.5"));
  EXPECT_THAT(errorsOf(with(minimalDeck, "\"water\"", "true")),
              ElementsAre("deck.toml:9:8: name: expected a name of letters, digits, _ and -, found true"));
  EXPECT_THAT(errorsOf(with(minimalDeck, "[10.0, 10.0, 10.0]", "10.0")),
              ElementsAre("deck.toml:6:8: size: expected three numbers > 0 (length), found 10.0"));
  EXPECT_THAT(errorsOf(with(minimalDeck, "10000", "{ n = 1 }")),
              ElementsAre(HasSubstr("deck.toml:2:9: steps: expected an integer")));
  EXPECT_THAT(errorsOf(with(minimalDeck, "10000", "2024-01-01")), ElementsAre(HasSubstr("found a date or time")));
}

TEST(InputErrors, OutOfRange) {
  EXPECT_THAT(errorsOf(with(minimalDeck, "0.01", "-0.01")),
              ElementsAre("deck.toml:3:12: timestep: expected a number > 0 (time), found -0.01"));
  EXPECT_THAT(errorsOf(with(minimalDeck, "0.01", "nan")), ElementsAre(HasSubstr("found nan")));
  EXPECT_THAT(errorsOf(with(minimalDeck, "0.01", "1e200")), ElementsAre(HasSubstr("found 1e+200")));
  EXPECT_THAT(errorsOf(with(minimalDeck, "10.0, 10.0]", "0, 10.0]")),
              ElementsAre("deck.toml:6:15: size: expected three numbers > 0 (length), found 0"));
  EXPECT_THAT(errorsOf(minimalDeck + "[integrator]\nstyle = \"groot-warren\"\nlambda = 2\n"),
              ElementsAre("deck.toml:19:10: lambda: expected a number from 0 to 1, found 2"));
}

TEST(InputErrors, KeyOfAnotherStyle) {
  EXPECT_THAT(errorsOf(with(argonDeck, "style = \"lj\"", "style = \"lj\"\ngamma = 4.5")),
              ElementsAre("deck.toml:17:1: gamma is only for style = \"dpd\", \"dpd-thermostat\", or \"tdpd\"; this "
                          "block has style = \"lj\""));
  EXPECT_THAT(errorsOf(with(argonDeck, "style = \"lj\"", "style = \"wca\"\ncutoff = 2.5")),
              ElementsAre("deck.toml:17:1: cutoff is only for style = \"dpd\", \"dpd-thermostat\", \"tdpd\", \"lj\", "
                          "\"soft\", \"morse\", \"many-body\", "
                          "or \"table\"; this block has style = \"wca\""));
}

TEST(InputErrors, MissingKeyOrBlock) {
  EXPECT_THAT(errorsOf(with(minimalDeck, "timestep = 0.01\n", "")),
              ElementsAre("deck.toml:1:1: [run] needs timestep: a number > 0 (time); length of one step"));
  EXPECT_THAT(errorsOf(with(minimalDeck, "a = 25.0\n", "")),
              ElementsAre(StartsWith("deck.toml:13:1: [[interaction]] needs a:")));
  EXPECT_THAT(errorsOf(""), ElementsAre("deck.toml: missing block [run]", "deck.toml: missing block [box]",
                                        "deck.toml: missing block [[population]]"));
}

TEST(InputErrors, OneBlockOrSeveral) {
  EXPECT_THAT(errorsOf(with(minimalDeck, "[run]", "[[run]]")),
              ElementsAre("deck.toml:1:3: there is one run: write [run], once, not [[run]]"));
  EXPECT_THAT(
      errorsOf(with(minimalDeck, "[[interaction]]", "[interaction]")),
      ElementsAre("deck.toml:13:2: there may be several interaction blocks: write [[interaction]], not [interaction]"));
}

TEST(InputErrors, BrokenTomlIsToldWhereItBreaks) {
  EXPECT_THAT(errorsOf(with(minimalDeck, "0.01", "")),
              ElementsAre(StartsWith("deck.toml:3:12: this is no valid TOML: ")));
  EXPECT_THAT(errorsOf(minimalDeck + "[run]\n"),
              ElementsAre(AllOf(StartsWith("deck.toml:17:1: "), HasSubstr("redefine existing table 'run'"))));
  EXPECT_THAT(errorsOf(with(minimalDeck, "water", "w\xff")), ElementsAre(StartsWith("deck.toml:9:")));
}

TEST(InputErrors, SpeciesOfPopulations) {
  EXPECT_THAT(errorsOf(with(minimalDeck, "species = \"W\"\n", "")),
              ElementsAre("deck.toml:8:1: population \"water\" needs species: the species of its particles"));
  EXPECT_THAT(errorsOf(with(fullDeck, "HHTTTT", "HHTXTT")),
              ElementsAre("deck.toml:32:10: the letter \"X\" of blocks is not in letters; known: \"H\", \"T\""));
  EXPECT_THAT(errorsOf(with(fullDeck, "HHTTTT", "TTTT")),
              ElementsAre("deck.toml:33:11: the letter \"H\" does not occur in blocks"));
  EXPECT_THAT(errorsOf(with(fullDeck, "HHTTTT", "HH TT")),
              ElementsAre(HasSubstr("deck.toml:32:10: blocks: expected letters and digits")));
  EXPECT_THAT(errorsOf(with(fullDeck, "T = \"tail\"", "TT = \"tail\"")),
              ElementsAre("deck.toml:33:25: letters: expected a single letter or digit, found \"TT\""));
}

TEST(InputErrors, InteractionsNameSpeciesAndCoverEveryPair) {
  EXPECT_THAT(errorsOf(with(fullDeck, "between = [\"tail\"", "between = [\"tial\"")),
              ElementsAre("deck.toml:44:11: no population has the species \"tial\"; did you mean \"tail\"?"));
  EXPECT_THAT(errorsOf(with(fullDeck, "between = \"*\"", "between = [\"W\", \"*\"]")),
              ElementsAre("deck.toml:29:1: no [[interaction]] between \"head\" and \"tail\": add one with between = "
                          "[\"head\", \"tail\"]",
                          "deck.toml:29:1: no [[interaction]] between \"tail\" and \"tail\": add one with between = "
                          "[\"tail\", \"tail\"]"));
  EXPECT_THAT(errorsOf(with(minimalDeck, "[\"W\", \"W\"]", "\"W\"")),
              ElementsAre(HasSubstr("for one species among itself write it twice")));
  EXPECT_THAT(errorsOf(minimalDeck + "[[interaction]]\nbetween = \"*\"\na = 1\ngamma = 1\n"),
              ElementsAre("deck.toml:13:1: warning: this interaction, in line 13, has no effect: for the same species "
                          "a later [[interaction]] replaces it, in line 17"));
}

TEST(InputErrors, BondsNamePolymers) {
  EXPECT_THAT(errorsOf(with(fullDeck, "population = \"amphiphile\"", "population = \"amphifile\"")),
              ElementsAre("deck.toml:55:14: there is no population \"amphifile\"; did you mean \"amphiphile\"?"));
  EXPECT_THAT(errorsOf(with(fullDeck, "population = \"amphiphile\"", "population = \"water\"")),
              ElementsAre(HasSubstr("is a fluid and has no bonds")));
  EXPECT_THAT(errorsOf(with(fullDeck, "exclude = true", "type = 2")),
              ElementsAre(StartsWith("deck.toml:59:8: type is for bonds from a file")));
}

TEST(InputErrors, NamesAreUnique) {
  EXPECT_THAT(errorsOf(with(fullDeck, "name = \"amphiphile\"", "name = \"water\"")),
              testing::Contains("deck.toml:30:8: there is a [[population]] with name = \"water\" already, in line 23"));
  EXPECT_THAT(errorsOf(with(fullDeck, "face = \"z+\"", "face = \"z\"")),
              ElementsAre("deck.toml:66:8: face z- has a boundary already, in line 61"));
  EXPECT_THAT(
      errorsOf(with(fullDeck, "format = \"table\"\ncolumns = [\"time\", \"pressure_xy\"]", "format = \"trajectory\"")),
      ElementsAre(
          "deck.toml:87:1: there is a trajectory \"trajectory\" already, in line 81: give this one a name of its "
          "own"));
}

TEST(InputErrors, AllAtOnceInTheOrderOfTheDeck) {
  std::string deck = with(with(with(minimalDeck, "0.01", "0"), "[10.0, 10.0", "[10.0"), "density", "densty");
  EXPECT_THAT(errorsOf(deck + "[[output]]\nevery = 3\n", {"run.seed=-1"}),
              ElementsAre(StartsWith("deck.toml:3:12: timestep"), StartsWith("deck.toml:6:8: size"),
                          StartsWith("deck.toml:11:1: unknown key \"densty\""),
                          StartsWith("deck.toml:17:1: [[output]] needs format"),
                          StartsWith("--set run.seed=-1: seed: expected an integer >= 0")));
}

TEST(InputErrors, FilesThatAreNoDecks) {
  const auto folder = std::filesystem::temp_directory_path() / "mesowarp-input-errors";
  std::filesystem::create_directories(folder);
  const auto errors = [](const std::string& path) { return lines(parseDeck(path).diagnostics); };
  EXPECT_THAT(errors((folder / "none.toml").string()),
              ElementsAre("deck.toml: the deck cannot be read: No such file or directory"));
  EXPECT_THAT(errors(folder.string()), ElementsAre("deck.toml: the deck is a directory, not a file"));
  std::ofstream(folder / "huge.toml") << std::string((1 << 20) + 1, '#');
  EXPECT_THAT(errors((folder / "huge.toml").string()),
              ElementsAre("deck.toml: this is no deck: it is larger than 1 MiB"));
  std::ofstream(folder / "binary.toml") << std::string("\x89HDF\r\n\x1a\n\0\0", 10);
  EXPECT_EQ(errors((folder / "binary.toml").string()).size(), 1u);
  std::ofstream(folder / "good.toml") << minimalDeck;
  EXPECT_THAT(errors((folder / "good.toml").string()), IsEmpty());
  std::filesystem::remove_all(folder);
}

TEST(InputErrors, DeepNestingIsNoCrash) {
  std::string dotted = "a", nested = "a = ";
  for (int k = 0; k < 100000; ++k) dotted += ".a", nested += "[";
  EXPECT_THAT(errorsOf(dotted + " = 1"), ElementsAre("deck.toml:1:1: more than 64 dots on one line"));
  EXPECT_THAT(errorsOf(nested), ElementsAre(StartsWith("deck.toml:1:")));
  // Commas in quotes are part of a key; those between numbers end what may be one.
  std::string quoted = "a", list = "run.steps = [0.5";
  for (int k = 0; k < 100000; ++k) quoted += ".\",\"";
  for (int k = 0; k < 1000; ++k) list += ", 0.5";
  EXPECT_THAT(errorsOf(quoted + " = 1"), ElementsAre("deck.toml:1:1: more than 64 dots on one line"));
  EXPECT_THAT(errorsOf(std::string(minimalDeck) + "\n" + dotted.substr(0, 151) + " = [1, 2]").front(),
              HasSubstr("more than 64 dots on one line"));
  for (const std::string& error : errorsOf(list + "]")) EXPECT_THAT(error, Not(HasSubstr("dots")));
}

}  // namespace
}  // namespace mesowarp::input::test
