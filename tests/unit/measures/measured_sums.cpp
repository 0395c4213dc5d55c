// Sub-blocks of samples, errors by leaving them out, correlators and lags.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

#include "run/measures/blocked_sums.hpp"
#include "run/measures/lag_levels.hpp"
#include "run/measures/lag_results.hpp"
#include "run/measures/multiple_tau.hpp"
#include "run/measures/union_find.hpp"

using namespace mesowarp;

namespace {

void addTo(BlockedSums& sums, const std::vector<double>& values) {
  for (const double x : values) sums.nextSample()[0] += x;
}
std::vector<double> meanOf(const SampleBlock& s) { return {s.sums[0] / s.samples}; }

}  // namespace

TEST(MeasuredSums, SubBlocksDoubleWhenTheyAreSixteen) {
  for (const int samples : {1, 16, 17, 18, 40, 100, 1000}) {
    BlockedSums sums(1);
    for (int k = 0; k < samples; ++k) addTo(sums, {static_cast<double>(k)});
    EXPECT_EQ(sums.samples(), samples);
    EXPECT_DOUBLE_EQ(sums.total().sums[0], 0.5 * samples * (samples - 1));
    if (samples >= 16) {
      EXPECT_GE(sums.blocks().size(), 9u);
      EXPECT_LE(sums.blocks().size(), 16u);
    }
    for (std::size_t b = 0; b + 1 < sums.blocks().size(); ++b)
      EXPECT_EQ(sums.blocks()[b].samples, sums.blocks()[0].samples);
  }
}

TEST(MeasuredSums, GoThroughACheckpoint) {
  BlockedSums sums(2), other(2), narrow(1);
  for (int k = 0; k < 37; ++k) sums.nextSample()[1] += k;
  const auto numbers = sums.numbers();
  ASSERT_TRUE(other.restore(numbers.data(), numbers.size()));
  for (int k = 37; k < 90; ++k) sums.nextSample()[1] += k, other.nextSample()[1] += k;
  EXPECT_EQ(other.numbers(), sums.numbers());
  EXPECT_FALSE(narrow.restore(numbers.data(), numbers.size() - 1));
  EXPECT_FALSE(other.restore(numbers.data(), 0));
}

TEST(MeasuredSums, ErrorsOfAMeanAreTheUsualOnes) {
  BlockedSums sums(1);
  const std::vector<double> values{1.0, 4.0, 2.0, 8.0, 5.0};
  addTo(sums, values);
  double squares = 0.0;
  for (const double x : values) squares += (x - 4.0) * (x - 4.0);
  EXPECT_NEAR(jackknifeErrors(sums, meanOf)[0], std::sqrt(squares / 20.0), 1e-12);
  BlockedSums few(1);
  addTo(few, {1.0, 2.0, 3.0});
  EXPECT_TRUE(std::isnan(jackknifeErrors(few, meanOf)[0]));
}

// Over many runs the error is the spread of the means, of a nonlinear function as well.
TEST(MeasuredSums, ErrorsAreTheSpreadOfManyRuns) {
  std::mt19937 random(3);
  std::normal_distribution<double> normal(2.0, 1.0);
  const OfSums square = [](const SampleBlock& s) { return std::vector<double>{std::pow(s.sums[0] / s.samples, 2)}; };
  double sum = 0.0, squares = 0.0, errors = 0.0;
  constexpr int runs = 2000, samples = 50;
  for (int run = 0; run < runs; ++run) {
    BlockedSums sums(1);
    for (int k = 0; k < samples; ++k) sums.nextSample()[0] += normal(random);
    const double value = square(sums.total())[0];
    sum += value, squares += value * value, errors += std::pow(jackknifeErrors(sums, square)[0], 2);
  }
  const double variance = squares / runs - std::pow(sum / runs, 2);
  EXPECT_NEAR(errors / runs / variance, 1.0, 0.1);  // of 2000 variances with 12 degrees of freedom: 0.03
}

TEST(MeasuredSums, CorrelatorHasDirectProductsAndMeansOfPairs) {
  constexpr int levels = 3, samples = 100;
  MultipleTau correlator(1, levels), resumed(1, levels);
  std::vector<double> sums(correlator.width(), 0.0), values;
  std::mt19937 random(5);
  for (int k = 0; k < samples; ++k) {
    values.push_back(std::uniform_real_distribution<double>(-1.0, 1.0)(random));
    if (k == 43) {
      const auto state = correlator.state();
      ASSERT_TRUE(resumed.restore(state.data(), state.size()));
    }
    if (k >= 43) {
      std::vector<double> lost(correlator.width(), 0.0);
      correlator.add({values.back()}, lost.data());
    }
    (k < 43 ? correlator : resumed).add({values.back()}, sums.data());
  }
  const auto lags = correlator.lags();
  ASSERT_EQ(lags.size(), 32u);
  std::size_t row = 0;
  for (int level = 0; level < levels; ++level) {
    for (std::size_t j = level == 0 ? 0 : 8; j < 16; ++j, ++row) {
      double product = 0.0, count = 0.0;
      for (std::size_t k = j; k < values.size(); ++k) product += values[k] * values[k - j], count += 1.0;
      EXPECT_EQ(lags[row], static_cast<double>(j << level));
      EXPECT_EQ(sums[2 * row], count);
      EXPECT_NEAR(sums[2 * row + 1], product, 1e-12);
    }
    std::vector<double> pairs;
    for (std::size_t k = 0; k + 1 < values.size(); k += 2) pairs.push_back(0.5 * (values[k] + values[k + 1]));
    values = pairs;
  }
}

// Whatever is compared with an origin was stored so many samples before.
TEST(MeasuredSums, LagsAreFromTheOriginsThatWereStored) {
  LagLevels levels(3);
  const auto lags = levels.lags();
  EXPECT_EQ(lags.back(), 256.0);
  EXPECT_TRUE(std::is_sorted(lags.begin(), lags.end()));
  std::vector<i64> origin(3, -1);
  std::vector<int> seen(lags.size(), 0);
  for (i64 n = 0; n < 1000; ++n)
    for (const auto& due : levels.due(n)) {
      auto& at = origin[static_cast<std::size_t>(due.level)];
      if (due.lag >= 0) {
        ASSERT_GE(at, 0);
        EXPECT_EQ(static_cast<double>(n - at), lags[static_cast<std::size_t>(due.lag)]);
        ++seen[static_cast<std::size_t>(due.lag)];
      }
      if (due.store) at = n, levels.stored(due.level, n);
    }
  EXPECT_EQ(*std::min_element(seen.begin() + 1, seen.end()), 3);  // of lag 256: 256, 512, 768
  EXPECT_EQ(seen[1], 63);
}

TEST(MeasuredSums, SlopesAndIntegrals) {
  const std::vector<double> t{0.0, 1.0, 2.0, 4.0}, y{1.0, 3.0, 5.0, notKnown};
  EXPECT_DOUBLE_EQ(slope(t, y, 0.0, 4.0), 2.0);
  EXPECT_TRUE(std::isnan(slope(t, y, 3.0, 4.0)));
  EXPECT_DOUBLE_EQ(valueAt(t, integral(t, y), 4.0), 6.0);
  EXPECT_DOUBLE_EQ(valueAt(t, integral(t, y), 1.0), 2.0);
}

TEST(MeasuredSums, WhatIsJoinedHasOneLowest) {
  UnionFind things(6);
  EXPECT_TRUE(things.join(4, 2));
  EXPECT_TRUE(things.join(5, 4));
  EXPECT_FALSE(things.join(2, 5));
  EXPECT_EQ(things.lowest(5), 2u);
  EXPECT_EQ(things.lowest(3), 3u);
}
