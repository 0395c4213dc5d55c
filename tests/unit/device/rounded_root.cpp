// Roots from an estimate (src/device/rounded_root_cpu.hpp) have the bits of the square root's instruction.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <vector>

#include "device/config.hpp"
#ifndef KOKKOS_ENABLE_CUDA

#include "device/pair_lanes_cpu.hpp"

namespace mesowarp::backend {
namespace {

constexpr int width = Doubles::width;

// How many of the arguments have another root than the instruction's.
i64 wrongRoots(const std::vector<double>& arguments) {
  i64 wrong = 0;
  for (std::size_t k = 0; k + width <= arguments.size(); k += width) {
    const Doubles x = loadAs<Doubles>(arguments.data() + k);
    const auto differ = wordsOf(squareRootNormal(x)) != wordsOf(squareRoot(x));
    for (int l = 0; l < width; ++l) wrong -= differ[l];
  }
  return wrong;
}

// x in [1, 4) whose roots lie nearest to the middle of two numbers: x - m^2 = k 2^-106 for m = M 2^-53, M odd. From the
// solutions of M^2 = -k modulo 2^n, bit by bit: x = X 2^-52 < 2 has n = 54, x = X 2^-51 >= 2 has n = 55.
std::vector<double> hardArguments(int furthest) {
  std::vector<double> hard;
  for (i64 k = -furthest; k <= furthest; ++k) {
    if (((k % 8) + 8) % 8 != 7) continue;
    for (const int n : {54, 55}) {
      std::vector<u64> solutions{1, 3, 5, 7};
      for (int bits = 4; bits <= n; ++bits) {
        std::vector<u64> longer;
        for (const u64 m : solutions)
          for (const u64 candidate : {m, m + (u64{1} << (bits - 1))})
            if ((candidate * candidate + static_cast<u64>(k)) << (64 - bits) == 0) longer.push_back(candidate);
        solutions = longer;
      }
      for (const u64 m : solutions) {
        if (m < u64{1} << 53 || m >= u64{1} << 54) continue;
        const auto square = static_cast<unsigned __int128>(m) * m + static_cast<unsigned __int128>(k);
        const u64 digits = static_cast<u64>(square >> n);
        if (digits >> 52 == 1) hard.push_back(std::ldexp(static_cast<double>(digits), n == 54 ? -52 : -51));
      }
    }
  }
  return hard;
}

// Arguments whose last bits are all zeros or all ones, squares of short numbers, and the neighbours of both.
std::vector<double> roundArguments() {
  std::vector<double> round;
  const auto withNeighbours = [&](double x) {
    for (int step = -3; step <= 3; ++step)
      round.push_back(math::bitCast<double>(math::bitCast<u64>(x) + static_cast<u64>(i64{step})));
  };
  for (int bit = 0; bit <= 52; ++bit)
    for (const double base : {1.0, 2.0}) {
      withNeighbours(base + std::ldexp(base, -bit));
      withNeighbours(2.0 * base - std::ldexp(base, -bit));
    }
  for (int k = 1; k < 2048; ++k) withNeighbours(static_cast<double>(k) * k), withNeighbours((k + 0.5) * (k + 0.5));
  for (int k = 0; k < 4096; ++k) {  // squares of numbers of 26 and 27 bits: exact, and half a unit short
    const double root = 1.0 + k * 0x1p-12 + 0x1p-26;
    withNeighbours(root * root), withNeighbours(4.0 - root * 0x1p-26);
  }
  return round;
}

TEST(RoundedRoot, HardArgumentsAtAllExponents) {
  std::vector<double> base = hardArguments(400), all;
  ASSERT_GT(base.size(), 100u);
  for (const double x : {1.0 + 0x1p-52, 4.0 - 0x1p-51, 0x1.5b95344972fe2p+1})  // k = -1, -1, 7
    ASSERT_NE(std::find(base.begin(), base.end(), x), base.end()) << x;
  for (const double x : roundArguments()) base.push_back(x);
  for (const int exponent : {-960, -501, -80, -41, -2, -1, 0, 1, 12, 51, 400, 957})
    for (const double x : base) {
      const double scaled = std::ldexp(x, exponent);
      if (scaled >= 0x1p-960 && scaled <= 0x1p960) all.push_back(scaled);
    }
  for (int exponent = -960; exponent < 956; exponent += 2)
    for (const double x : hardArguments(68)) all.push_back(std::ldexp(x, exponent));
  while (all.size() % width != 0) all.push_back(1.0);
  EXPECT_EQ(wrongRoots(all), 0);
}

TEST(RoundedRoot, AHundredMillionRandomArguments) {
#ifdef NDEBUG
  constexpr int blocks = 100'000'000 / (64 * width);
#else
  constexpr int blocks = 1'000'000 / (64 * width);
#endif
  constexpr u64 low = u64{1023 - 960} << 52;
  Doubles::Words state;
  for (int l = 0; l < width; ++l) state[l] = 0x9E3779B97F4A7C15ull * static_cast<u64>(l + 1);
  i64 wrong = 0;
  for (int k = 0; k < blocks; ++k) {
    typename Doubles::Integers any{};
    for (int step = 0; step < 64; ++step) {
      state ^= state << 13, state ^= state >> 7, state ^= state << 17;
      // Half of them with any exponent, the others from 2^-30 to 2^3, as squared distances are.
      const Doubles::Words mantissa = state & 0x000FFFFFFFFFFFFFull;
      const Doubles::Words exponent =
          step % 2 == 0 ? low + ((state >> 53) % 1920 << 52) : (((state >> 53) & 31) + (1023 - 29)) << 52;
      const Doubles x = numberOf(exponent | mantissa, Doubles());
      any |= wordsOf(squareRootNormal(x)) != wordsOf(squareRoot(x));
    }
    for (int l = 0; l < width; ++l) wrong += any[l] != 0;
  }
  EXPECT_EQ(wrong, 0);
}

// All arguments that the bound of the proof leaves over (|k| < 68), with all estimates of 24 bits that are good to
// 2^-14.
TEST(RoundedRoot, WhateverTheEstimate) {
  std::vector<double> arguments = hardArguments(70);
  EXPECT_EQ(arguments.size(), 26u);
  u64 state = 88172645463325252ull;
  for (int k = 0; k < 500; ++k) {
    state ^= state << 13, state ^= state >> 7, state ^= state << 17;
    arguments.push_back(math::bitCast<double>((state & 0x001FFFFFFFFFFFFFull) + (u64{1023} << 52)));
  }
  i64 tried = 0;
  for (const double x : arguments) {
    const double inverse = 1.0 / std::sqrt(x);
    for (int k = -2048; k <= 2048; ++k) {  // all of 24 bits
      const double estimate =
          static_cast<double>(static_cast<float>(inverse)) + k * (inverse > 0.5 ? 0x1p-24 : 0x1p-25);
      if (std::fabs(estimate * std::sqrt(x) - 1.0) > 0x1p-14) continue;
      ++tried;
      ASSERT_EQ(squareRootFrom(x, estimate), std::sqrt(x)) << std::hexfloat << x << ' ' << estimate;
    }
  }
  EXPECT_GT(tried, 500000);
}

#if defined(__AVX512F__)
TEST(RoundedRoot, TheInstructionsEstimateIsAsGoodAndAsShortAsTheProofAsks) {
  u64 seen = 0;
  double worst = 0.0;
  for (int k = 0; k < 3 << 18; k += width) {
    Doubles x;
    for (int l = 0; l < width; ++l) x.v[l] = 1.0 + (k + l + 0.37) * 0x1p-18;
    const Doubles y = estimateInverseSquareRoot(x);
    for (int l = 0; l < width; ++l) {
      seen |= math::bitCast<u64>(static_cast<double>(y.v[l]));
      worst = std::max(worst, std::fabs(y.v[l] * std::sqrt(x.v[l]) - 1.0));
    }
  }
  EXPECT_LE(worst, 0x1p-14);
  EXPECT_EQ(seen & ((u64{1} << 29) - 1), 0u);  // 24 bits with the leading one
}
#endif

TEST(WholeRegisters, AreConvertedLaneByLane) {
  i32 whole[Keys::width];
  float number[Keys::width];
  const i32 edges[] = {0, 1, -1, std::numeric_limits<i32>::min(), std::numeric_limits<i32>::max(), 1 << 24, 77777777};
  for (int shift = 0; shift < 7; ++shift) {
    for (int l = 0; l < Keys::width; ++l) whole[l] = edges[(l + shift) % 7], number[l] = 1.1f * (l - shift);
    SignedKeys keys;
    std::memcpy(&keys.v, whole, sizeof(whole));
    Floats floats;
    std::memcpy(&floats.v, number, sizeof(number));
    const WideFloats fromKeys = fromInteger<WideFloats>(keys), loaded = loadAs<WideFloats>(whole),
                     loadedFloats = loadAs<WideFloats>(number), wide = widened(floats);
    for (int l = 0; l < Keys::width; ++l) {
      EXPECT_EQ(wideLane(fromKeys, l), static_cast<double>(whole[l]));
      EXPECT_EQ(wideLane(loaded, l), static_cast<double>(whole[l]));
      EXPECT_EQ(wideLane(loadedFloats, l), static_cast<double>(number[l]));
      EXPECT_EQ(wideLane(wide, l), static_cast<double>(number[l]));
    }
  }
}

}  // namespace
}  // namespace mesowarp::backend
#endif
