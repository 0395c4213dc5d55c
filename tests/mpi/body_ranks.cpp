// Bodies on all ranks against the same bodies on one: forces at step 0, trajectories and the table's sums, for every
// integrator, with exclusions; the same bits where the deck asks for them.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "core/error.hpp"
#include "input/grammar/parse.hpp"
#include "input/physics_check.hpp"
#include "on_all_ranks.hpp"
#include "physics/nbody/body_method.hpp"

namespace mesowarp::test {
namespace {

using nbody::bodyPart;
using nbody::HostBodies;
using nbody::keepPart;
using nbody::makeInitialBodies;

const std::string cluster = R"(
[run]
steps = 1000
timestep = 0.01
seed = 3
[integrator]
style = "leapfrog"
[[population]]
name = "stars"
kind = "bodies"
species = "star"
initial = "plummer"
count = 203
total_mass = 1.0
radius = 0.589
[[interaction]]
between = "*"
style = "gravity"
softening = 0.05
)";

const std::string salt = R"(
[run]
steps = 1000
timestep = 0.002
temperature = 0.5
seed = 3
[integrator]
style = "velocity-verlet"
[electrostatics]
dielectric = "sigmoidal"
constant = 2.0
alpha = 0.01
beta = -0.05
gamma = 0.4
delta = 0.3
[[population]]
name = "cations"
kind = "bodies"
species = "A"
initial = "lattice"
count = 61
spacing = 1.3
charge = 0.2
[[population]]
name = "anions"
kind = "bodies"
species = "B"
initial = "lattice"
count = 60
spacing = 1.3
charge = -0.2
center = [0.65, 0.65, 0.65]
[[interaction]]
between = "*"
style = "lj-coulomb"
epsilon = 1.0
sigma = 0.9
)";

struct Case {
  const char* name;
  const std::string* deck;
  std::vector<input::Override> overrides;
  bool exclusions = false;
};
const std::vector<Case>& cases() {
  static const std::vector<Case> all{
      {"leapfrog", &cluster, {"integrator.style=leapfrog"}},
      {"velocityverlet", &salt, {}, true},
      {"langevin", &salt, {"integrator.style=langevin", "integrator.friction=1"}, true},
      {"afterwards", &salt, {"nbody.exclude=afterwards", "nbody.accumulator=narumi", "run.precision=mixed"}, true},
      {"hermite", &cluster, {"integrator.style=hermite"}},
      {"hermiteblock", &cluster, {"integrator.style=hermite-block", "run.timestep=0.0625"}}};
  return all;
}

input::Deck deckOf(const Case& of, const std::vector<input::Override>& more) {
  std::vector<input::Override> overrides = of.overrides;
  for (const auto& o : more)  // what the case asks for stays
    if (std::none_of(overrides.begin(), overrides.end(),
                     [&](const auto& own) { return own.substr(0, own.find('=')) == o.substr(0, o.find('=')); }))
      overrides.push_back(o);
  auto result = input::parseDeckText(*of.deck, "deck.toml", overrides);
  for (const auto& d : result.diagnostics) ADD_FAILURE() << input::format(d, "deck.toml");
  for (const auto& d : input::checkPhysics(result.deck)) ADD_FAILURE() << input::format(d, "deck.toml");
  return std::move(result.deck);
}

HostBodies bodiesOf(const Case& of, const input::Deck& deck) {
  HostBodies all = makeInitialBodies(deck);
  if (!of.exclusions) return all;
  const u32 n = static_cast<u32>(all.count());
  for (u32 i = 0; i < n; ++i) all.exclusions.push_back({i, (i * 37 + 11) % n});  // many of other ranks
  std::erase_if(all.exclusions, [](const auto& pair) { return pair[0] == pair[1]; });
  return all;
}

std::unique_ptr<Engine> onOneRank(const input::Deck& deck, const HostBodies& bodies) {
  auto engine = nbody::startEngine(deck, bodies);
  return engine;
}
std::unique_ptr<Engine> onAllRanks(const input::Deck& deck, HostBodies bodies) {
  const RankPart part = bodyPart(deck, world(), bodies.count());
  keepPart(bodies, part);
  auto engine = nbody::startEngine(deck, bodies, part);
  return engine;
}

void run(Engine& engine, i64 first, i64 last) {
  for (i64 k = first; k <= last; ++k) engine.advance(k, {.thermo = k == last, .velocities = true});
  EXPECT_EQ(engine.failure(), std::nullopt);
}

// This rank's rows of a snapshot of all ranks against the same rows of a whole one; differences of at most `unit` of
// the largest number.
void expectNear(const std::vector<double>& part, const std::vector<double>& whole, std::size_t first, double unit,
                const std::string& what) {
  double size = 0.0, worst = 0.0;
  for (const double x : whole) size = std::max(size, std::abs(x));
  ASSERT_LE(first + part.size(), whole.size());
  for (std::size_t k = 0; k < part.size(); ++k) worst = std::max(worst, std::abs(part[k] - whole[first + k]));
  EXPECT_LE(worst, unit * size) << what;
}

class BodyRanks : public testing::TestWithParam<Case> {
protected:
  void follow(const std::vector<input::Override>& overrides, double atFirst, double later) const {
    const input::Deck deck = deckOf(GetParam(), overrides);
    const HostBodies bodies = bodiesOf(GetParam(), deck);
    const auto alone = onOneRank(deck, bodies), together = onAllRanks(deck, bodies);
    ASSERT_EQ(together->particles(), bodies.count());
    i64 first = 0;
    for (const i64 step : {0, 20}) {
      run(*alone, first, step), run(*together, first, step);
      const double unit = step == 0 ? atFirst : later;
      const io::Snapshot a = alone->snapshot(step), b = together->snapshot(step);
      const std::string what = overrides[0] + ", step " + std::to_string(step);
      ASSERT_EQ(b.total, bodies.count());
      const auto at = static_cast<std::size_t>(b.first);
      for (std::size_t k = 0; k < b.tag.size(); ++k) ASSERT_EQ(b.tag[k], at + k);
      for (std::size_t k = 0; k < b.tag.size(); ++k) ASSERT_EQ(b.species[k], a.species[at + k]);
      EXPECT_EQ(world().sum(static_cast<i64>(b.tag.size())), bodies.count());
      expectNear(b.position, a.position, 3 * at, unit, what + ": positions");
      expectNear(b.velocity, a.velocity, 3 * at, unit, what + ": velocities");
      expectNear(b.force, a.force, 3 * at, 10.0 * unit, what + ": forces");
      const ThermoSums &s = alone->sums(), &t = together->sums();
      const double energy = std::abs(s.potential) + s.kinetic[0] + s.kinetic[1] + s.kinetic[2];
      for (int c = 0; c < 6; ++c) EXPECT_NEAR(s.kinetic[c], t.kinetic[c], 100.0 * unit * energy) << what;
      for (int c = 0; c < 6; ++c) EXPECT_NEAR(s.virial[c], t.virial[c], 100.0 * unit * energy) << what;
      for (int c = 0; c < 3; ++c) EXPECT_NEAR(s.momentum[c], t.momentum[c], 100.0 * unit) << what;
      EXPECT_NEAR(s.potential, t.potential, 100.0 * unit * energy) << what;
      for (const auto& [name, value] : alone->quantities())
        EXPECT_NEAR(together->quantities().at(name), value, 100.0 * unit * (1.0 + std::abs(value)))
            << what << " " << name;
      first = step + 1;
    }
  }
  // What an engine leaves that its run can be told by.
  static std::vector<double> numbersOf(const Engine& engine) {
    const ThermoSums& s = engine.sums();
    std::vector<double> all(s.kinetic, s.kinetic + 6);
    all.insert(all.end(), s.virial, s.virial + 6), all.insert(all.end(), s.momentum, s.momentum + 3);
    all.push_back(s.potential);
    for (const auto& [name, value] : engine.quantities()) all.push_back(value);
    return all;
  }
};

// Round-off of a force is that of its largest term; 20 steps let it grow.
TEST_P(BodyRanks, FollowOneRankInSingle) { follow({"run.precision=single"}, 3e-6, 3e-5); }
TEST_P(BodyRanks, FollowOneRankInMixed) { follow({"run.precision=mixed"}, 1e-10, 1e-9); }
TEST_P(BodyRanks, FollowOneRankInDouble) { follow({"run.precision=double"}, 1e-13, 1e-11); }
TEST_P(BodyRanks, FollowOneRankWithEverySum) {
  for (const char* sum : {"double-sum", "takahashi-iitaka", "nitadori", "modified-nitadori", "narumi"})
    follow({std::string("nbody.accumulator=") + sum, "run.precision=single"}, 3e-6, 3e-5);
}

TEST_P(BodyRanks, AreDeterministic) {
  const input::Deck deck = deckOf(GetParam(), {"run.precision=single"});
  const HostBodies bodies = bodiesOf(GetParam(), deck);
  const auto a = onAllRanks(deck, bodies), b = onAllRanks(deck, bodies);
  run(*a, 0, 10), run(*b, 0, 10);
  EXPECT_EQ(a->stateHash(), b->stateHash());
  EXPECT_EQ(numbersOf(*a), numbersOf(*b));
}

// State and table have the bits of one rank.
TEST_P(BodyRanks, HaveTheBitsOfOneRank) {
  for (const char* precision : {"run.precision=single", "run.precision=mixed", "run.precision=double"}) {
    const input::Deck deck = deckOf(GetParam(), {precision, "run.reproducibility=bitwise"});
    const HostBodies bodies = bodiesOf(GetParam(), deck);
    const auto alone = onOneRank(deck, bodies), together = onAllRanks(deck, bodies);
    for (const i64 step : {0, 1, 30}) {
      run(*alone, step < 2 ? step : 2, step), run(*together, step < 2 ? step : 2, step);
      EXPECT_EQ(together->stateHash(), alone->stateHash()) << precision << " " << step;
      EXPECT_EQ(numbersOf(*together), numbersOf(*alone)) << precision << " " << step;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Integrators, BodyRanks, testing::ValuesIn(cases()),
                         [](const auto& of) { return of.param.name; });

TEST(BodyRankErrors, FewerBodiesThanRanks) {
  if (world().size() == 1) return;
  const input::Deck deck = deckOf(cases()[0], {"run.precision=single"});
  EXPECT_NO_THROW(bodyPart(deck, world(), world().size()));
  try {
    bodyPart(deck, world(), world().size() - 1);
    ADD_FAILURE() << "not refused";
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("start at most " + std::to_string(world().size() - 1)), std::string::npos)
        << error.what();
  }
}

// All ranks say the same of a failure of one.
TEST(BodyRankErrors, OneRanksFailureIsKnownToAll) {
  const input::Deck deck = deckOf(cases()[1], {"run.precision=single", "nbody.accumulator=double-sum"});
  HostBodies bodies = makeInitialBodies(deck);
  const int last = bodies.count() - 1;
  bodies.velocity[static_cast<std::size_t>(last)][0] = std::numeric_limits<double>::infinity();
  const auto engine = onAllRanks(deck, bodies);
  engine->advance(0, {}), engine->advance(1, {});
  const auto failure = engine->failure();
  ASSERT_TRUE(failure.has_value());
  EXPECT_NE(failure->find("has no finite place"), std::string::npos) << *failure;
  if (world().size() > 1) {
    EXPECT_EQ(failure->rfind("rank ", 0), 0u) << *failure;
    EXPECT_EQ(world().fromRank(0, *failure), *failure);
  }
}

}  // namespace
}  // namespace mesowarp::test
