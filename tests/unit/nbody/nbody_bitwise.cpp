// Bodies bit by bit: the portable functions in a vector's lanes and in a number, forces whatever the vector, the parts
// and the pieces, ranges and the table's sums whatever the order.
#include <algorithm>
#include <gtest/gtest.h>
#include <limits>
#include <numeric>

#include "core/portable_math.hpp"
#include "state/exact_sums.hpp"
#include "tests/unit/nbody/nbody_plain_loop.hpp"

namespace mesowarp::test {
namespace {

using input::Accumulator;
using input::Precision;
using math::Portable;
using nbody::Dielectric;

#ifndef KOKKOS_ENABLE_CUDA
template <class T>
class NbodyLanes : public testing::Test {};
using Numbers = testing::Types<float, double>;
TYPED_TEST_SUITE(NbodyLanes, Numbers);

// f of a vector's lanes against f of each number, for arguments between 2^-most and 2^most.
template <class T, class Function>
void expectSameBits(int most, bool negative, const Function& f) {
  using V = backend::Pack<T>;
  Uniform uniform(5);
  for (int k = 0; k < 20000; ++k) {
    V x;
    for (int l = 0; l < V::width; ++l) {
      const double size = std::exp2(uniform(-1.0, 1.0) * most);
      x.v[l] = static_cast<T>(negative && uniform() < 0.5 ? -size : size);
    }
    const V y = f(x);
    for (int l = 0; l < V::width; ++l) ASSERT_EQ(math::wordsOf(y.v[l]), math::wordsOf(f(T(x.v[l])))) << T(x.v[l]);
  }
}
TYPED_TEST(NbodyLanes, HaveTheBitsOfNumbers) {
  const int most = sizeof(TypeParam) == 4 ? 120 : 1000;
  expectSameBits<TypeParam>(most, false, [](auto x) { return Portable::inverseSquareRoot(x); });
  expectSameBits<TypeParam>(most, false, [](auto x) { return Portable::reciprocal(x); });
  expectSameBits<TypeParam>(sizeof(TypeParam) == 4 ? 6 : 9, true, [](auto x) { return Portable::exp2Of(x); });
}
TYPED_TEST(NbodyLanes, AreAsExactAsNumbersCanBe) {
  using V = backend::Pack<TypeParam>;
  const double unit = std::numeric_limits<TypeParam>::epsilon();
  Uniform uniform(6);
  for (int k = 0; k < 20000; ++k) {
    const auto x = static_cast<TypeParam>(std::exp2(uniform(-60.0, 60.0))),
               e = static_cast<TypeParam>(uniform(-60.0, 60.0));
    const long double exact = x;
    EXPECT_NEAR(Portable::inverseSquareRoot(V(x)).v[0] * std::sqrt(exact), 1.0, unit);
    EXPECT_NEAR(Portable::reciprocal(V(x)).v[0] * exact, 1.0, unit);
    EXPECT_NEAR(Portable::exp2Of(V(e)).v[0] / std::exp2(static_cast<long double>(e)), 1.0, 1.5 * unit);
  }
  EXPECT_EQ(Portable::exp2Of(V(0)).v[0], 1);
  EXPECT_EQ(Portable::exp2Of(V(-1e30f)).v[0], std::numeric_limits<TypeParam>::min());
}
#endif

// The sums of a law as the traversal has them, over vectors on a CPU, and of one number after another in a plain loop:
// what a GPU's thread does. The j in one part, in several, and in pieces as ranks have them.
template <class Source>
void expectSumsOfAPlainLoop(const nbody::ForceSettings& settings, double scale) {
  using Law = typename Source::Law;
  PlainLoopSums<Source> plain(settings, scale, 700);
  auto& task = plain.task;
  backend::PairsWorkspace workspace;
  const auto expectThem = [&](const char* how) { plain.expectThem(how); };
  for (const int parts : {0, 1, 2, 3}) {
    task.parts = parts;
    backend::sumAllPairs<Law, FixedSum>("sums", task, workspace);
    expectThem("parts");
  }
  task.parts = 0;
  const std::size_t room = task.room;
  for (const auto style :
       {backend::PairsStyle::wide, backend::PairsStyle::few, backend::PairsStyle::half, backend::PairsStyle::narrow}) {
    task.style = style, task.room = room;
    backend::sumAllPairs<Law, FixedSum>("sums", task, workspace);
    expectThem("style");
    task.room = 0;  // a launch for each distance
    backend::sumAllPairs<Law, FixedSum>("sums", task, workspace);
    expectThem("launches");
  }
  task.room = room;
  task.style = backend::PairsStyle::fastest;
  backend::SumOfPieces<Law, FixedSum> sum("sums", task, {{0, 1}, {1, 140}, {140, plain.n}}, workspace);
  for (const std::size_t piece : {1, 2, 0}) sum.add(piece);
  sum.finish();
  expectThem("pieces");
}

// Gravity with its jerk and the law of all dielectrics with the most terms; that without has a function of its own.
template <class S, bool Split>
void expectLaws() {
  expectSumsOfAPlainLoop<nbody::GravitySource<S, Split, true, Portable>>(bitwiseGravity(), gravityScale);
  expectSumsOfAPlainLoop<nbody::LennardJonesCoulombSource<S, Split, Dielectric::sigmoidal, Portable>>(bitwiseCharges(),
                                                                                                      chargesScale);
}
TEST(NbodyBitwise, SumsAreThoseOfOneNumberAfterAnotherInSingle) {
  expectLaws<float, false>();
  const auto charges = bitwise(chargeSettings(Dielectric::none, Precision::single, Accumulator::narumi));
  expectSumsOfAPlainLoop<nbody::LennardJonesCoulombSource<float, false, Dielectric::none, Portable>>(charges,
                                                                                                     chargesScale);
}
TEST(NbodyBitwise, SumsAreThoseOfOneNumberAfterAnotherInMixed) { expectLaws<float, true>(); }
TEST(NbodyBitwise, SumsAreThoseOfOneNumberAfterAnotherInDouble) { expectLaws<double, false>(); }

class NbodyBitwiseForces : public testing::TestWithParam<Precision> {};

TEST_P(NbodyBitwiseForces, AreThoseOfAPlainLoop) {
  const double tolerance =
      GetParam() == Precision::double_ ? 3e-11 : 5e-7;  // terms rounded to 2^-51 of 64 times the largest sum
  const Bodies b = ball(300, 9, 0.25, 2.0, 18);
  const auto gravity = bitwise(gravitySettings(GetParam(), Accumulator::narumi, true));
  const auto forces = forcesOf(*nbody::makeBodyForce(gravity), b), exact = plainForces(b, gravity);
  EXPECT_LT(forceError(forces, exact), tolerance);
  EXPECT_LT(forceError(forces, exact, 3), 3.0 * tolerance);
  for (const auto d : {Dielectric::none, Dielectric::constant, Dielectric::linear, Dielectric::sigmoidal}) {
    const auto settings = bitwise(chargeSettings(d, GetParam(), Accumulator::narumi));
    EXPECT_LT(forceError(forcesOf(*nbody::makeBodyForce(settings), b), plainForces(b, settings)), 4.0 * tolerance)
        << static_cast<int>(d);
  }
}

TEST_P(NbodyBitwiseForces, SumToExactlyZero) {
  Bodies b = ball(700, 33, 0.15, 2.0);
  for (int i = 0; i + 1 < b.count(); i += 3) b.excluded.insert({i, i + 1}), b.excluded.insert({i + 1, i});
  for (const auto d : {Dielectric::none, Dielectric::constant, Dielectric::linear, Dielectric::sigmoidal}) {
    auto settings = bitwise(chargeSettings(d, GetParam(), Accumulator::narumi));
    const auto onTheFly = forcesOf(*nbody::makeBodyForce(settings), b);
    EXPECT_EQ(forceOffset(onTheFly), 0.0) << static_cast<int>(d);
    settings.excludeAfterwards = true;
    const auto force = nbody::makeBodyForce(settings);
    const auto afterwards = forcesOf(*force, b);
    EXPECT_FALSE(force->overflowed());
    EXPECT_EQ(forceOffset(afterwards), 0.0) << static_cast<int>(d);
  }
}

// The order of bodies changes neither the range nor the energy, and each body keeps its force.
TEST_P(NbodyBitwiseForces, DoNotKnowTheOrderOfBodies) {
  const Bodies b = ball(500, 34, 0.1, 2.0);
  Bodies turned = b;
  std::reverse(turned.position.begin(), turned.position.end()), std::reverse(turned.mass.begin(), turned.mass.end());
  std::reverse(turned.charge.begin(), turned.charge.end()), std::reverse(turned.type.begin(), turned.type.end());
  for (const auto& settings : {bitwise(gravitySettings(GetParam(), Accumulator::narumi)),
                               bitwise(chargeSettings(Dielectric::sigmoidal, GetParam(), Accumulator::narumi))}) {
    const auto one = nbody::makeBodyForce(settings), two = nbody::makeBodyForce(settings);
    const auto a = forcesOf(*one, b), c = forcesOf(*two, turned);
    EXPECT_EQ(one->range(), two->range());
    EXPECT_GT(one->range(), 0.0);
    for (int i = 0; i < b.count(); ++i)
      for (int k = 0; k < 3; ++k) ASSERT_EQ(a[i][k], c[b.count() - 1 - i][k]);
    const double energy = one->potential(b.view(), {});
    EXPECT_EQ(energy, two->potential(turned.view(), {}));
    auto plain = settings;
    plain.bitwise = false, plain.precision = Precision::double_, plain.accumulator = Accumulator::double_;
    EXPECT_NEAR(energy, nbody::makeBodyForce(plain)->potential(b.view(), {}), 1e-10 * std::abs(energy));
  }
}
INSTANTIATE_TEST_SUITE_P(AllPrecisions, NbodyBitwiseForces,
                         testing::Values(Precision::single, Precision::mixed, Precision::double_));

// The range holds the sums it was made of, and is not larger than it needs to be.
TEST(NbodyBitwise, TheLargestSumIsThatOfAPlainLoop) {
  const Bodies b = ball(200, 35, 0.2, 2.0);
  const auto settings = bitwise(gravitySettings(Precision::single, Accumulator::narumi));
  double largest = 0.0;
  for (int i = 0; i < b.count(); ++i) {
    Vector sum{};
    for (int j = 0; j < b.count(); ++j) {
      double d2 = settings.softening * settings.softening;
      for (int c = 0; c < 3; ++c) d2 += std::pow(b.position[j][c] - b.position[i][c], 2);
      for (int c = 0; c < 3; ++c)
        sum[c] += settings.gravity * b.mass[j] * std::abs(b.position[j][c] - b.position[i][c]) / std::pow(d2, 1.5);
    }
    largest = std::max({largest, sum[0], sum[1], sum[2]});
  }
  EXPECT_NEAR(nbody::makeBodyForce(settings)->largestSum(b.view(), {}), largest, 1e-5 * largest);
}

struct Pair {
  double first, second;
};
struct PairsOf {
  DeviceArray<double> numbers;
  KOKKOS_INLINE_FUNCTION Pair operator()(int i) const { return {numbers(i), 1e-9 * numbers(i) * numbers(i)}; }
};
Pair exactly(const std::vector<double>& numbers, double within = 0.0) {
  return exactSums<Pair>("sums", static_cast<int>(numbers.size()), PairsOf{onDevice(numbers)}, nullptr, within);
}

TEST(NbodyBitwise, ExactSumsDoNotKnowOrder) {
  Uniform uniform(36);
  std::vector<double> numbers;
  for (int k = 0; k < 30000; ++k) numbers.push_back(uniform(-1.0, 1.0) * std::exp2(uniform(-40.0, 3.0)));
  const Pair sum = exactly(numbers);
  long double first = 0.0L, second = 0.0L;
  for (const double x : numbers) first += x, second += 1e-9 * x * x;
  EXPECT_NEAR(sum.first, static_cast<double>(first), 1e-13);
  EXPECT_NEAR(sum.second, static_cast<double>(second), 1e-15 * sum.second);
  std::vector<double> sorted = numbers;
  std::sort(sorted.begin(), sorted.end());
  EXPECT_NE(std::accumulate(sorted.begin(), sorted.end(), 0.0), std::accumulate(numbers.begin(), numbers.end(), 0.0));
  EXPECT_EQ(exactly(sorted).first, sum.first);
  EXPECT_EQ(exactly(sorted).second, sum.second);
  // A guess of the largest that is right, and one that is not.
  EXPECT_NEAR(exactly(numbers, 1024.0).first, static_cast<double>(first), 1e-12);
  EXPECT_EQ(exactly(sorted, 1024.0).first, exactly(numbers, 1024.0).first);
  EXPECT_EQ(exactly(numbers, 0.5).first, sum.first);
  EXPECT_EQ(exactly(numbers, 0.5).second, sum.second);
  for (double& x : sorted) x = -x;
  EXPECT_EQ(exactly(sorted).first, -sum.first);
}

TEST(NbodyBitwise, ExactSumsOfSpecialNumbers) {
  EXPECT_EQ(exactly({0.0, 0.0}).first, 0.0);
  EXPECT_EQ(exactly({1e300, -1e300, 0.0}).first, 0.0);
  EXPECT_EQ(exactly({0x3p-1030, 0x1p-1030}).first, 0x1p-1028);
  EXPECT_EQ(exactly({1.0, 0x1p-52}).first, 1.0 + 0x1p-52);
  EXPECT_TRUE(std::isnan(exactly({1.0, std::numeric_limits<double>::infinity()}).first));
  EXPECT_TRUE(std::isnan(exactly({1.0, std::numeric_limits<double>::quiet_NaN(), 2.0}).first));
  EXPECT_TRUE(std::isnan(exactly({1.0, std::numeric_limits<double>::quiet_NaN(), 2.0}, 4.0).first));
}

}  // namespace
}  // namespace mesowarp::test
