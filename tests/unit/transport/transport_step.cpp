// A step of transport DPD: fluxes against brute force, for every width and with random fluxes; what is conserved;
// sources and reactions; checkpoints; bits.
#include <gtest/gtest.h>

#include "tests/unit/support/test_transport.hpp"

namespace mesowarp::test {
namespace {

using input::Precision;

// Runs step k and compares what became of the concentrations with the reference.
void expectStep(const System& system, Engine& engine, i64 step) {
  engine.rebuildIfDue(step);
  const auto before = soluteState(engine, system.deck);
  const auto flux = FluxReference(system.deck)(before);
  engine.advance(step, {});
  const auto after = soluteState(engine, system.deck);
  const bool single = system.deck.run.precision == Precision::single;
  const double h = (step == 0 ? 0.5 : 1.0) * system.deck.run.timestep;
  double worst = 0.0, largest = 0.0;
  for (std::size_t i = 0; i < before.size(); ++i)
    for (std::size_t s = 0; s < before[i].concentration.size(); ++s) {
      const double q = static_cast<double>(flux[i][s]);
      largest = std::max(largest, std::abs(q));
      worst = std::max(worst, std::abs(after[i].concentration[s] - before[i].concentration[s] - h * q));
    }
  EXPECT_GT(largest, 0.05);
  EXPECT_LT(worst, single ? 1e-7 : 2e-12) << "step " << step;
}

class TransportStep : public testing::TestWithParam<std::tuple<Precision, bool, int, bool>> {
protected:
  System system() const {
    const auto [precision, bitwise, solutes, random] = GetParam();
    return transportFluid({precision, bitwise, solutes, random});
  }
};

TEST_P(TransportStep, MovesConcentrationsAsTheReference) {
  const System s = system();
  const auto engine = s.engine();
  expectStep(s, *engine, 0);
  advance(*engine, 1, 9);
  expectStep(s, *engine, 10);  // with a list of two steps before
  EXPECT_EQ(engine->failure(), std::nullopt);
}

TEST_P(TransportStep, ResumedRunHasTheSameBits) {
  const System s = system();
  const auto hashAfter = [&](Engine& engine, i64 first) {
    advance(engine, first, 30, {.velocities = true});
    return engine.stateHash();
  };
  const auto unbroken = s.engine();
  const std::string expected = hashAfter(*unbroken, 0);
  const auto first = s.engine();
  advance(*first, 0, 16);
  first->rebuildIfDue(17);
  const auto content = contentOf(*first);
  const auto second = makeEngine(s.deck, s.particles.count(), 0).engine;
  second->restore(content);
  second->advance(17, {});
  EXPECT_EQ(hashAfter(*second, 18), expected);
}

INSTANTIATE_TEST_SUITE_P(Modes, TransportStep,
                         testing::Combine(testing::ValuesIn(allPrecisions), testing::Bool(),
                                          testing::Values(1, 3, 10, 30), testing::Bool()),
                         [](const auto& i) {
                           return titleOf(std::get<0>(i.param)) + (std::get<1>(i.param) ? "Bitwise" : "Usual") +
                                  std::to_string(std::get<2>(i.param)) + (std::get<3>(i.param) ? "Random" : "Fickian");
                         });

TEST(TransportWeights, AnyExponentAndACutoffBelowThatOfTheForces) {
  for (const double exponent : {0.41, 1.0, 2.0, 3.5}) {
    const System s = transportFluid({Precision::double_, false, 2, true, 0.8, exponent});
    const auto engine = s.engine();
    expectStep(s, *engine, 0);
  }
}

TEST(TransportRange, AFluxBeyondItIsAnError) {
  System s = transportFluid({Precision::mixed, true, 3, false});
  s.deck.own.get<transport::TransportKeys>().fluxRange = 0x1p-10;
  const auto engine = s.engine();
  advance(*engine, 0, 0);
  const auto failure = engine->failure();
  ASSERT_TRUE(failure.has_value());
  EXPECT_NE(failure->find("transport.flux_range"), std::string::npos) << *failure;
}

// Concentrations may become negative where noise is large: no number is lost by that.
TEST(TransportRandomFlux, IsNothingWhereTheSumIsNotPositive) {
  System s = transportFluid({Precision::double_, false, 1, true});
  s.deck.lists.clear();
  addInitial(s.deck, initially("S0", -0.2, 0.5, 0));
  const auto engine = s.engine();
  expectStep(s, *engine, 0);
  advance(*engine, 1, 50);
  for (const auto& row : soluteState(*engine, s.deck)) EXPECT_TRUE(std::isfinite(row.concentration[0]));
}

// Every species and precision; in single precision what rounding takes is kept.
TEST(TransportConservation, TotalsStay) {
  for (const Precision precision : allPrecisions)
    for (const bool bitwise : {false, true}) {
      const System s = transportFluid({precision, bitwise, 3, true});
      const auto engine = s.engine();
      engine->rebuildIfDue(0);
      const auto before = soluteState(*engine, s.deck);
      advance(*engine, 0, 600);
      const auto after = soluteState(*engine, s.deck);
      for (std::size_t k = 0; k < 3; ++k)
        EXPECT_NEAR(totalOf(after, k) / totalOf(before, k), 1.0, precision == Precision::single ? 2e-9 : 2e-15)
            << titleOf(precision) << bitwise;
      EXPECT_NE(after[7].concentration[0], before[7].concentration[0]);
    }
}

TEST(TransportFrozen, KeepTheirConcentrations) {
  System s = transportFluid({Precision::double_, false, 2, false});
  s.deck.populations[1].frozen = true;
  const auto engine = s.engine();
  engine->rebuildIfDue(0);
  const auto before = soluteState(*engine, s.deck);
  advance(*engine, 0, 20);
  const auto after = soluteState(*engine, s.deck);
  int moved = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    if (before[i].species == 1)
      EXPECT_EQ(after[i].concentration, before[i].concentration);
    else
      moved += after[i].concentration[0] != before[i].concentration[0] ? 1 : 0;
  }
  EXPECT_GT(moved, 500);
}

}  // namespace
}  // namespace mesowarp::test
