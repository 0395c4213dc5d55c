// Tracers on all ranks against the same on one, alone and in a fluid; and a checkpoint of as many tracers as particles.
#include <gtest/gtest.h>

#include "io/checkpoint/checkpoint.hpp"
#include "physics/resume.hpp"
#include "tests/mpi/io_support.hpp"
#include "tests/mpi/on_all_ranks.hpp"
#include "tests/unit/tracers/tracer_decks.hpp"

namespace mesowarp::test {
namespace {

TEST(TracerRanks, HaveTheBitsOfOne) {
  for (const char* count : {"20001", "3", "70000"}) {  // fewer than ranks; several blocks of the hash
    const input::Deck deck =
        checkedDeck(dye, {std::string("population.dye.count=") + count, "population.dye.velocity=[3, 0, -2]",
                          "box.periodic=[true, true, false]"});
    const auto one = engineOfDeck(deck), all = engineOfDeck(deck, several());
    for (auto* engine : {one.get(), all.get()}) advanceTo(*engine, 0, 25);
    EXPECT_EQ(all->stateHash(), one->stateHash()) << count;
    EXPECT_EQ(msdOf(*all), msdOf(*one)) << count;
    EXPECT_GT(msdOf(*one), 0.0);
    const io::Snapshot whole = one->snapshot(25), mine = all->snapshot(25);
    EXPECT_EQ(mine.total, whole.total);
    for (std::size_t i = 0; i < mine.tag.size(); ++i) {
      const auto tag = static_cast<std::size_t>(mine.first) + i;
      ASSERT_EQ(mine.tag[i], tag);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        ASSERT_EQ(mine.position[3 * i + axis], whole.position[3 * tag + axis]);
        ASSERT_EQ(mine.image[3 * i + axis], whole.image[3 * tag + axis]);
      }
    }
  }
}

TEST(TracerRanks, HaveTheBitsOfOneInAFluid) {
  const input::Deck deck = checkedDeck(dyeInWater);
  const auto one = engineOfDeck(deck), all = engineOfDeck(deck, several());
  for (auto* engine : {one.get(), all.get()}) advanceTo(*engine, 0, 40);
  EXPECT_EQ(all->stateHash(), one->stateHash());
  EXPECT_EQ(msdOf(*all), msdOf(*one));
}

// The fluid's ranks have unequal numbers of particles, and their sum is the number of tracers: those are shared out by
// their tags all the same. Read by as many ranks, and by one.
TEST(TracerRanks, ACheckpointGivesEachPopulationItsRows) {
  const input::Deck deck = checkedDeck(dyeInWater);
  const auto engine = engineOfDeck(deck, several());
  advanceTo(*engine, 0, 19);
  engine->rebuildIfDue(20);
  std::vector<std::vector<std::byte>> storage;
  const auto arrays = engine->checkpointArrays(storage);
  const io::test::SharedDirectory directory(world());
  const std::string path = io::writeCheckpoint(directory.path(), 20, arrays, {{"deck", deck.resolved}},
                                               {{"step", 20}, {"ranks", world().size()}}, several());
  engine->advance(20, {});
  advanceTo(*engine, 21, 40);
  for (const comm::Communicator* readers : {several(), static_cast<const comm::Communicator*>(nullptr)}) {
    const auto resumed = engineOfCheckpoint(io::readCheckpoint(path, readers), deck, path, readers);
    resumed->advance(20, {});
    advanceTo(*resumed, 21, 40);
    EXPECT_EQ(resumed->stateHash(), engine->stateHash());
    EXPECT_EQ(msdOf(*resumed), msdOf(*engine));
  }
}

}  // namespace
}  // namespace mesowarp::test
