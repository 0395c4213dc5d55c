// Statistics of the pair noise over four million pairs, for each way of mixing signatures: its distribution, and that
// no two numbers know of each other.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <vector>

#include "core/random.hpp"
#include "tests/unit/support/test_statistics.hpp"

namespace mesowarp {
namespace {

using test::Correlation;
using test::sigmas;

// Signatures of tags 0 ... count-1 in one step, and the pair numbers made from them.
template <class Mixing>
class Noise {
public:
  Noise(u64 seed, i64 step, int count, Stream stream = Stream::pairNoise) : signatures_(count) {
    const StepKey key = stepKey(seed, stream, step);
    for (int tag = 0; tag < count; ++tag) signatures_[tag] = signature(static_cast<u32>(tag), key);
  }
  Words words(int i, int j) const { return pairWords<Mixing>(signatures_[i], signatures_[j]); }
  Words words(int i, int j, u32 stream) const { return pairWords<Mixing>(signatures_[i], signatures_[j], stream); }
  double operator()(int i, int j) const { return gaussian<double>(words(i, j)); }
  double operator()(int i, int j, u32 stream) const { return gaussian<double>(words(i, j, stream)); }
  const std::vector<u32>& signatures() const { return signatures_; }

private:
  std::vector<u32> signatures_;
};

constexpr int allTags = 2900;  // 4.2 million pairs

template <class Visit>
void forAllPairs(const Visit& visit, int count = allTags) {
  for (int i = 0; i < count; ++i)
    for (int j = i + 1; j < count; ++j) visit(i, j);
}

void expectUncorrelated(const Correlation& c, const char* what) {
  EXPECT_LT(std::abs(c.ofValues()), sigmas) << what;
  EXPECT_LT(std::abs(c.ofSquares()), sigmas) << what << " (squares)";
}

template <class Mixing>
class RandomStatistics : public testing::Test {};
using Mixings = testing::Types<TeaMixing, MultiplyMixing>;
TYPED_TEST_SUITE(RandomStatistics, Mixings);

template <class Real, class Mixing>
void expectStandardNormal() {
  const Noise<Mixing> noise(20240131, 12345, allTags);
  test::Moments moments;
  std::vector<std::int64_t> bins(64, 0);
  forAllPairs([&](int i, int j) {
    const double x = static_cast<double>(gaussian<Real>(noise.words(i, j)));
    moments.add(x);
    const int bin = static_cast<int>(64.0 * 0.5 * std::erfc(-x * M_SQRT1_2));
    ++bins[bin < 63 ? bin : 63];
  });
  EXPECT_GT(moments.count(), 4e6);
  EXPECT_LT(std::abs(moments.mean()), sigmas);
  EXPECT_LT(std::abs(moments.variance()), sigmas);
  EXPECT_LT(std::abs(moments.skewness()), sigmas);
  EXPECT_LT(std::abs(moments.kurtosis()), sigmas);
  EXPECT_LT(std::abs(test::chiSquareSigmas(bins)), sigmas) << "64 equally probable bins";
}

TYPED_TEST(RandomStatistics, GaussianIsStandardNormalInFloat) { expectStandardNormal<float, TypeParam>(); }
TYPED_TEST(RandomStatistics, GaussianIsStandardNormalInDouble) { expectStandardNormal<double, TypeParam>(); }

TYPED_TEST(RandomStatistics, EveryByteOfPairWordsIsUniform) {
  const Noise<TypeParam> noise(3, 1, allTags);
  std::vector<std::vector<std::int64_t>> bins(8, std::vector<std::int64_t>(256, 0));
  forAllPairs([&](int i, int j) {
    const Words w = noise.words(i, j);
    for (int b = 0; b < 4; ++b) ++bins[b][(w.first >> 8 * b) & 255], ++bins[4 + b][(w.second >> 8 * b) & 255];
  });
  for (int b = 0; b < 8; ++b)
    EXPECT_LT(std::abs(test::chiSquareSigmas(bins[b])), sigmas) << "word " << b / 4 << ", byte " << b % 4;
}

TYPED_TEST(RandomStatistics, EveryByteOfSignaturesIsUniform) {
  std::vector<std::vector<std::int64_t>> bins(4, std::vector<std::int64_t>(256, 0));
  const Noise<TypeParam> noise(3, 1, 1000000);
  for (const u32 s : noise.signatures())
    for (int b = 0; b < 4; ++b) ++bins[b][(s >> 8 * b) & 255];
  for (int b = 0; b < 4; ++b) EXPECT_LT(std::abs(test::chiSquareSigmas(bins[b])), sigmas) << "byte " << b;
}

TYPED_TEST(RandomStatistics, WordsOfOnePairAreIndependent) {
  const Noise<TypeParam> noise(5, 2, allTags);
  std::vector<std::int64_t> low(256, 0), high(256, 0);  // 4 bits of either word
  forAllPairs([&](int i, int j) {
    const Words w = noise.words(i, j);
    ++low[(w.first & 15) << 4 | (w.second & 15)];
    ++high[(w.first >> 28) << 4 | w.second >> 28];
  });
  EXPECT_LT(std::abs(test::chiSquareSigmas(low)), sigmas);
  EXPECT_LT(std::abs(test::chiSquareSigmas(high)), sigmas);
}

TYPED_TEST(RandomStatistics, StepsSeedsAndStreamsAreUncorrelated) {
  const Noise<TypeParam> base(11, 1000, allTags);
  const struct {
    Noise<TypeParam> other;
    const char* what;
  } cases[] = {{Noise<TypeParam>(11, 1001, allTags), "next step"},
               {Noise<TypeParam>(11, 1002, allTags), "two steps on"},
               {Noise<TypeParam>(11, 1000 ^ 1024, allTags), "steps that differ by a high bit"},
               {Noise<TypeParam>(11, 1000 + (i64{1} << 32), allTags), "steps that differ by 2^32"},
               {Noise<TypeParam>(12, 1000, allTags), "next seed"},
               {Noise<TypeParam>(11 + (u64{1} << 32), 1000, allTags), "seeds that differ by 2^32"},
               {Noise<TypeParam>(11, 1000, allTags, Stream::initialVelocity), "streams"}};
  for (const auto& c : cases) {
    Correlation correlation;
    forAllPairs([&](int i, int j) { correlation.add(base(i, j), c.other(i, j)); });
    expectUncorrelated(correlation, c.what);
  }
}

TYPED_TEST(RandomStatistics, PairsThatShareAParticleAreUncorrelated) {
  const Noise<TypeParam> noise(21, 77, allTags + 8);
  Correlation next, chain, both;
  forAllPairs([&](int i, int j) {
    const double x = noise(i, j);
    next.add(x, noise(i, j + 1));           // (i, j) and (i, j + 1)
    chain.add(x, noise(j, j + 1 + i % 7));  // (i, j) and (j, k)
    both.add(x, noise(i + 1, j + 1));       // (i, j) and (i + 1, j + 1)
  });
  expectUncorrelated(next, "(i, j) and (i, j + 1)");
  expectUncorrelated(chain, "(i, j) and (j, k)");
  expectUncorrelated(both, "(i, j) and (i + 1, j + 1)");
}

// A generator that mixes two signatures too weakly shows in products around a triangle or a square.
TYPED_TEST(RandomStatistics, TrianglesAndSquaresAreUncorrelated) {
  const Noise<TypeParam> noise(22, 5, allTags + 64);
  Correlation triangle, square;
  forAllPairs([&](int i, int j) {
    const int k = j + 1 + (i & 31), l = k + 1 + (i & 15);
    triangle.add(noise(i, j) * noise(j, k), noise(k, i));
    square.add(noise(i, j) * noise(j, k), noise(k, l) * noise(l, i));
  });
  EXPECT_LT(std::abs(triangle.ofValues()), sigmas);
  EXPECT_LT(std::abs(square.ofValues()), sigmas);
}

// Sums over all partners of one particle: standard normal after division by the root of their number.
TYPED_TEST(RandomStatistics, SumOverPartners) {
  constexpr int rows = 1000, columns = 4000;
  const Noise<TypeParam> noise(31, 9, rows + columns);
  std::vector<double> row(rows, 0.0), column(columns, 0.0);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) {
      const double x = noise(i, rows + j);
      row[i] += x, column[j] += x;
    }
  const auto check = [](const std::vector<double>& sums, double terms, const char* what) {
    test::Moments moments;
    for (const double sum : sums) {
      EXPECT_LT(std::abs(sum), 5.5 * std::sqrt(terms)) << what;
      moments.add(sum / std::sqrt(terms));
    }
    EXPECT_LT(std::abs(moments.mean()), sigmas) << what;
    EXPECT_LT(std::abs(moments.variance()), sigmas) << what;
    EXPECT_LT(std::abs(moments.kurtosis()), sigmas) << what;
  };
  check(row, columns, "over j of a fixed i");
  check(column, rows, "over i of a fixed j");
}

// One pair through 200,000 consecutive steps, with the lags that a periodic generator would show.
TYPED_TEST(RandomStatistics, OnePairThroughTime) {
  constexpr int steps = 200000;
  std::vector<double> series(steps);
  test::Moments moments;
  for (int k = 0; k < steps; ++k) {
    const StepKey key = stepKey(1, Stream::pairNoise, k);
    series[k] = gaussian<double>(pairWords<TypeParam>(signature(0, key), signature(1, key)));
    moments.add(series[k]);
  }
  EXPECT_LT(std::abs(moments.mean()), sigmas);
  EXPECT_LT(std::abs(moments.variance()), sigmas);
  EXPECT_LT(std::abs(moments.kurtosis()), sigmas);
  for (const int lag : {1, 2, 3, 4, 8, 16, 64, 256, 1024, 4096}) {
    Correlation correlation;
    for (int k = 0; k + lag < steps; ++k) correlation.add(series[k], series[k + lag]);
    expectUncorrelated(correlation, ("lag " + std::to_string(lag)).c_str());
  }
}

// The streams of a pair: stream 0 is the one without a number; the others are as good, and none knows of another, of
// the same pair or of the next one.
TYPED_TEST(RandomStatistics, StreamsOfAPairAreIndependent) {
  constexpr u32 streams[] = {0, 1, 2, 3, 16, 1000};
  constexpr int count = 6, particles = 1500;  // 1.1 million pairs
  const Noise<TypeParam> noise(77, 5, particles);
  test::Moments moments[count];
  Correlation same[count][count], next[count][count];
  std::vector<std::vector<std::int64_t>> together(count * count, std::vector<std::int64_t>(256, 0));
  double before[count] = {};
  forAllPairs(
      [&](int i, int j) {
        double x[count];
        Words words[count];
        for (int s = 0; s < count; ++s) {
          words[s] = noise.words(i, j, streams[s]), x[s] = noise(i, j, streams[s]);
          moments[s].add(x[s]);
        }
        ASSERT_EQ(words[0].first, noise.words(i, j).first);
        ASSERT_EQ(words[0].second, noise.words(i, j).second);
        for (int a = 0; a < count; ++a)
          for (int b = 0; b < count; ++b) {
            if (a < b) same[a][b].add(x[a], x[b]);
            if (a < b) ++together[a * count + b][words[a].first >> 28 << 4 | words[b].first >> 28];
            if (a > b) ++together[a * count + b][words[a].second >> 28 << 4 | words[b].second >> 28];
            if (a != b) next[a][b].add(x[a], before[b]);
          }
        std::copy_n(x, count, before);
      },
      particles);
  for (int a = 0; a < count; ++a) {
    const std::string what = "stream " + std::to_string(streams[a]);
    EXPECT_LT(std::abs(moments[a].mean()), sigmas) << what;
    EXPECT_LT(std::abs(moments[a].variance()), sigmas) << what;
    EXPECT_LT(std::abs(moments[a].kurtosis()), sigmas) << what;
    for (int b = 0; b < count; ++b) {
      if (a == b) continue;
      const std::string both = what + " and " + std::to_string(streams[b]);
      if (a < b) expectUncorrelated(same[a][b], both.c_str());
      expectUncorrelated(next[a][b], (both + " of the pair before").c_str());
      EXPECT_LT(std::abs(test::chiSquareSigmas(together[a * count + b])), sigmas) << both;
    }
  }
}

// 1 from one side of a pair, -1 from the other.
TEST(RandomPairs, SignTellsTheSidesApart) {
  test::Uniform uniform(4);
  for (int k = 0; k < 100000; ++k) {
    const u32 a = static_cast<u32>(uniform.word()), b = k % 2 == 0 ? static_cast<u32>(uniform.word()) : a + 1;
    ASSERT_EQ(pairSign<double>(a, b), a > b ? 1.0 : -1.0);
    ASSERT_EQ(pairSign<float>(a, b), -pairSign<float>(b, a));
    ASSERT_EQ(pairSign<float>(a, a), 0.0f);
  }
}

}  // namespace
}  // namespace mesowarp
