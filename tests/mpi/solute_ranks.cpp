// Chains in a collision solvent, on all ranks against one: in `bitwise` the same bits, whatever the rule and the
// precision; and a checkpoint read by any number of ranks.
#include "io/checkpoint/checkpoint.hpp"
#include "physics/resume.hpp"
#include "tests/mpi/io_support.hpp"
#include "tests/mpi/on_all_ranks.hpp"
#include "tests/unit/mpcd/mpcd_decks.hpp"

namespace mesowarp::test {
namespace {

const std::string solution = R"(
[run]
steps = 1000
timestep = 0.005
seed = 9
reproducibility = "bitwise"
[box]
size = [60.0, 30.0, 30.0]
[[population]]
name = "chains"
kind = "polymer"
blocks = "AAAAABBBBB"
count = 150
mass = 4.0
bond_length = 0.97
apart = 0.95
[[population]]
name = "solvent"
kind = "mpcd"
density = 0.4
[collision]
every = 10
embedded = ["chains"]
[neighbor]
skin = 0.4
[[interaction]]
between = "*"
style = "wca"
[[bond]]
population = "chains"
style = "fene"
k = 30.0
r_max = 1.5
)";

void expectBitsOfOne(const input::Deck& deck) {
  const auto after120 = [](const std::unique_ptr<Engine>& engine) {
    solventSteps(*engine, 0, 120);
    return Outcome{engine->stateHash(), {engine->sums().kinetic, engine->sums().kinetic + 6}};
  };
  const Outcome mine = after120(engineOfDeck(deck, several()));
  const Outcome ones = byTheRoot([&] { return after120(engineOfDeck(deck)); });
  EXPECT_EQ(mine.bits, ones.bits);
  EXPECT_EQ(mine.numbers, ones.numbers);
}

TEST(SoluteRanks, HaveTheBitsOfOne) {
  for (const char* precision : {"single", "mixed", "double"})
    for (const char* rule :
         {"collision.style=srd", "collision.style=andersen", "collision.thermostat=maxwell-boltzmann"}) {
      SCOPED_TRACE(std::string(precision) + ' ' + rule);
      expectBitsOfOne(solventDeck({rule, std::string("run.precision=") + precision, "collision.sort=5"}, solution));
    }
}

TEST(SoluteRanks, ACheckpointIsReadByAnyNumber) {
  const input::Deck deck = solventDeck({"collision.style=andersen"}, solution);
  const auto engine = engineOfDeck(deck, several());
  solventSteps(*engine, 0, 54);
  engine->rebuildIfDue(55);
  engine->advance(55, {});
  engine->rebuildIfDue(56);
  std::vector<std::vector<std::byte>> storage;
  const auto arrays = engine->checkpointArrays(storage);
  const io::test::SharedDirectory directory(world());
  const std::string path = io::writeCheckpoint(directory.path(), 56, arrays, {{"deck", deck.resolved}},
                                               {{"step", 56}, {"ranks", world().size()}}, several());
  solventSteps(*engine, 56, 90);
  for (const comm::Communicator* readers : {several(), static_cast<const comm::Communicator*>(nullptr)}) {
    const auto resumed = engineOfCheckpoint(io::readCheckpoint(path, readers), deck, path, readers);
    solventSteps(*resumed, 56, 90);
    EXPECT_EQ(resumed->stateHash(), engine->stateHash());
  }
}

}  // namespace
}  // namespace mesowarp::test
