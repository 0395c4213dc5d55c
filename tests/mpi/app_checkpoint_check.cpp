// What is wrong in one rank's rows of a checkpoint, all ranks refuse, with the same words.
#include <cstring>
#include <functional>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "core/error.hpp"
#include "on_all_ranks.hpp"
#include "physics/resume.hpp"
#include "tests/mpi/io_support.hpp"

namespace mesowarp::test {
namespace {

using Content = io::CheckpointContent;
using testing::HasSubstr;

constexpr i64 lastStep = 5;

System pairsInFluid() {
  System system{emptyDeck({12.0, 6.0, 6.0}, input::Precision::mixed, 0.01, {{"A", 1.0}}), {}};
  addDpd(system.deck, "*", "*", 25.0, 4.5, 3.0);
  addBond(system.deck, input::BondStyle::harmonic, 20.0, 0.5);
  addBond(system.deck, input::BondStyle::harmonic, 30.0, 0.5);
  fill(system, 600, 0.3, 1.0, 6);
  for (u32 pair = 0; pair < 200; ++pair) {
    place(system, {0.055 * pair, 3.0, 2.0}, {0.0, 0.0, 0.0});
    place(system, {0.055 * pair, 3.4, 2.0}, {0.0, 0.0, 0.0});
    system.particles.bonds.push_back({600 + 2 * pair, 601 + 2 * pair, static_cast<int>(pair % 2)});
  }
  system.deck.populations[0].count = system.particles.count();
  system.deck.resolved = "[run]\nsteps = 9\ntimestep = 0.01\n[box]\nsize = [12.0, 6.0, 6.0]\n[[population]]\nname = "
                         "\"A\"\nspecies = \"A\"\n"
                         "count = 1000\n[[interaction]]\nbetween = \"*\"\na = 25.0\ngamma = 4.5\n";
  return system;
}

// All of them between an eighth and a quarter of the box, so that a rank has no rows; they do not repel each other.
System pairsInAnEighth() {
  System system = pairsInFluid();
  for (auto& x : system.particles.position) x[0] = x[0] / 8 + (u64{1} << 61);
  for (auto& interaction : system.deck.interactions) interaction.a = interaction.gamma = 0.0;
  return system;
}

class MpiCheckpointCheck : public testing::Test {
protected:
  Content stored() {
    const auto engine = onAllRanks(system_);
    for (i64 k = 0; k < lastStep; ++k) engine->rebuildIfDue(k), engine->advance(k, {});
    engine->rebuildIfDue(lastStep);
    std::vector<std::vector<std::byte>> storage;
    const auto views = engine->checkpointArrays(storage);
    const std::string path = io::writeCheckpoint(directory_.path(), lastStep, views, {{"deck", system_.deck.resolved}},
                                                 {{"step", lastStep}, {"ranks", world().size()}}, &world());
    return io::readCheckpoint(path, &world());
  }

  // "": taken over.
  std::string answer(const Content& content) {
    try {
      engineOfCheckpoint(content, system_.deck, "file", &world());
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  }

  // forge: changes this rank's rows, on the last rank that has some.
  void expect(const std::string& words, const std::function<void(Content&, i64 rows)>& forge) {
    Content content = intact_;
    const auto rows = static_cast<i64>(content.arrays.at("tag").rows);
    const int last = static_cast<int>(world().largest(rows > 1 ? world().rank() : -1));
    if (world().rank() == last) forge(content, rows);
    const std::string here = answer(content);
    EXPECT_THAT(here, HasSubstr(words));
    EXPECT_EQ(here, world().fromRank(0, here)) << "the same on all ranks";
  }

  template <class T>
  static void set(Content& content, const std::string& name, i64 k, T value) {
    std::memcpy(content.arrays.at(name).data.data() + k * static_cast<i64>(sizeof(T)), &value, sizeof(T));
  }
  template <class T>
  static T get(const Content& content, const std::string& name, i64 k) {
    T value;
    std::memcpy(&value, content.arrays.at(name).data.data() + k * static_cast<i64>(sizeof(T)), sizeof(T));
    return value;
  }
  static i64 bonded(const Content& content) {
    i64 slot = 0;
    while (get<u32>(content, "bond_partner", slot) == 0xFFFFFFFFu) ++slot;
    return slot;
  }

  System system_ = pairsInFluid();
  io::test::SharedDirectory directory_{world()};
  Content intact_ = stored();
};

TEST_F(MpiCheckpointCheck, TakesRanksWithoutRows) {
  system_ = pairsInAnEighth();
  const Content content = stored();
  const bool none = content.arrays.at("tag").rows == 0;
  if (world().size() > 1) {
    EXPECT_EQ(world().largest(none ? 1 : 0), 1) << "a rank without rows";
  }
  EXPECT_EQ(answer(content), "");
}

TEST_F(MpiCheckpointCheck, RefusesOnAllRanksWhatOneFinds) {
  EXPECT_EQ(answer(intact_), "");
  const float nan = std::numeric_limits<float>::quiet_NaN();
  expect("0, 1, 2, … each once", [&](Content& c, i64) { set(c, "tag", 0, get<u32>(c, "tag", 1)); });
  expect("0, 1, 2, … each once", [&](Content& c, i64) { set(c, "tag", 0, u32{1000}); });
  expect("has a bond of particle", [&](Content& c, i64) { set(c, "bond_partner", bonded(c), u32{1000}); });
  expect("of type 3; there are 1000 particles and 2 [[bond]] blocks",
         [&](Content& c, i64) { set(c, "bond_type", bonded(c), i32{2}); });
  expect("only one of their two particles",
         [&](Content& c, i64) { set(c, "bond_type", bonded(c), 1 - get<i32>(c, "bond_type", bonded(c))); });
  expect("only one of their two particles", [&](Content& c, i64) { set(c, "bond_partner", bonded(c), 0xFFFFFFFFu); });
  expect("has a velocity that is no number", [&](Content& c, i64 rows) { set(c, "velocity", 4 * (rows - 1), nan); });
  expect("is of none of the 1 species", [&](Content& c, i64 rows) { set(c, "velocity", 4 * (rows - 1) + 3, u32{1}); });
  expect("'position' has another size", [&](Content& c, i64) { c.arrays.at("position").width -= 1; });
}

}  // namespace
}  // namespace mesowarp::test
