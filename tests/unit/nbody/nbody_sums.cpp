// The seven accumulators by themselves, and what the quasi-double paper's Figures 10 and 11 say of their errors and
// offsets.
#include <algorithm>
#include <gtest/gtest.h>
#include <limits>
#include <map>

#include "core/accumulators.hpp"
#include "core/error.hpp"
#include "device/host_copy.hpp"
#include "tests/unit/nbody/nbody_systems.hpp"

namespace mesowarp::test {
namespace {

using input::Accumulator;
using input::Precision;
using nbody::Dielectric;

template <template <class> class SumOf>
typename SumOf<float>::Total totalOf(const std::vector<float>& terms, std::size_t tile = mostTerms) {
  SumOf<float> sum;
  for (std::size_t k = 0; k < terms.size(); ++k) {
    sum.add(terms[k], 1.0f);
    if ((k + 1) % tile == 0 || k + 1 == terms.size()) sum.endTile();
  }
  return sum.total(0);
}

std::vector<float> randomTerms(int n, double size, std::uint64_t seed) {
  Uniform uniform(seed);
  std::vector<float> terms;
  for (int k = 0; k < n; ++k) terms.push_back(static_cast<float>(size * uniform(-1.0, 1.0) * std::pow(uniform(), 6)));
  return terms;
}

double exactSum(const std::vector<float>& terms) {
  long double sum = 0.0L;
  for (const float t : terms) sum += t;
  return static_cast<double>(sum);
}

// 10,000 terms, a few large, many small: a float is off by 1e-7 or more of the largest, the pairs by their last places.
TEST(NbodySums, ErrorsOfTheMethods) {
  const auto terms = randomTerms(10000, 1.0 / 64, 3);
  const double exact = exactSum(terms), unit = 1.0 / 64;
  const auto error = [&](auto total) { return std::abs(total.value() - exact) / unit; };
  EXPECT_GT(error(totalOf<PlainSum>(terms)), 1e-7);
  EXPECT_LT(error(totalOf<WideSum>(terms)), 1e-12);
  EXPECT_LT(error(totalOf<TakahashiIitakaSum>(terms)), 1e-11);
  EXPECT_LT(error(totalOf<ModifiedNitadoriSum>(terms)), 1e-7);
  EXPECT_LT(error(totalOf<FixedSum>(terms)), 100.0 * 0x1p-45 / unit);  // a random walk of 10,000 roundings
}

// Nitadori's condition, a sum larger than each term, is broken by a large term that comes last.
TEST(NbodySums, NitadoriNeedsALargeSum) {
  const std::vector<float> rising{1e-8f, 1.0f, -1.0f};
  EXPECT_EQ(totalOf<TakahashiIitakaSum>(rising).value(), static_cast<double>(1e-8f));
  EXPECT_NE(totalOf<NitadoriSum>(rising).value(), static_cast<double>(1e-8f));
}

// Order, tiles and opposite terms: fixed point does not know them.
TEST(NbodySums, NarumiDoesNotKnowOrder) {
  auto terms = randomTerms(3000, 0.01, 4);
  const i64 sum = totalOf<FixedSum>(terms).sum;
  EXPECT_NE(sum, 0);
  EXPECT_EQ(totalOf<FixedSum>(terms, 7).sum, sum);
  std::reverse(terms.begin(), terms.end());
  EXPECT_EQ(totalOf<FixedSum>(terms, 100).sum, sum);
  std::sort(terms.begin(), terms.end());
  EXPECT_EQ(totalOf<FixedSum>(terms).sum, sum);
  std::vector<float> opposite = terms;
  for (float& t : opposite) t = -t;
  EXPECT_EQ(totalOf<FixedSum>(opposite).sum, -sum);
  auto a = totalOf<FixedSum>(terms);
  a.merge(totalOf<FixedSum>(opposite));
  EXPECT_EQ(a.sum, 0);
  // Floats do know it.
  std::vector<float> shuffled = randomTerms(3000, 0.01, 4);
  EXPECT_NE(totalOf<PlainSum>(shuffled).sum, totalOf<PlainSum>(terms).sum);
}

// Products are rounded once, to the grid: halves of its unit too, either way.
TEST(NbodySums, NarumiTiesAreSymmetric) {
  const float half = 0x1p-23f;  // half a unit of the high part
  for (const float first : {0.0f, 0x1p-22f, 0.25f}) {
    const i64 up = totalOf<FixedSum>({first, half}).sum - totalOf<FixedSum>({first}).sum;
    const i64 down = totalOf<FixedSum>({first, -half}).sum - totalOf<FixedSum>({first}).sum;
    EXPECT_EQ(up, i64{1} << 21);
    EXPECT_EQ(down, -(i64{1} << 21));
  }
}

// Sums of pairs of terms, on the device.
struct DeviceSums {
  DeviceArray<float> terms;
  DeviceArray<i64> sums;
  KOKKOS_FUNCTION void operator()(int k) const {
    FixedSum<float> sum;
    sum.add(terms(2 * k), 1.0f), sum.add(terms(2 * k + 1), 1.0f);
    sum.endTile();
    sums(k) = sum.total(0).sum;
  }
};
TEST(NbodySums, NarumiIsTheSameOnTheDevice) {
  std::vector<float> terms = randomTerms(2000, 0.3, 9);
  for (const float term :
       {0x1p-23f, -0x1p-23f, 0x1p-22f, 0x1p-45f, -0x1p-45f, 0x1.8p-44f, -0x1.8p-44f, 0.999f, -1.0f, 0.0f})
    terms.push_back(term), terms.push_back(-0.25f);
  const std::size_t good = terms.size() / 2;
  for (const float wild : {1.0f, -1.1f, -2.9f, -3.0f, -3.1f, -6.0f, 1e30f, -1e30f,
                           std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()})
    terms.push_back(wild), terms.push_back(0.5f);
  const DeviceArray<i64> device("sums", terms.size() / 2);
  Kokkos::parallel_for("sums", Range(0, static_cast<int>(terms.size() / 2)), DeviceSums{onDevice(terms), device});
  const auto sums = hostCopy(device);
  for (std::size_t k = 0; k < terms.size() / 2; ++k) {
    ASSERT_EQ(sums(k), totalOf<FixedSum>({terms[2 * k], terms[2 * k + 1]}).sum) << terms[2 * k];
    ASSERT_EQ(sums(k) == FixedTotal::overflow, k >= good) << terms[2 * k];
  }
}

TEST(NbodySums, NarumiSeesEveryOverflow) {
  const auto overflows = [](const std::vector<float>& terms) { return totalOf<FixedSum>(terms).overflowed(); };
  // A sum may leave (-1, 1), a term may not.
  EXPECT_FALSE(overflows({0.6f, 0.6f, 0.6f}));
  EXPECT_NEAR(totalOf<FixedSum>({0.6f, 0.6f, 0.6f}).value(), 1.8, 1e-6);
  EXPECT_FALSE(overflows(std::vector<float>(256, 0.99f)));
  EXPECT_NEAR(totalOf<FixedSum>(std::vector<float>(256, -1.0f)).value(), -256.0, 1e-6);
  EXPECT_TRUE(overflows({1.0f}));
  EXPECT_TRUE(overflows({0.1f, -1.9f, 0.9f}));
  for (const float wild : {1e3f, -1e3f, 5.0f, -2.9f, -3.0f, -6.0f, 1e30f, -1e30f,
                           std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()}) {
    EXPECT_TRUE(overflows({wild})) << wild;
    EXPECT_TRUE(overflows({0.25f, wild, -wild})) << wild;
  }
  // Within each tile, but not all tiles together: 2^19 of them fit.
  FixedTotal total = totalOf<FixedSum>({0.9f});
  for (int k = 0; k < 19; ++k) total.merge(total);
  EXPECT_FALSE(total.overflowed());
  total.merge(total);
  EXPECT_TRUE((total.merge(total), total.overflowed()));
}

// The order of Figures 10 and 11: without excluded pairs, Lennard-Jones particles of several types.
TEST(NbodySums, ErrorsAndOffsetsAreInThePapersOrder) {
  const Bodies b = ball(1500, 21, 0.2, 2.5, 18);
  std::map<Accumulator, double> error, offset;
  const auto exact = plainForces(b, chargeSettings(Dielectric::none, Precision::double_, Accumulator::double_));
  for (int a = 0; a <= static_cast<int>(Accumulator::double_); ++a) {
    const auto accumulator = static_cast<Accumulator>(a);
    const auto precision = accumulator == Accumulator::double_ ? Precision::double_ : Precision::single;
    const auto forces = forcesOf(*nbody::makeBodyForce(chargeSettings(Dielectric::none, precision, accumulator)), b);
    error[accumulator] = forceError(forces, exact), offset[accumulator] = forceOffset(forces);
  }
  EXPECT_LT(error[Accumulator::double_], 1e-13);
  for (const auto quasi : {Accumulator::double_sum, Accumulator::takahashi_iitaka, Accumulator::narumi}) {
    EXPECT_LE(error[quasi], error[Accumulator::single]);
    EXPECT_LT(error[quasi], 4e-7);  // of the terms themselves
    EXPECT_LT(offset[quasi], 0.01 * offset[Accumulator::single]);
  }
  EXPECT_EQ(offset[Accumulator::narumi], 0.0);
  EXPECT_GT(offset[Accumulator::double_], 0.0);  // as in the paper: even double precision has one
  EXPECT_GT(offset[Accumulator::single], 1e-10);
}

// Bonded neighbours at a third of sigma, subtracted afterwards: methods A and D lose all digits, the others do not.
TEST(NbodySums, ExcludedAfterwardsTheSingleSumFails) {
  Bodies b = ball(200, 22, 0.3, 2.0, 18);
  const int n = b.count();
  for (int i = 0; i < n; ++i) {
    Vector near = b.position[i];
    near[i % 3] += 0.09375;
    b.position.push_back(near), b.velocity.push_back({}), b.mass.push_back(1.0), b.charge.push_back(0.0),
        b.type.push_back(0);
    b.excluded.insert({i, n + i}), b.excluded.insert({n + i, i});
  }
  std::map<Accumulator, double> error, offset;
  const auto exact = plainForces(b, chargeSettings(Dielectric::none, Precision::double_, Accumulator::double_));
  for (const auto accumulator :
       {Accumulator::single, Accumulator::double_sum, Accumulator::takahashi_iitaka, Accumulator::narumi}) {
    auto settings = chargeSettings(Dielectric::none, Precision::single, accumulator);
    settings.excludeAfterwards = true;
    const auto force = nbody::makeBodyForce(settings);
    if (force->needsRange()) force->setRange(2.0 * force->largestSum(b.view(), b.exclusions()));
    const auto forces = forcesOf(*force, b);
    error[accumulator] = forceError(forces, exact), offset[accumulator] = forceOffset(forces);
  }
  EXPECT_GT(error[Accumulator::single], 1e-3);
  EXPECT_LT(error[Accumulator::double_sum], 1e-5);
  EXPECT_LT(error[Accumulator::takahashi_iitaka], 1e-5);
  EXPECT_LT(error[Accumulator::narumi], 3e-5);  // 46 bits of twice the largest sum
  EXPECT_EQ(offset[Accumulator::narumi], 0.0);
}

TEST(NbodySums, OverflowOfAForceIsReported) {
  const Bodies b = ball(100, 23, 0.2, 2.0, 18);
  auto settings = chargeSettings(Dielectric::none, Precision::single, Accumulator::narumi);
  const auto force = nbody::makeBodyForce(settings);
  EXPECT_THROW(force->evaluate(b.view(), {}, {{}, 100}, DeviceArray<backend::BodySums>("sums", 100)), RunError);
  forcesOf(*force, b);
  Execution().fence();
  EXPECT_FALSE(force->overflowed());
  settings.range = force->range() / 1e4;
  const auto narrow = nbody::makeBodyForce(settings);
  forcesOf(*narrow, b);
  Execution().fence();
  EXPECT_TRUE(narrow->overflowed());
}

}  // namespace
}  // namespace mesowarp::test
