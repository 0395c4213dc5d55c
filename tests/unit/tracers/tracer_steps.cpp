// Tracers spread as Brownian motion says, drift, are reflected by walls; nothing else in a deck notices them.
#include <array>
#include <cmath>
#include <gmock/gmock.h>

#include "device/config.hpp"
#include "physics/tracers/tracer_phase.hpp"
#include "tests/unit/support/test_listening.hpp"
#include "tests/unit/tracers/tracer_decks.hpp"

namespace mesowarp::test {
namespace {

using Displacements = std::vector<std::array<double, 3>>;

// What has become of each tracer between two snapshots, unwrapped.
Displacements between(const io::Snapshot& first, const io::Snapshot& last) {
  Displacements all(first.tag.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    for (std::size_t axis = 0; axis < 3; ++axis)
      all[i][axis] = last.position[3 * i + axis] - first.position[3 * i + axis] +
                     (last.image[3 * i + axis] - first.image[3 * i + axis]) * last.box[axis];
  return all;
}

double meanSquared(const Displacements& all) {
  double sum = 0.0;
  for (const auto& d : all) sum += d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
  return sum / static_cast<double>(all.size());
}

// r^2 of one tracer has the mean 6 D t + u^2 t^2 and the variance 24 (D t)^2 + 8 D t u^2 t^2. Within four standard
// errors of as many tracers; the seed is the deck's.
void expectSpread(double msd, double diffusion, double u2, double t, double tracers) {
  const double mean = 6.0 * diffusion * t + u2 * t * t;
  const double variance = 24.0 * diffusion * diffusion * t * t + 8.0 * diffusion * t * u2 * t * t;
  EXPECT_NEAR(msd, mean, 4.0 * std::sqrt(variance / tracers)) << "t = " << t;
}

TEST(TracerSteps, SpreadBySixDt) {
  const auto engine = engineOfDeck(checkedDeck(dye));
  i64 done = -1;
  for (const i64 step : {0, 1, 10, 100, 400}) {
    advanceTo(*engine, done + 1, step);
    expectSpread(msdOf(*engine), 0.3, 0.0, 0.01 * static_cast<double>(step), 20000.0);
    done = step;
  }
}

TEST(TracerSteps, DriftAddsItsSquare) {
  const auto engine = engineOfDeck(checkedDeck(dye, {"population.dye.velocity=[1.5, 0.0, -2.0]"}));
  advanceTo(*engine, 0, 300);
  expectSpread(msdOf(*engine), 0.3, 6.25, 3.0, 20000.0);
}

TEST(TracerSteps, DriftAloneIsStraight) {
  const input::Deck deck = checkedDeck(
      dye, {"population.dye.velocity=[1.5, 0.0, -2.0]", "population.dye.diffusion=0", "population.dye.count=2000"});
  const auto engine = engineOfDeck(deck);
  advanceTo(*engine, 0, 0);
  const io::Snapshot first = engine->snapshot(0);
  advanceTo(*engine, 1, 1000);
  const io::Snapshot last = engine->snapshot(1000);
  EXPECT_EQ(last.total, 2000);
  for (const auto& d : between(first, last)) {
    EXPECT_NEAR(d[0], 15.0, 1e-9);
    EXPECT_NEAR(d[1], 0.0, 1e-9);
    EXPECT_NEAR(d[2], -20.0, 1e-9);
  }
  EXPECT_NEAR(msdOf(*engine), 625.0, 1e-7);
}

// Each axis has a variance of 2 D t, of its own numbers; the column is what the trajectory says.
TEST(TracerSteps, AxesAreIndependent) {
  const auto engine = engineOfDeck(checkedDeck(dye));
  advanceTo(*engine, 0, 0);
  const io::Snapshot first = engine->snapshot(0);
  advanceTo(*engine, 1, 200);
  const Displacements all = between(first, engine->snapshot(200));
  const double n = 20000.0, variance = 2.0 * 0.3 * 2.0;
  for (std::size_t a = 0; a < 3; ++a) {
    double mean = 0.0;
    for (const auto& d : all) mean += d[a] / n;
    EXPECT_NEAR(mean, 0.0, 4.0 * std::sqrt(variance / n));
    for (std::size_t b = 0; b <= a; ++b) {
      double product = 0.0;
      for (const auto& d : all) product += d[a] * d[b] / n;
      EXPECT_NEAR(product, a == b ? variance : 0.0, 4.0 * variance * std::sqrt((a == b ? 2.0 : 1.0) / n));
    }
  }
  EXPECT_NEAR(msdOf(*engine), meanSquared(all), 1e-9 * meanSquared(all));
}

// Between walls they stay uniform, and long after the start two places of one tracer are independent: squared
// displacements have the mean L^2 / 6 and the variance 7 L^4 / 180 along each axis.
TEST(TracerSteps, WallsReflect) {
  const std::array<double, 3> size{2.0, 3.0, 2.5};
  const auto engine = engineOfDeck(checkedDeck(dye, {"box.size=[2, 3, 2.5]", "box.periodic=[false, false, false]",
                                                     "population.dye.diffusion=1", "run.timestep=0.02"}));
  advanceTo(*engine, 0, 500);
  double mean = 0.0, variance = 0.0;
  for (const double l : size) mean += l * l / 6.0, variance += 7.0 * l * l * l * l / 180.0;
  EXPECT_NEAR(msdOf(*engine), mean, 4.0 * std::sqrt(variance / 20000.0));
  const io::Snapshot s = engine->snapshot(500);
  constexpr int bins = 20;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    std::array<double, bins> count{};
    for (std::size_t i = 0; i < s.tag.size(); ++i) {
      const double x = s.position[3 * i + axis];
      ASSERT_GE(x, 0.0);
      ASSERT_LT(x, size[axis]);
      count[static_cast<std::size_t>(x / size[axis] * bins)] += 1.0;
    }
    double chi2 = 0.0;
    for (const double n : count) chi2 += (n - 1000.0) * (n - 1000.0) / 1000.0;
    EXPECT_LT(chi2, 19.0 + 4.0 * std::sqrt(2.0 * 19.0)) << "xyz"[axis];
    EXPECT_THAT(s.image, testing::Each(0));
  }
}

TEST(TracerSteps, ADriftAgainstAWallPressesThemToIt) {
  const auto engine =
      engineOfDeck(checkedDeck(dye, {"box.periodic=[true, true, false]", "run.timestep=0.005",
                                     "population.dye.count=4000", "population.dye.velocity=[0, 0, -3]"}));
  advanceTo(*engine, 0, 1200);
  const io::Snapshot s = engine->snapshot(1200);
  double mean = 0.0;
  for (std::size_t i = 0; i < s.tag.size(); ++i) mean += s.position[3 * i + 2] / 4000.0;
  EXPECT_NEAR(mean, 0.3 / 3.0, 0.02);  // barometric, of the height D / u; a step is 0.055 wide
}

TEST(TracerSteps, OneKernelAStepThatAllocatesNothing) {
  const auto engine = engineOfDeck(checkedDeck(dye));
  advanceTo(*engine, 0, 5);
  {
    Listening listening;
    for (i64 step = 6; step < 9; ++step) engine->advance(step, {});
  }
  EXPECT_THAT(heard.kernels, testing::ElementsAre("move tracers", "move tracers", "move tracers"));
  EXPECT_THAT(heard.allocations, testing::IsEmpty());
}

// A step behind a list that was too small does nothing, and is launched again.
TEST(TracerSteps, AreRepeatedWhereTheGuardStopsThem) {
  const input::Deck deck = checkedDeck(dye);
  const auto plain = engineOfDeck(deck), stopped = engineOfDeck(deck);
  advanceTo(*plain, 0, 3);
  advanceTo(*stopped, 0, 2);
  Phase& phase = *stopped->phases().front();
  EXPECT_TRUE(phase.repeatable() && phase.recordable());
  const Kokkos::View<int, backend::SharedSpace> incomplete("incomplete");
  const Kokkos::View<i64, backend::SharedSpace> stale("stale");
  const std::string before = stopped->stateHash();
  PhaseStep step;
  step.step = 3;
  incomplete() = 1, step.guard = {incomplete.data(), nullptr, 3};
  phase.run(step);
  stale() = 3, step.guard = {nullptr, stale.data(), 3};
  phase.run(step);
  EXPECT_EQ(stopped->stateHash(), before);
  stale() = 4;
  phase.run(step);
  EXPECT_EQ(stopped->stateHash(), plain->stateHash());
}

TEST(TracerSteps, AFluidDoesNotNoticeThem) {
  const auto alone = engineOfDeck(checkedDeck(water)), both = engineOfDeck(checkedDeck(dyeInWater));
  std::string text = dyeInWater;
  text.replace(text.find("[[population]]"), text.find("[[population]]\nname = \"dye\"") - text.find("[[population]]"),
               "");
  const auto dyeAlone = engineOfDeck(checkedDeck(text));
  for (const auto* engine : {&alone, &both, &dyeAlone}) advanceTo(**engine, 0, 60);
  ASSERT_EQ(both->populations().size(), 2u);
  EXPECT_EQ(both->populations()[0]->stateHash(), alone->stateHash());
  EXPECT_EQ(both->populations()[1]->stateHash(), dyeAlone->stateHash());
  EXPECT_EQ(msdOf(*both), msdOf(*dyeAlone));
  EXPECT_EQ(both->counters().rebuilds, alone->counters().rebuilds);
  EXPECT_GT(alone->counters().rebuilds, 1);
  EXPECT_EQ(both->mobile(), 648);
  EXPECT_EQ(both->particles(), 1296);
  for (int c = 0; c < 6; ++c) EXPECT_EQ(both->sums().kinetic[c], alone->sums().kinetic[c]);
  EXPECT_EQ(both->sums().potential, alone->sums().potential);
}

}  // namespace
}  // namespace mesowarp::test
