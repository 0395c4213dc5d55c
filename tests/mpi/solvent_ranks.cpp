// A collision solvent on all ranks against the same on one: the same bits, sums and profiles, whatever the precision
// and the rule; and a checkpoint read by any number of ranks.
#include <numeric>

#include "io/checkpoint/checkpoint.hpp"
#include "physics/mpcd/deck/mpcd_margin.hpp"
#include "physics/mpcd/deck/mpcd_walls.hpp"
#include "physics/resume.hpp"
#include "tests/mpi/io_support.hpp"
#include "tests/mpi/on_all_ranks.hpp"
#include "tests/unit/mpcd/mpcd_decks.hpp"

namespace mesowarp::test {
namespace {

// Room for eight ranks, along one axis or along three; few particles a cell, so that it is quick.
input::Deck manyCells(std::vector<std::string> overrides, const std::string& walls = "") {
  // Walls that move ask for wider domains.
  overrides.insert(overrides.end(), {walls.empty() ? "box.size=[60, 30, 32]" : "box.size=[90, 20, 22]",
                                     "population.solvent.density=1.5"});
  return solventDeck(overrides, solvent + walls);
}

// Hash, number, sums and profiles.
Outcome after(int steps, Engine& engine) {
  solventSteps(engine, 0, steps);
  Outcome found{engine.stateHash(), {static_cast<double>(engine.populations()[0]->total())}};
  auto& numbers = found.numbers;
  const auto& sums = engine.sums();
  numbers.insert(numbers.end(), sums.kinetic, sums.kinetic + 6);
  numbers.insert(numbers.end(), sums.momentum, sums.momentum + 3);
  const BinShape cells{BinShape::grid, 0, {3, 4, 5}, {}, 0.0, 0.0};
  const BinShape shells{BinShape::sphere, 2, {5, 1, 1}, {30.0, 15.0, 16.0}, 1.0, 14.0};
  for (const BinShape& shape : {BinShape::across(0, 14), cells, shells}) {
    BinTotals totals(shape.count(), BinWish().width());
    for (int k = 0; k < 2; ++k) engine.addProfile(shape, {}, totals);
    totals.fetch(engine.populations()[0]->ranks());
    const std::vector<double> bins = totals.values();
    EXPECT_GT(std::accumulate(bins.begin(), bins.end(), 0.0), 0.0);
    numbers.push_back(static_cast<double>(bins.size()));
    numbers.insert(numbers.end(), bins.begin(), bins.end());
  }
  return found;
}

void expectBitsOfOneSolvent(const input::Deck& deck, int steps = 8) {
  const auto all = engineOfDeck(deck, several());
  const Outcome mine = after(steps, *all), ones = byTheRoot([&] { return after(steps, *engineOfDeck(deck)); });
  EXPECT_EQ(mine.bits, ones.bits);
  EXPECT_EQ(mine.numbers, ones.numbers);
}

// A sort that is due with a migration takes leavers and arrivals along.
TEST(SolventRanks, SortWhatMigrates) {
  for (const char* precision : {"single", "double"})
    expectBitsOfOneSolvent(manyCells({std::string("run.precision=") + precision, "collision.sort=1"}), 60);
}

// Somebody looks at a step behind whose collision particles have left. Where the next pass would sort them by the way,
// on a GPU, they are sorted before.
TEST(SolventRanks, SortWhatMigratesBeforeALook) {
  const input::Deck deck = manyCells({"collision.sort=1"});
  const auto all = engineOfDeck(deck, several());
  std::vector<std::string> mine;
  constexpr int steps = 24;
  for (int step = 0; step <= steps; ++step) solventSteps(*all, step, step), mine.push_back(all->stateHash());
  EXPECT_EQ(mine.back(), bitsByTheRoot([&] {
              const auto one = engineOfDeck(deck);
              solventSteps(*one, 0, steps);
              return one->stateHash();
            }));
  for (int look = 1; look < steps; look += 5) {
    const auto again = engineOfDeck(deck, several());
    solventSteps(*again, 0, look);
    EXPECT_EQ(again->stateHash(), mine[static_cast<std::size_t>(look)]) << look;
    solventSteps(*again, look + 1, steps);
    EXPECT_EQ(again->stateHash(), mine.back()) << look;
  }
}

TEST(SolventRanks, HaveTheBitsOfOne) {
  for (const char* precision : {"single", "mixed", "double"})
    for (const char* rule :
         {"collision.style=srd", "collision.style=andersen", "collision.thermostat=maxwell-boltzmann"}) {
      SCOPED_TRACE(std::string(precision) + ' ' + rule);
      expectBitsOfOneSolvent(manyCells({rule, std::string("run.precision=") + precision, "collision.sort=5"}));
    }
}

// Domains that are wide enough for particles to migrate only when one of them has gone far; and a flow with which that
// is soon.
TEST(SolventRanks, MigrateWhenTheyMust) {
  const std::string wide = "box.size=[" + std::to_string(80 * world().size()) + ", 9, 8]";
  for (const char* flow : {"population.solvent.velocity=[0, 0, 0]", "population.solvent.velocity=[-3, 0, 1]"}) {
    const input::Deck deck = solventDeck({wide, flow, "population.solvent.density=3", "collision.sort=40"});
    ASSERT_GT(mpcd::marginOf(deck, 80).lasting(), 3.0);
    const auto all = engineOfDeck(deck, several());
    solventSteps(*all, 0, 150);
    EXPECT_EQ(all->stateHash(), bitsByTheRoot([&] {
                const auto one = engineOfDeck(deck);
                solventSteps(*one, 0, 150);
                return one->stateHash();
              }));
  }
}

// A drive makes the solvent faster than is usual, so that particles go further than a margin has room for.
TEST(SolventRanks, MigrateWhenTheyAreFast) {
  const std::string wide = "box.size=[" + std::to_string(40 * world().size()) + ", 9, 8]";
  const input::Deck deck = solventDeck({wide, "run.timestep=0.1", "population.solvent.temperature=0.05",
                                        "population.solvent.density=3", "collision.sort=40"},
                                       solvent + "[[drive]]\nstyle = \"constant\"\nacceleration = [-0.6, 0.0, 0.0]\n");
  const auto margin = mpcd::marginOf(deck, 40);
  ASSERT_EQ(margin.cells, 5);
  ASSERT_LT(margin.cells, 4.0 * margin.moved);
  const auto all = engineOfDeck(deck, several());
  solventSteps(*all, 0, 238);
  const auto count = static_cast<double>(all->populations()[0]->total());
  ASSERT_LT(all->sums().momentum[0] / count, -1.5 * mpcd::usualSpeed(deck));
  EXPECT_EQ(all->stateHash(), bitsByTheRoot([&] {
              const auto one = engineOfDeck(deck);
              solventSteps(*one, 0, 238);
              return one->stateHash();
            }));
}

// Far from one domain to the next, and only every few collisions.
TEST(SolventRanks, HaveTheBitsOfOneWithAFlow) {
  expectBitsOfOneSolvent(manyCells({"population.solvent.velocity=[6, -5, 4]", "run.timestep=0.05"}));
  expectBitsOfOneSolvent(manyCells({"run.timestep=0.02", "collision.every=2"}));
}

TEST(SolventRanks, HaveTheBitsOfOneWithAngularMomentum) {
  for (const char* precision : {"single", "double"})
    for (const char* rule : {"collision.style=andersen", "collision.thermostat=maxwell-boltzmann"})
      expectBitsOfOneSolvent(manyCells({rule, std::string("run.precision=") + precision,
                                        "collision.conserve_angular_momentum=true", "collision.sort=5"}));
}

// A sphere at the corner of many domains, in a turning tube.
TEST(SolventRanks, HaveTheBitsOfOneBetweenWalls) {
  const std::string walls = R"(
[[shape]]
name = "tube"
style = "cylinder"
axis = "x"
center = [0.0, 10.0, 11.0]
radius = 8.3
[[shape]]
name = "ball"
style = "sphere"
center = [30.2, 10.1, 10.8]
radius = 3.4
[[wall]]
name = "outer"
solid = "not tube"
spin = [0.1, 0.0, 0.0]
about = [0.0, 10.0, 11.0]
[[wall]]
name = "inner"
solid = "ball"
)";
  for (const char* precision : {"single", "mixed", "double"})
    for (const char* rule : {"collision.style=andersen", "collision.thermostat=maxwell-boltzmann"})
      for (const char* keeps : {"true", "false"})
        expectBitsOfOneSolvent(manyCells({rule, std::string("run.precision=") + precision,
                                          std::string("collision.conserve_angular_momentum=") + keeps},
                                         walls));
}

TEST(SolventRanks, ACheckpointIsReadByAnyNumber) {
  const input::Deck deck = manyCells({"collision.style=andersen", "collision.every=2", "run.timestep=0.05"});
  const auto engine = engineOfDeck(deck, several());
  solventSteps(*engine, 0, 4);
  engine->advance(5, {});
  std::vector<std::vector<std::byte>> storage;
  const auto arrays = engine->checkpointArrays(storage);
  const io::test::SharedDirectory directory(world());
  const std::string path = io::writeCheckpoint(directory.path(), 6, arrays, {{"deck", deck.resolved}},
                                               {{"step", 6}, {"ranks", world().size()}}, several());
  solventSteps(*engine, 6, 12);
  for (const comm::Communicator* readers : {several(), static_cast<const comm::Communicator*>(nullptr)}) {
    const auto resumed = engineOfCheckpoint(io::readCheckpoint(path, readers), deck, path, readers);
    solventSteps(*resumed, 6, 12);
    EXPECT_EQ(resumed->stateHash(), engine->stateHash());
  }
}

}  // namespace
}  // namespace mesowarp::test
