// Steps of a collision solvent against a plain one in double precision, written here; conservation; distributions; and
// that looking changes nothing.
#include "physics/mpcd/deck/mpcd_theory.hpp"
#include "tests/unit/mpcd/plain_cells.hpp"

namespace mesowarp::test {
namespace {

using mpcd::CellRandom;

// Rodrigues' formula, relative to the mean. The angle is what single precision makes of it, if it is that.
void rotate(Plain& p, const input::Deck& deck, i64 step) {
  double alpha = mpcd::collisionOf(deck).angle * 3.14159265358979323846 / 180.0;
  if (deck.run.precision == input::Precision::single) {
    const auto rotation = mpcd::Rotation<float>::of(alpha);
    alpha = std::atan2(rotation.sine, rotation.cosine);
  }
  for (const auto& [number, cell] : cellsAt(p, deck, step)) {
    double n[3];
    mpcd::directionOf(CellRandom(number, stepKey(deck.run.seed, Stream::cellAxis, step)).next(), n);
    const auto u = meanOf(p, cell);
    for (const std::size_t i : cell) {
      double d[3], along = 0.0;
      for (int a = 0; a < 3; ++a) d[a] = p.v[i][a] - u[a], along += n[a] * d[a];
      for (int a = 0; a < 3; ++a) {
        const int b = (a + 1) % 3, c = (a + 2) % 3;
        p.v[i][a] = u[a] + std::cos(alpha) * d[a] + (1.0 - std::cos(alpha)) * along * n[a] +
                    std::sin(alpha) * (n[b] * d[c] - n[c] * d[b]);
      }
    }
  }
}

// A particle on a cell's face may be on either side of it: so few may differ.
void expectSame(const Plain& a, const Plain& b, const input::Deck& deck, double accuracy) {
  std::size_t differ = 0;
  for (std::size_t i = 0; i < a.x.size(); ++i) {
    bool same = true;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double size = deck.box.size[axis], d = a.x[i][axis] - b.x[i][axis];
      same = same && std::abs(d - size * std::round(d / size)) < accuracy;
      same = same && std::abs(a.v[i][axis] - b.v[i][axis]) < accuracy;
    }
    differ += same ? 0 : 1;
  }
  EXPECT_LE(differ, accuracy < 1e-8 ? 0u : 40u);
}

TEST(SolventSteps, AreStreamingAndRotation) {
  for (const char* precision : {"single", "mixed", "double"}) {
    const input::Deck deck = solventDeck({std::string("run.precision=") + precision});
    const auto engine = engineOfDeck(deck);
    solventSteps(*engine, 0, 3);
    Plain plain(engine->snapshot(3));
    for (const i64 step : {4, 5, 6}) {
      plain = streamed(plain, deck);
      rotate(plain, deck, step);
    }
    solventSteps(*engine, 4, 6);
    expectSame(Plain(engine->snapshot(6)), plain, deck, precision == std::string("double") ? 1e-11 : 1e-5);
  }
}

// The second species is three times and a bit as heavy; what is left out of a deck's text.
const std::string twoMasses = solvent + R"(
[[population]]
name = "heavy"
kind = "mpcd"
density = 4.0
mass = 3.3
)";

TEST(SolventSteps, OfTwoMassesTurnAboutTheMeanOfMomentum) {
  for (const char* precision : {"single", "mixed", "double"}) {
    const input::Deck deck = solventDeck({std::string("run.precision=") + precision}, twoMasses);
    const auto engine = engineOfDeck(deck);
    solventSteps(*engine, 0, 3);
    Plain plain(engine->snapshot(3));
    EXPECT_NEAR(plain.m.back(), 3.3, 1e-11);
    for (const i64 step : {4, 5}) {
      plain = streamed(plain, deck);
      rotate(plain, deck, step);
    }
    solventSteps(*engine, 4, 5);
    expectSame(Plain(engine->snapshot(5)), plain, deck, precision == std::string("double") ? 1e-11 : 1e-5);
  }
}

TEST(SolventSteps, OfTwoMassesConserveEnergyAndMomentum) {
  for (const char* precision : {"single", "mixed", "double"}) {
    const auto engine = engineOfDeck(solventDeck({std::string("run.precision=") + precision}, twoMasses));
    solventSteps(*engine, 0, 0);
    const ThermoSums first = engine->sums();
    solventSteps(*engine, 1, 300);
    const ThermoSums last = engine->sums();
    const bool wide = precision == std::string("double");
    double before = 0.0, after = 0.0;
    for (int c = 0; c < 3; ++c) before += first.kinetic[c], after += last.kinetic[c];
    EXPECT_NEAR(after / before, 1.0, wide ? 1e-12 : 3e-7) << precision;
    for (int c = 0; c < 3; ++c)
      EXPECT_NEAR(last.momentum[c] / 16800.0, first.momentum[c] / 16800.0, wide ? 1e-13 : 2e-7) << precision;
  }
}

TEST(SolventSteps, LookingChangesNothing) {
  for (const auto& [style, text] : {std::pair{"srd", solvent}, {"andersen", solvent}, {"andersen", twoMasses}})
    for (const char* precision : {"single", "mixed", "double"}) {
      const input::Deck deck = solventDeck(
          {std::string("collision.style=") + style, std::string("run.precision=") + precision, "collision.sort=7"},
          text);
      const auto watched = engineOfDeck(deck), alone = engineOfDeck(deck);
      for (i64 step = 0; step <= 20; ++step) solventSteps(*watched, step, step);
      solventSteps(*alone, 0, 20);
      EXPECT_EQ(watched->stateHash(), alone->stateHash()) << style << ' ' << precision;
    }
}

TEST(SolventSteps, SortingChangesNothing) {
  std::string hash;
  for (const char* every : {"1", "3", "100"}) {
    const auto engine = engineOfDeck(solventDeck({std::string("collision.sort=") + every}));
    solventSteps(*engine, 0, 20);
    if (hash.empty()) hash = engine->stateHash();
    EXPECT_EQ(engine->stateHash(), hash) << every;
  }
}

TEST(SolventSteps, NothingHappensBetweenCollisions) {
  const auto every = engineOfDeck(solventDeck({"collision.every=5", "run.timestep=0.02"}));
  const auto each = engineOfDeck(solventDeck());
  solventSteps(*every, 0, 3);
  const Plain start(every->snapshot(3));
  solventSteps(*each, 0, 0);
  expectSame(start, Plain(each->snapshot(0)), solventDeck(), 1e-12);
  solventSteps(*every, 4, 5);
  const Plain first(every->snapshot(5));
  solventSteps(*every, 6, 9);
  expectSame(Plain(every->snapshot(9)), first, solventDeck(), 1e-12);
}

// Without a thermostat energy is conserved, and momentum always.
TEST(SolventSteps, ConserveEnergyAndMomentum) {
  for (const char* precision : {"single", "mixed", "double"}) {
    const auto engine = engineOfDeck(solventDeck({std::string("run.precision=") + precision}));
    solventSteps(*engine, 0, 0);
    const ThermoSums first = engine->sums();
    solventSteps(*engine, 1, 1000);
    const ThermoSums last = engine->sums();
    const bool wide = precision == std::string("double");
    double before = 0.0, after = 0.0;
    for (int c = 0; c < 3; ++c) before += first.kinetic[c], after += last.kinetic[c];
    EXPECT_NEAR(after / before, 1.0, wide ? 1e-12 : 3e-7) << precision;
    for (int c = 0; c < 3; ++c)
      EXPECT_NEAR(last.momentum[c] / 16800.0, first.momentum[c] / 16800.0, wide ? 1e-14 : 1e-7) << precision;
  }
}

// Behind a collision 2 E / k_BT of a cell's motion relative to its mean has the chi-squared distribution of 3 (N - 1)
// degrees of freedom: mean and variance over cells, for each number of particles together.
void expectCanonical(const std::vector<std::string>& overrides, double temperature) {
  const input::Deck deck = solventDeck(overrides);
  const auto engine = engineOfDeck(deck);
  i64 done = -1;
  CellEnergies energies;
  for (i64 step = 20; step <= 60; step += 10) {
    solventSteps(*engine, done + 1, step);
    done = step;
    const Plain p(engine->snapshot(step));
    for (const auto& [number, cell] : cellsAt(p, deck, step)) {
      if (cell.size() < 2) continue;
      const auto u = meanOf(p, cell);
      double energy = 0.0;
      for (const std::size_t i : cell) energy += squaredDistance(p.v[i], u) / temperature;
      energies.add(energy, cell.size());
    }
  }
  energies.expectCanonical();
}

TEST(SolventSteps, ThermostatIsCanonicalInEachCell) {
  expectCanonical({"collision.thermostat=maxwell-boltzmann", "population.solvent.temperature=0.6"}, 1.0);
  expectCanonical({"collision.thermostat=maxwell-boltzmann", "run.temperature=2.5", "run.timestep=0.05"}, 2.5);
}

TEST(SolventSteps, AndersenIsCanonicalInEachCell) {
  expectCanonical({"collision.style=andersen", "population.solvent.temperature=0.6"}, 1.0);
}

// Collisions leave the momentum of a cell what it was before, whatever the rule.
TEST(SolventSteps, CellsKeepTheirMomentum) {
  for (const std::vector<std::string>& rule : {std::vector<std::string>{"collision.style=srd"},
                                               {"collision.thermostat=maxwell-boltzmann"},
                                               {"collision.style=andersen"}}) {
    auto overrides = rule;
    overrides.push_back("run.precision=double");
    const input::Deck deck = solventDeck(overrides);
    const auto engine = engineOfDeck(deck);
    solventSteps(*engine, 0, 4);
    const Plain before = streamed(Plain(engine->snapshot(4)), deck);
    solventSteps(*engine, 5, 5);
    const Plain after(engine->snapshot(5));
    for (const auto& [number, cell] : cellsAt(after, deck, 5)) {
      const auto u = meanOf(before, cell), w = meanOf(after, cell);
      for (std::size_t a = 0; a < 3; ++a) ASSERT_NEAR(u[a], w[a], 1e-12) << rule[0];
    }
  }
}

// <v(k) v(k + 1)> / <v v> = 1 - (2/3) (1 - cos alpha) (M - 1 + exp(-M)) / M for a rotation, 1 - (M - 1 + exp(-M)) / M
// for Andersen, by molecular chaos, which is exact in the first step from random places; moving with the flow or not.
TEST(SolventSteps, VelocitiesAreForgottenAtTheRateOfTheory) {
  const double meeting = (9.0 + std::exp(-10.0)) / 10.0;
  for (const bool andersen : {false, true})
    for (const double drift : {0.0, 3.3}) {
      const input::Deck deck =
          solventDeck({andersen ? "collision.style=andersen" : "collision.style=srd",
                       "population.solvent.velocity=[" + std::to_string(drift) + ", 0, 0]", "box.size=[20, 20, 20]"});
      const auto engine = engineOfDeck(deck);
      solventSteps(*engine, 0, 0);
      const Plain first(engine->snapshot(0));
      solventSteps(*engine, 1, 1);
      const Plain next(engine->snapshot(1));
      double sum = 0.0;
      const double n = static_cast<double>(first.v.size());
      for (std::size_t i = 0; i < first.v.size(); ++i)
        for (std::size_t a = 0; a < 3; ++a)
          sum += (first.v[i][a] - (a == 0 ? drift : 0.0)) * (next.v[i][a] - (a == 0 ? drift : 0.0)) / (3.0 * n);
      const double expected =
          andersen ? 1.0 - meeting : 1.0 - 2.0 / 3.0 * (1.0 - std::cos(130.0 / 57.29577951)) * meeting;
      EXPECT_NEAR(sum, expected, 4.0 / std::sqrt(3.0 * n)) << andersen << ' ' << drift;
    }
}

TEST(SolventTheory, IsThePapers) {
  const auto t = mpcd::transportOf(solventDeck());
  EXPECT_NEAR(t.viscosity(), 8.70, 0.01);
  EXPECT_NEAR(t.meanFreePath, 0.1, 1e-12);
}

}  // namespace
}  // namespace mesowarp::test
