// Logarithm, sine and power against long double over dense sweeps; and the device against the host.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "core/math.hpp"
#include "core/random.hpp"
#include "device/config.hpp"
#include "device/host_copy.hpp"
#include "tests/unit/support/test_statistics.hpp"

namespace mesowarp {
namespace {

const u32 edgeWords[] = {0u,          1u,          2u,          3u,          4u,          0x7fffffffu, 0x80000000u,
                         0x80000001u, 0xb504f333u, 0x5a827999u, 0xfffffeffu, 0xfffffffdu, 0xfffffffeu, 0xffffffffu};

// Largest relative error of logUnit over the numbers that words become.
template <class Real>
long double worstLogUnit() {
  long double worst = 0.0L;
  const auto check = [&](u32 word) {
    const Real u = math::unitOpen<Real>(word);
    EXPECT_GT(u, Real(0));
    EXPECT_LE(u, Real(1));
    const long double exact = std::log(static_cast<long double>(u)), got = math::logUnit(u);
    const long double error = exact == 0.0L ? std::abs(got) : std::abs(got / exact - 1.0L);
    worst = std::max(worst, error);
  };
  for (const u32 word : edgeWords) check(word);
  for (u64 word = 0; word < (u64{1} << 32); word += 3571) check(static_cast<u32>(word));  // 1.2 million
  for (int e = 0; e < 31; ++e)                                                            // every binade
    for (int k = 0; k < 10000; ++k) check((u32{1} << e) + static_cast<u32>((u64{1} << e) * k / 10000));
  for (u32 k = 0; k < 100000; ++k) check(0xffffffffu - k);  // next to 1
  return worst;
}

TEST(MathFunctions, LogUnitDouble) { EXPECT_LT(worstLogUnit<double>(), 5e-12L); }
TEST(MathFunctions, LogUnitFloat) { EXPECT_LT(worstLogUnit<float>(), 3e-7L); }

template <class Real>
long double worstSine() {
  long double worst = 0.0L;
  const auto check = [&](Real t) {
    const long double exact = std::sin(3.14159265358979323846264338327950288L * t);
    const long double got = math::sinPiHalf(t);
    worst = std::max(worst, exact == 0.0L ? std::abs(got) : std::abs(got / exact - 1.0L));
  };
  for (int k = -500000; k <= 500000; ++k) check(static_cast<Real>(k * 1e-6));
  for (int e = 1; e <= 32; ++e)
    check(static_cast<Real>(std::ldexp(1.0, -e))), check(static_cast<Real>(-std::ldexp(1.0, -e)));
  check(Real(0));
  return worst;
}

TEST(MathFunctions, SinePiHalfDouble) { EXPECT_LT(worstSine<double>(), 1.2e-10L); }
TEST(MathFunctions, SinePiHalfFloat) { EXPECT_LT(worstSine<float>(), 2e-7L); }

TEST(MathFunctions, SineIsOdd) {
  for (int k = 0; k <= 1000; ++k) {
    EXPECT_EQ(math::sinPiHalf(k * 5e-4), -math::sinPiHalf(k * -5e-4));
    EXPECT_EQ(math::sinPiHalf(static_cast<float>(k) * 5e-4f), -math::sinPiHalf(static_cast<float>(k) * -5e-4f));
  }
}

// Units in the last place of Real.
template <class Real>
long double ulps(Real got, long double exact) {
  int exponent = 0;
  std::frexp(exact, &exponent);
  const long double ulp = std::ldexp(1.0L, exponent - std::numeric_limits<Real>::digits);
  return std::abs((static_cast<long double>(got) - exact) / ulp);
}

// Largest error over a log-uniform in [low, high] and b uniform in [from, to].
template <class Real>
long double worstPower(long double low, long double high, double from, double to, int points, u64 seed) {
  test::Uniform uniform(seed);
  long double worst = 0.0L;
  const long double logLow = std::log(low), logHigh = std::log(high);
  for (int k = 0; k < points; ++k) {
    const Real a = static_cast<Real>(std::exp(logLow + (logHigh - logLow) * uniform())),
               b = static_cast<Real>(uniform(from, to));
    worst =
        std::max(worst, ulps(math::power(a, b), std::pow(static_cast<long double>(a), static_cast<long double>(b))));
  }
  return worst;
}

TEST(MathFunctions, PowerDoubleModerateExponents) {
  EXPECT_LE(worstPower<double>(1e-102L, 1e102L, 0.0, 3.0, 1000000, 1), 6.0L);
}
TEST(MathFunctions, PowerDoubleLargeExponents) {
  EXPECT_LE(worstPower<double>(1e-51L, 1e51L, 0.0, 6.0, 1000000, 2), 11.0L);
}
// What DPD asks for: (1 - r/r_c)^s.
TEST(MathFunctions, PowerDoubleOfWeights) { EXPECT_LE(worstPower<double>(1e-30L, 1.0L, 0.1, 3.0, 300000, 3), 6.0L); }
TEST(MathFunctions, PowerFloat) { EXPECT_LE(worstPower<float>(1e-10L, 2.0L, 0.25, 3.0, 1000000, 4), 4.0L); }

TEST(MathFunctions, PowerOfSpecialArguments) {
  for (const double b : {0.0, 0.25, 0.5, 1.0, 2.0, 5.5}) {
    EXPECT_EQ(math::power(1.0, b), 1.0);
    EXPECT_EQ(math::power(1.0f, static_cast<float>(b)), 1.0f);
  }
  for (int e = -100; e <= 100; ++e) EXPECT_EQ(math::power(std::ldexp(1.0, e), 2.0), std::ldexp(1.0, 2 * e));
  for (int e = -30; e <= 30; ++e) EXPECT_EQ(math::power(std::ldexp(1.0f, e), 2.0f), std::ldexp(1.0f, 2 * e));
  EXPECT_EQ(math::power(7.0, 0.0), 1.0);
}

TEST(MathFunctions, PowerOfTwo) {
  for (int n = -1022; n <= 1023; ++n) ASSERT_EQ(math::powerOfTwo(static_cast<double>(n)), std::ldexp(1.0, n));
  for (int n = -126; n <= 127; ++n) ASSERT_EQ(math::powerOfTwo(static_cast<float>(n)), std::ldexp(1.0f, n));
}

// On a CPU every operation is fixed by IEEE 754, so the bits of vectorised code are those of scalar code. A GPU's
// division, square root and 1/r are approximations, right to a few units in the last place.
template <class Real>
bool same(Real device, Real host) {
  constexpr Real tolerance = backend::onGpu ? 16 * std::numeric_limits<Real>::epsilon() : 0;
  return std::abs(device - host) <= tolerance * std::max(std::abs(host), Real(1e-3));
}

struct EvaluateOnDevice {
  DeviceArray<double> wide;
  DeviceArray<float> narrow;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    const Words words = pairWords(static_cast<u32>(i) * 2654435761u, static_cast<u32>(i) * 40503u + 7u);
    const int n = static_cast<int>(wide.extent(0)) / 2;
    wide(i) = gaussian<double>(words);
    narrow(i) = gaussian<float>(words);
    wide(n + i) = math::power(math::unitOpen<double>(words.first), 0.25 + 1e-5 * i);
    narrow(n + i) = math::power(math::unitOpen<float>(words.first), 0.25f + 1e-5f * static_cast<float>(i));
  }
};

TEST(MathFunctions, SameNumbersOnTheDeviceAsOnTheHost) {
  constexpr int n = 100000;
  const EvaluateOnDevice evaluate{DeviceArray<double>("wide", 2 * n), DeviceArray<float>("narrow", 2 * n)};
  Kokkos::parallel_for("evaluate on device", Range(0, n), evaluate);
  const auto wide = hostCopy(evaluate.wide);
  const auto narrow = hostCopy(evaluate.narrow);
  for (int i = 0; i < n; ++i) {
    volatile u32 factor = 2654435761u;  // keeps this loop scalar and apart from the kernel
    const Words words = pairWords(static_cast<u32>(i) * factor, static_cast<u32>(i) * 40503u + 7u);
    ASSERT_PRED2(same<double>, wide(i), gaussian<double>(words));
    ASSERT_PRED2(same<float>, narrow(i), gaussian<float>(words));
    ASSERT_PRED2(same<double>, wide(n + i), math::power(math::unitOpen<double>(words.first), 0.25 + 1e-5 * i));
    ASSERT_PRED2(same<float>, narrow(n + i),
                 math::power(math::unitOpen<float>(words.first), 0.25f + 1e-5f * static_cast<float>(i)));
  }
}

}  // namespace
}  // namespace mesowarp
