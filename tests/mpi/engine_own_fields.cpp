// The tests' own pair force (tests/unit/support/test_exchange.hpp) on several ranks: ghosts have what it reads, rows
// that migrate take along what they carry, and a checkpoint of many ranks goes on there or on one.
#include <gtest/gtest.h>

#include "on_all_ranks.hpp"
#include "tests/mpi/io_support.hpp"
#include "tests/unit/support/test_own_state.hpp"

namespace mesowarp::test {
namespace {

using input::Precision;

class EngineRanksOwnFields : public testing::TestWithParam<std::tuple<Precision, bool, bool>> {
protected:
  Precision precision() const { return std::get<0>(GetParam()); }
  bool bitwise() const { return std::get<1>(GetParam()); }
  System system() const { return exchangingFluid(precision(), bitwise(), std::get<2>(GetParam())); }
  std::string bitsOf(Engine& engine, i64 first, i64 last) const {
    runExchange(engine, first, last);
    return ownBits(engine, precision(), &world());
  }
  std::unique_ptr<Engine> together(const System& system) const {
    auto engine = onAllRanks(system);
    beginExchange(*engine, precision());
    return engine;
  }
  std::unique_ptr<Engine> alone(const System& system) const {
    auto engine = system.engine();
    beginExchange(*engine, precision());
    return engine;
  }
};

TEST_P(EngineRanksOwnFields, SumsAgreeWithTheReference) {
  const System s = system();
  const auto engine = together(s);
  expectStepAsReference(s, *engine, 0, &world());
  advance(*engine, 1, 61);
  expectStepAsReference(s, *engine, 62, &world());
  EXPECT_EQ(engine->failure(), std::nullopt);
  EXPECT_GT(engine->counters().migrated, 20);
}

// The bits of one rank in bitwise; otherwise not, or this test would see nothing.
TEST_P(EngineRanksOwnFields, HaveTheBitsOfOneRankInBitwise) {
  const System s = system();
  const std::string bits = bitsByTheRoot([&] {
    const auto one = alone(s);
    runExchange(*one, 0, 60);
    return ownBits(*one, precision(), nullptr);
  });
  EXPECT_EQ(bitsOf(*together(s), 0, 60) == bits, bitwise());
}

// Through a file: on the same ranks the same bits always, on one in bitwise.
TEST_P(EngineRanksOwnFields, ResumedRunHasTheSameBits) {
  const System s = system();
  const std::string unbroken = bitsOf(*together(s), 0, 40);
  for (const i64 stop : {1, 20, 22}) {
    const auto first = together(s);
    advance(*first, 0, stop - 1);
    first->rebuildIfDue(stop);
    std::vector<std::vector<std::byte>> storage;
    const auto views = first->checkpointArrays(storage);
    const io::test::SharedDirectory directory(world());
    const std::string path = io::writeCheckpoint(directory.path(), stop, views, {{"deck", ""}},
                                                 {{"step", stop}, {"ranks", world().size()}}, &world());
    const auto content = io::readCheckpoint(path, &world());
    const RankPart part = rankPart(s.deck, world(), s.particles.count());
    const auto second =
        makeEngine(s.deck, static_cast<int>(content.arrays.at("tag").rows), 0, backend::defaultSort, part).engine;
    second->restore(content);
    second->advance(stop, {});
    EXPECT_TRUE(bitsOf(*second, stop + 1, 40) == unbroken) << "stopped at step " << stop;
    if (!bitwise()) continue;
    const std::string bits = bitsByTheRoot([&] {
      const auto one = makeEngine(s.deck, s.particles.count(), 0).engine;
      one->restore(io::readCheckpoint(path));
      one->advance(stop, {});
      runExchange(*one, stop + 1, 40);
      return ownBits(*one, precision(), nullptr);
    });
    EXPECT_TRUE(bits == unbroken) << "on one rank from step " << stop;
  }
}

INSTANTIATE_TEST_SUITE_P(Modes, EngineRanksOwnFields,
                         testing::Combine(testing::ValuesIn(allPrecisions), testing::Bool(), testing::Bool()),
                         [](const auto& instance) {
                           return titleOf(std::get<0>(instance.param)) +
                                  (std::get<1>(instance.param) ? "Bitwise" : "Deterministic") +
                                  (std::get<2>(instance.param) ? "BesideOthers" : "Alone");
                         });

}  // namespace
}  // namespace mesowarp::test
