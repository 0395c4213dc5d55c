// Sums in words do not overflow and lose nothing that counts; a rotation in single precision keeps lengths; random
// numbers of cells have the distributions that they should.
#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <random>
#include <vector>

#include "physics/mpcd/collision_rules.hpp"
#include "physics/mpcd/sharing/sum_rows.hpp"

namespace mesowarp::mpcd {
namespace {

// Added as a window does, in words of 32 bits, each modulo 2^32; then joined.
template <bool Wide, class Real>
void expectSums(const SumScale& scale, const std::vector<std::array<Real, 3>>& all, double accuracy) {
  using Words = SumWords<Wide, true>;
  u32 word[Words::words] = {};
  long double expected[3] = {};
  double squared = 0.0;
  for (const auto& v : all) {
    const Real at[3] = {v[0], v[1], v[2]}, square = v[0] * v[0] + v[1] * v[1] + v[2] * v[2];
    u32 own[Words::words];
    Words::split(SumScaleIn<Real>(scale), at, square, own);
    for (int k = 0; k < Words::words; ++k) word[k] += own[k];
    for (int c = 0; c < 3; ++c) expected[c] += static_cast<long double>(v[c]);
    squared += static_cast<double>(square);
  }
  u64 sum[Words::sums];
  EXPECT_EQ(Words::join(scale, word, sum), !all.empty());
  const CellSums sums(scale, sum);
  EXPECT_EQ(sums.count, static_cast<int>(all.size()));
  for (int c = 0; c < 3; ++c)
    EXPECT_NEAR(sums.velocity[c], static_cast<double>(expected[c]), accuracy * scale.speedLimit);
  EXPECT_NEAR(sums.squared, squared, 1e-5 * scale.speedLimit * static_cast<double>(all.size()));
}

template <bool Wide, class Real>
void expectAllSums(double accuracy) {
  for (const double speed : {16.0, 100.0, 0.3}) {
    const SumScale scale = SumScale::of(speed, 10.0, Wide);
    const auto most = static_cast<std::size_t>(scale.mostInCell());
    const Real limit = static_cast<Real>(scale.speedLimit * 0.57735);
    expectSums<Wide, Real>(scale, {}, accuracy);
    expectSums<Wide, Real>(scale, std::vector<std::array<Real, 3>>(most, {limit, -limit, limit}), accuracy);
    expectSums<Wide, Real>(scale, std::vector<std::array<Real, 3>>(most, {-limit, -limit, limit}), accuracy);
    std::vector<std::array<Real, 3>> mixedSpeeds;
    for (std::size_t k = 0; k < most; ++k)
      mixedSpeeds.push_back({limit * static_cast<Real>(std::sin(1.0 * k)), limit * static_cast<Real>(1e-6 * k),
                             -limit * static_cast<Real>(std::cos(3.0 * k))});
    expectSums<Wide, Real>(scale, mixedSpeeds, accuracy);
  }
}

TEST(CellSums, HoldTheMostAndLoseNothing) {
  expectAllSums<false, float>(1e-8);
  expectAllSums<false, double>(1e-8);
  expectAllSums<true, double>(3e-14);
}

TEST(CellSums, RoomGrowsWithDensity) {
  EXPECT_GE(SumScale::of(16.0, 10.0, false).mostInCell(), 10 + 30);
  EXPECT_GE(SumScale::of(16.0, 600.0, false).mostInCell(), 800);
  EXPECT_EQ(SumScale::of(16.0, 10.0, false).speedLimit, 16.0);
}

// What travels of a rank's part of a cell's sums, as large as it may be: it is the same behind the way.
template <class Words>
void expectTravels(const SumScale& scale, const std::vector<std::array<u64, Words::sums>>& parts) {
  const RowOf<Words> row(scale);
  for (const auto& part : parts) {
    u64 sum[Words::sums], all[Words::sums];
    u32 word[RowOf<Words>::words];
    for (int s = 0; s < Words::sums; ++s) sum[s] = part[static_cast<std::size_t>(s)], all[s] = u64{1} << (3 * s);
    row.pack(sum, word);
    row.addTo(all, word);
    for (int s = 0; s < Words::sums; ++s) EXPECT_EQ(all[s] - (u64{1} << (3 * s)), sum[s]) << s;
  }
}

// As llrint has it: ties to even ones, and no bit lost of numbers that have none behind the point.
TEST(CellSums, NumbersBecomeTheNearestIntegers) {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> part(-1.0, 1.0);
  for (int exponent = -3; exponent < 63; ++exponent)
    for (int k = 0; k < 200; ++k) {
      const double x = std::ldexp(part(random), exponent), tie = std::trunc(x) + 0.5;
      EXPECT_EQ(nearest(x), std::llrint(x)) << x;
      EXPECT_EQ(nearest(tie), std::llrint(tie)) << tie;
    }
  for (const double x : {0.0, -0.5, 0.5, 1.5, 0x1p25 + 0.5, -0x1p25 - 0.5, 0x1p51 + 0.5, 0x1.fffffffffffffp62, -0x1p62})
    EXPECT_EQ(nearest(x), std::llrint(x)) << x;
}

TEST(SumRows, HoldWhatACellMayHave) {
  const SumScale narrow = SumScale::of(16.0, 10.0, false), wide = SumScale::of(16.0, 10.0, true);
  const auto most = static_cast<u64>(narrow.mostInCell());
  const u64 fast = most << (31 - narrow.countBits + narrow.lowBits);  // all at the limit
  const std::vector<std::array<u64, 4>> slow{{0, 0, 0, 0}, {fast, 0 - fast, 0, most}, {1, ~u64{0}, 12345678901, 1}};
  expectTravels<SumWords<false, false>>(narrow, slow);
  EXPECT_EQ((RowOf<SumWords<false, false>>::words), 5);
  std::vector<std::array<u64, 4>> energetic = slow;
  for (auto& part : energetic) part[3] |= u64{0xFFFFFFFF} << 16;
  expectTravels<SumWords<false, true>>(narrow, energetic);
  energetic.push_back({u64{1} << 63, 0x123456789ABCDEF0u, ~u64{0}, ~u64{0}});
  expectTravels<SumWords<true, true>>(wide, energetic);
}

TEST(CellRotation, KeepsLengthsInSinglePrecision) {
  for (const double degrees : {0.0, 15.0, 60.0, 90.0, 130.0, 179.0, 180.0}) {
    const double angle = degrees * 3.14159265358979 / 180.0;
    const auto r = Rotation<float>::of(angle);
    const double c = r.cosine, s = r.sine;
    EXPECT_NEAR(c * c + s * s, 1.0, 1e-10) << degrees;
    EXPECT_EQ(static_cast<double>(r.versine), 1.0 - c) << degrees;
    EXPECT_NEAR(std::atan2(s, c), angle, 1.3e-4) << degrees;
  }
}

TEST(CellRandomNumbers, AxesHaveNoPreference) {
  constexpr int n = 200000;
  double mean[3] = {}, square[6] = {};
  for (u64 cell = 0; cell < n; ++cell) {
    double d[3];
    directionOf(CellRandom(cell, {17, 4}).next(), d);
    EXPECT_NEAR(d[0] * d[0] + d[1] * d[1] + d[2] * d[2], 1.0, 2e-15);
    for (int a = 0; a < 3; ++a) mean[a] += d[a] / n, square[a] += d[a] * d[a] / n;
    square[3] += d[0] * d[1] / n, square[4] += d[0] * d[2] / n, square[5] += d[1] * d[2] / n;
  }
  // Variances of components: 1/3; of their squares 4/45; of products 1/15.
  for (int a = 0; a < 3; ++a) {
    EXPECT_NEAR(mean[a], 0.0, 4.0 * std::sqrt(1.0 / 3.0 / n));
    EXPECT_NEAR(square[a], 1.0 / 3.0, 4.0 * std::sqrt(4.0 / 45.0 / n));
    EXPECT_NEAR(square[3 + a], 0.0, 4.0 * std::sqrt(1.0 / 15.0 / n));
  }
}

// Of cells side by side, along each axis of a box, and of a cell in steps that follow each other.
TEST(CellRandomNumbers, AxesDoNotKnowOfEachOther) {
  constexpr int n = 200000;
  const auto product = [](u64 cell, StepKey key, u64 other, StepKey then) {
    double a[3], b[3];
    directionOf(CellRandom(cell, key).next(), a), directionOf(CellRandom(other, then).next(), b);
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
  };
  const double allowed = 4.0 * std::sqrt(1.0 / 3.0 / n);
  const auto keyOf = [](i64 step) { return stepKey(7, Stream::cellAxis, step); };
  for (const u64 further : {u64{1}, u64{100}, u64{10000}, u64{1} << 32}) {
    double mean = 0.0;
    for (u64 cell = 0; cell < n; ++cell) mean += product(cell, keyOf(5), cell + further, keyOf(5)) / n;
    EXPECT_NEAR(mean, 0.0, allowed) << further;
  }
  for (const i64 later : {1, 2, 1000}) {
    double cells = 0.0, steps = 0.0;
    for (int k = 0; k < n; ++k) {
      cells += product(static_cast<u64>(k), keyOf(5), static_cast<u64>(k), keyOf(5 + later)) / n;
      steps += product(3, keyOf(k), 3, keyOf(k + later)) / n;
    }
    EXPECT_NEAR(cells, 0.0, allowed) << later;
    EXPECT_NEAR(steps, 0.0, allowed) << later;
  }
}

// As they are stored: what their lengths were off on average, energy would drift by in every step.
TEST(CellRandomNumbers, AxesAreRoundedWithoutPreference) {
  constexpr int n = 1000000;
  double mean = 0.0, square = 0.0;
  for (u64 cell = 0; cell < n; ++cell) {
    double d[3];
    directionOf(CellRandom(cell, {31, 5}).next(), d);
    double off = -1.0;
    for (const double c : d)
      off += static_cast<double>(static_cast<float>(c)) * static_cast<double>(static_cast<float>(c));
    mean += off / n, square += off * off / n;
  }
  EXPECT_LT(std::sqrt(square), 1e-7);
  EXPECT_NEAR(mean, 0.0, 4.0 * std::sqrt(square / n));
}

TEST(CellRandomNumbers, EnergiesHaveAGammaDistribution) {
  constexpr int n = 100000;
  for (const double shape : {1.5, 3.0, 13.5, 60.0}) {
    double mean = 0.0, variance = 0.0;
    for (u64 cell = 0; cell < n; ++cell) {
      CellRandom random(cell, {5, 99});
      const double x = gammaNumber(random, shape);
      ASSERT_GT(x, 0.0);
      mean += x / n, variance += (x - shape) * (x - shape) / n;
    }
    EXPECT_NEAR(mean, shape, 4.0 * std::sqrt(shape / n)) << shape;
    EXPECT_NEAR(variance, shape, 4.0 * std::sqrt((2.0 * shape * shape + 6.0 * shape) / n)) << shape;
  }
}

// The largest u that needs no logarithm, and some below it; and how seldom one is needed.
TEST(CellRandomNumbers, WhatNeedsNoLogarithmIsAcceptedWithOne) {
  constexpr double step = 0x1p-31;
  int sure = 0, all = 0;
  for (const double shape : {1.5, 3.0, 4.5, 13.5, 60.0, 190.0, 1500.0}) {
    const double d = shape - 1.0 / 3.0;
    for (int k = -7000; k <= 7000; ++k) {
      const double x = std::copysign(std::pow(std::abs(k) / 1000.0, 3), k) / 49.0;  // to 7; many small ones
      const double root = 1.0 + x / std::sqrt(9.0 * d), v = root * root * root;
      const double most = std::floor((1.0 - x * x * x * x / (54.0 * d)) / step) * step;
      for (const double u : {1.0 - step, most, most - 2.0 * step, 0.99 * most, 0.5 * most, step}) {
        if (!(u >= step && u < 1.0)) continue;
        ++all;
        if (!isSurelyTaken(x, u, d, root)) continue;
        ++sure;
        ASSERT_TRUE(isTaken(x, u, d, v)) << shape << " " << x << " " << u;
      }
    }
  }
  EXPECT_GT(sure, all / 2);
  int asked = 0;
  for (u64 cell = 0; cell < 20000; ++cell) {
    CellRandom random(cell, {5, 99});
    const double d = 13.5 - 1.0 / 3.0, x = gaussian<double, math::Portable>(random.next()),
                 u = math::unitOpen<double>(random.next().first);
    if (!isSurelyTaken(x, u, d, 1.0 + x / std::sqrt(9.0 * d))) ++asked;
  }
  EXPECT_LT(asked, 200);
}

// Mean, variance, fourth moment and no correlation; of neighbouring tags, too.
template <class Real>
void expectNormal() {
  constexpr int n = 200000;
  double mean[3] = {}, square[3] = {}, fourth[3] = {}, product[3] = {}, next = 0.0;
  Real before[3] = {};
  for (u32 tag = 0; tag < n; ++tag) {
    Real x[3];
    normalNumbers(tag, {3, 1u << 31}, x);
    for (int a = 0; a < 3; ++a) {
      const double v = x[a];
      mean[a] += v / n, square[a] += v * v / n, fourth[a] += v * v * v * v / n, product[a] += v * x[(a + 1) % 3] / n;
    }
    next += static_cast<double>(before[0]) * x[0] / n;
    for (int a = 0; a < 3; ++a) before[a] = x[a];
  }
  for (int a = 0; a < 3; ++a) {
    EXPECT_NEAR(mean[a], 0.0, 4.0 / std::sqrt(n));
    EXPECT_NEAR(square[a], 1.0, 4.0 * std::sqrt(2.0 / n));
    EXPECT_NEAR(fourth[a], 3.0, 4.0 * std::sqrt(96.0 / n));
    EXPECT_NEAR(product[a], 0.0, 4.0 / std::sqrt(n));
  }
  EXPECT_NEAR(next, 0.0, 4.0 / std::sqrt(n));
}

TEST(CellRandomNumbers, NoiseIsNormal) {
  expectNormal<float>();
  expectNormal<double>();
}

}  // namespace
}  // namespace mesowarp::mpcd
