// The bounce as a phase of the step: behind the drift, whether the step is one kernel or taken apart; in the kernels of
// a steady step, which allocate nothing; with sums that a checkpoint keeps.
#include <gtest/gtest.h>

#include "physics/methods.hpp"
#include "step/windows.hpp"
#include "tests/unit/boundary/boundary_decks.hpp"
#include "tests/unit/support/test_bitwise.hpp"
#include "tests/unit/support/test_phases.hpp"

namespace mesowarp::test {
namespace {

input::Deck walled(const std::string& precision) {
  return parsedDeck(
      {.size = "[5.4, 5.4, 5.4]",
       .shapes = shapeText("bore", "style = \"cylinder\"\ncenter = [2.7, 2.7, 0.0]\nradius = 1.8"),
       .walls = wallText("not bore", "friction = 0.2\nspin = [0.0, 0.0, 1.0]\nabout = [2.7, 2.7, 0.0]"),
       .run = "precision = \"" + precision + "\"\nreproducibility = \"bitwise\"",
       .fluid = standardWater + "[[output]]\nformat = \"table\"\nevery = 10\ncolumns = [\"wall1_force_x\"]\n",
       .timestep = 0.02});
}

class BoundarySteps : public testing::TestWithParam<std::string> {};

TEST_P(BoundarySteps, TakenApartHaveTheSameBits) {
  const auto deck = walled(GetParam());
  const auto whole = engineOfDeck(deck), apart = engineOfDeck(deck);
  apart->add(std::make_unique<Between>(*apart->populations().front(), 3));
  EXPECT_EQ(bitsAfter(*apart, 60), bitsAfter(*whole, 60));
  EXPECT_EQ(Window().quantities(*whole), Window().quantities(*apart));
}

// Sums since an asker's last look go on behind a restart, whoever else has looked.
TEST_P(BoundarySteps, ForcesGoOnBehindARestart) {
  const auto deck = walled(GetParam());
  const auto whole = engineOfDeck(deck), first = engineOfDeck(deck), second = engineOfDeck(deck);
  // One behind the other: steps that an engine has recorded and not launched yet are in the stream of all.
  Window rows, row, seldom;
  advance(*whole, 0, 10, {.thermo = true});
  rows.quantities(*whole);
  advance(*whole, 11, 39, {});
  advance(*whole, 40, 40, {.thermo = true});
  advance(*first, 0, 10, {.thermo = true});
  row.quantities(*first);
  const auto words = row.state();
  advance(*first, 11, 25, {});
  first->rebuildIfDue(26);
  std::vector<std::vector<std::byte>> storage;
  io::CheckpointContent content;
  for (const auto& view : first->checkpointArrays(storage)) {
    io::Array array{view.type, view.rows, view.width, {}, view.spread, 0, view.rows};
    const auto* bytes = static_cast<const std::byte*>(view.data);
    array.data.assign(bytes, bytes + view.rows * view.width * io::elementSize(view.type));
    content.arrays.emplace(view.name, std::move(array));
  }
  content.numbers["step"] = 26;
  second->restore(content);
  second->advance(26, {});
  advance(*second, 27, 39, {});
  advance(*second, 40, 40, {.thermo = true});
  Window again;
  ASSERT_TRUE(again.restore(words.data(), words.size()));
  auto all = rows.quantities(*whole);
  EXPECT_EQ(again.quantities(*second), all);
  EXPECT_EQ(rows.quantities(*whole), all);  // the same step
  EXPECT_NE(all.at("wall1_force_x"), 0.0);
  EXPECT_EQ(all.at("wall_strays"), 0.0);
  EXPECT_NE(seldom.quantities(*whole).at("wall1_force_x"), all.at("wall1_force_x"));
  EXPECT_FALSE(again.restore(words.data(), words.size() - 1));
}

INSTANTIATE_TEST_SUITE_P(AllPrecisions, BoundarySteps, testing::Values("single", "mixed", "double"),
                         [](const auto& of) { return of.param; });

}  // namespace
}  // namespace mesowarp::test
