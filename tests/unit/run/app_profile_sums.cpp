// Averages and errors of profiles from samples whose distribution is known; sub-blocks; checkpoints.
#include <cmath>
#include <gtest/gtest.h>
#include <random>

#include "run/recorders/profile_sums.hpp"
#include "tests/unit/support/test_statistics.hpp"

namespace mesowarp::test {
namespace {

constexpr double length = 12.0;
input::Measure measureOf() {
  input::Measure measure;
  measure.axis = 1, measure.bins = 2;
  return measure;
}
const input::BoxBlock box{{2.0, length, 3.0}, {true, true, true}};

// A sample of independent particles: 5 to 15 of mass 1 and as many of mass 3, at temperature 0.8, that drift with (1,
// -0.5, 0).
void addSample(ProfileSums& sums, std::mt19937_64& random) {
  std::uniform_int_distribution<int> number(5, 15);
  std::normal_distribution<double> normal;
  for (BinSums& bin : sums.nextSample())
    for (const double mass : {1.0, 3.0})
      for (int k = number(random); k > 0; --k) {
        const double drift[3] = {1.0, -0.5, 0.0};
        bin.count += 1.0, bin.mass += mass;
        for (std::size_t c = 0; c < 3; ++c) {
          const double v = drift[c] + std::sqrt(0.8 / mass) * normal(random);
          bin.momentum[c] += mass * v, bin.kinetic += mass * v * v;
        }
      }
}

// How far values lie from what they should be, in units of their errors: squares, summed.
struct Scatter {
  double squares = 0.0, variance = 0.0, sum = 0.0;
  int count = 0;
  void add(double value, double error, double expected) {
    squares += (value - expected) * (value - expected), variance += error * error, sum += value - expected, ++count;
  }
  double ratio() const { return std::sqrt(squares / variance); }
};

TEST(AppProfileSums, ErrorsAreThoseThatMeansScatterWith) {
  std::mt19937_64 random(5);
  for (const int samples : {4, 11, 16, 25, 100}) {
    Scatter density, velocity[3], temperature;
    for (int block = 0; block < 1500; ++block) {
      ProfileSums sums(2);
      for (int s = 0; s < samples; ++s) addSample(sums, random);
      const io::ProfileBlock p = averaged(sums, measureOf(), box, 0, 9);
      for (std::size_t b = 0; b < 2; ++b) {
        density.add(p.density[b], p.densityError[b], 20.0 / (0.5 * 2.0 * length * 3.0));
        for (std::size_t c = 0; c < 3; ++c)
          velocity[c].add(p.velocity[3 * b + c], p.velocityError[3 * b + c], c == 0 ? 1.0 : c == 1 ? -0.5 : 0.0);
        // The block's own mean velocity takes a degree of freedom a component.
        temperature.add(p.temperature[b], p.temperatureError[b], 0.8 * (1.0 - 1.0 / (20.0 * samples)));
      }
    }
    // 3,000 deviations: their mean square is good to 1 / sqrt(1500), so the ratio to 1.3%.
    for (const auto& s : {density, velocity[0], velocity[1], velocity[2], temperature}) {
      EXPECT_NEAR(s.ratio(), 1.0, sigmas * 0.013 + 0.5 / (20.0 * samples)) << samples;
      EXPECT_LT(std::abs(s.sum), sigmas * std::sqrt(s.variance)) << samples;
    }
  }
}

TEST(AppProfileSums, FewSamplesHaveNoErrors) {
  std::mt19937_64 random(5);
  ProfileSums sums(2);
  for (int s = 1; s <= 5; ++s) {
    addSample(sums, random);
    const io::ProfileBlock p = averaged(sums, measureOf(), box, 0, 9);
    EXPECT_EQ(p.samples, s);
    EXPECT_EQ(p.densityError.size(), s < 4 ? 0u : 2u);
    EXPECT_EQ(p.velocityError.size(), s < 4 ? 0u : 6u);
    EXPECT_EQ(p.temperatureError.size(), s < 4 ? 0u : 2u);
  }
}

TEST(AppProfileSums, EmptyBinsAreNoNumbers) {
  ProfileSums sums(2);
  for (int s = 0; s < 8; ++s) {
    auto& bins = sums.nextSample();
    if (s == 3) bins[1] = {2.0, 4.0, {1.0, 0.0, 0.0}, 5.0};  // seen in one sub-block only
  }
  const io::ProfileBlock p = averaged(sums, measureOf(), box, 0, 9);
  EXPECT_EQ(p.density[0], 0.0);
  EXPECT_EQ(p.densityError[0], 0.0);
  EXPECT_TRUE(std::isnan(p.velocity[0]) && std::isnan(p.velocityError[0]) && std::isnan(p.temperature[0]) &&
              std::isnan(p.temperatureError[0]));
  EXPECT_DOUBLE_EQ(p.velocity[3], 0.25);
  EXPECT_TRUE(std::isnan(p.velocityError[3]) && std::isnan(p.temperatureError[1]));
  EXPECT_GT(p.densityError[1], 0.0);
}

TEST(AppProfileSums, NineToSixteenSubBlocks) {
  ProfileSums sums(1);
  for (i64 s = 1; s <= 3000; ++s) {
    sums.nextSample()[0].count += 1.0;
    ASSERT_EQ(sums.samples(), s);
    const auto& blocks = sums.subBlocks();
    ASSERT_GE(blocks.size(), s < 9 ? static_cast<std::size_t>(s) : 9u) << s;
    ASSERT_LE(blocks.size(), 16u) << s;
    for (std::size_t k = 0; k < blocks.size(); ++k) {
      ASSERT_EQ(blocks[k].samples, blocks[k].bins[0].count) << s;
      if (k + 1 < blocks.size()) {
        ASSERT_EQ(blocks[k].samples, blocks[0].samples) << s;
      }
    }
  }
}

TEST(AppProfileSums, GoThroughACheckpointAtAnySample) {
  for (int stop = 1; stop <= 70; ++stop) {
    std::mt19937_64 random(7);
    ProfileSums whole(2), begun(2), resumed(2);
    for (int s = 0; s < stop; ++s) addSample(begun, random);
    const auto numbers = begun.numbers();
    ASSERT_TRUE(resumed.restore(numbers.data(), numbers.size(), stop));
    for (int s = stop; s < 80; ++s) addSample(resumed, random);
    random.seed(7);
    for (int s = 0; s < 80; ++s) addSample(whole, random);
    ASSERT_EQ(resumed.numbers(), whole.numbers()) << stop;
    EXPECT_FALSE(resumed.restore(numbers.data(), numbers.size(), stop + 1));
    EXPECT_FALSE(ProfileSums(3).restore(numbers.data(), numbers.size(), stop));
  }
}

// Checkpoints of version 0.1.0 before there were errors hold one sum per bin.
TEST(AppProfileSums, SumsWithoutSubBlocksAreOne) {
  const double before[12] = {40.0, 80.0, 8.0, 0.0, -4.0, 300.0, 20.0, 20.0, 2.0, 0.0, 0.0, 60.0};
  ProfileSums sums(2);
  ASSERT_TRUE(sums.restore(before, 12, 10));
  EXPECT_EQ(sums.samples(), 10);
  for (int s = 0; s < 10; ++s) sums.nextSample()[0] = {4.0, 8.0, {0.8, 0.0, -0.4}, 30.0};
  const io::ProfileBlock p = averaged(sums, measureOf(), box, 0, 9);
  EXPECT_EQ(p.samples, 20);
  EXPECT_EQ(p.count, (std::vector<double>{4.0, 1.0}));
  EXPECT_DOUBLE_EQ(p.velocity[0], 0.1);
  EXPECT_TRUE(sums.restore(before, 12, 0) && sums.empty());
}

}  // namespace
}  // namespace mesowarp::test
