// Random numbers: reference values from an independent Python implementation, which gives the published vector of the
// Tiny Encryption Algorithm (32 rounds, zero key and text: 41EA3A0A 94BAA940).
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "core/random.hpp"
#include "core/random_direction.hpp"
#include "device/tag_random.hpp"
#include "tests/unit/support/test_statistics.hpp"

namespace mesowarp {
namespace {

struct Vector {
  u32 in0, in1, out0, out1;
};

template <int Rounds>
void expectVectors(std::initializer_list<Vector> vectors) {
  for (const Vector& v : vectors) {
    u32 v0 = v.in0, v1 = v.in1;
    tea<Rounds>(v0, v1);
    EXPECT_EQ(v0, v.out0) << Rounds << " rounds of " << v.in0 << ", " << v.in1;
    EXPECT_EQ(v1, v.out1) << Rounds << " rounds of " << v.in0 << ", " << v.in1;
  }
}

TEST(RandomTea, ReferenceVectors) {
  expectVectors<4>({{0x00000000u, 0x00000000u, 0x5df5f2bfu, 0x54ce08bau},
                    {0x00000001u, 0x00000002u, 0x7f75a0a1u, 0x820baa7bu},
                    {0x01234567u, 0x89abcdefu, 0x61cb7858u, 0x1ce4b9b4u},
                    {0xffffffffu, 0xffffffffu, 0x93085969u, 0x42a492d6u},
                    {0xdeadbeefu, 0x00000000u, 0x0864ae51u, 0x7eaa7712u}});
  expectVectors<16>({{0x00000000u, 0x00000000u, 0x741c187du, 0x4d3e2c53u},
                     {0x00000001u, 0x00000002u, 0x0ca5550fu, 0x74a9aab3u},
                     {0x01234567u, 0x89abcdefu, 0xd7e7a469u, 0xa984d753u},
                     {0xffffffffu, 0xffffffffu, 0x16e50358u, 0xffd33502u},
                     {0xdeadbeefu, 0x00000000u, 0xc4fe5725u, 0x11cc2ed0u}});
  expectVectors<32>({{0x00000000u, 0x00000000u, 0x83ecc213u, 0xa843a7a0u},
                     {0x00000001u, 0x00000002u, 0x4d0dd306u, 0x3f9d3407u},
                     {0x01234567u, 0x89abcdefu, 0x7181a33bu, 0xe3f75119u},
                     {0xffffffffu, 0xffffffffu, 0x4413cee6u, 0x4181ec40u},
                     {0xdeadbeefu, 0x00000000u, 0xac4e3b90u, 0x3b1e8563u}});
}

TEST(RandomTea, ReferenceKeysAndSignatures) {
  const u32 tags[] = {0, 1, 7, 1000000, 0xfffffffeu};
  const struct {
    StepKey key;
    u32 first, second, signatures[5];
  } cases[] = {
      {stepKey(1, Stream::pairNoise, 0),
       0xf7698f9cu,
       0xfc452115u,
       {0x28b82e35u, 0x69efeed6u, 0x8f18b34eu, 0x0c6166c1u, 0xbe6662fdu}},
      {stepKey(1, Stream::pairNoise, 1),
       0x33c2db0du,
       0x4f90d3ddu,
       {0xb95d53a3u, 0xab6fd453u, 0xcfb5f5fau, 0x1f10cc71u, 0x1459b84du}},
      {stepKey(0x123456789abcdef0u, Stream::initialPosition, 5000000000),
       0x338a7379u,
       0xf87d3cadu,
       {0xb0437705u, 0xd90acf64u, 0x5c4b53afu, 0x58ffa761u, 0x80b1676du}},
  };
  for (const auto& c : cases) {
    EXPECT_EQ(c.key.first, c.first);
    EXPECT_EQ(c.key.second, c.second);
    for (int k = 0; k < 5; ++k) EXPECT_EQ(signature(tags[k], c.key), c.signatures[k]) << "tag " << tags[k];
  }
}

TEST(RandomTea, ReferencePairNumber) {
  const StepKey key = stepKey(42, Stream::pairNoise, 17);
  const Words words = pairWords(signature(3, key), signature(99, key));
  EXPECT_EQ(words.first, 0x1eb7d6eeu);
  EXPECT_EQ(words.second, 0x38b537b7u);
  EXPECT_NEAR(gaussian<double>(words), 1.3201746676725044, 1e-9);
  EXPECT_NEAR(gaussian<float>(words), 1.3201746676725044, 1e-6);
  const Words multiplied =
      pairWords<MultiplyMixing>(signature(3, key), signature(99, key));  // as perf/pair_noise_battery.py has it
  EXPECT_EQ(multiplied.first, 0x274786dfu);
  EXPECT_EQ(multiplied.second, 0xaf73a666u);
}

TEST(RandomTea, PairWordsAreSymmetric) {
  test::Uniform uniform(1);
  for (int k = 0; k < 100000; ++k) {
    const u32 a = static_cast<u32>(uniform.word()), b = static_cast<u32>(uniform.word());
    const Words ab = pairWords(a, b), ba = pairWords(b, a);
    ASSERT_EQ(ab.first, ba.first);
    ASSERT_EQ(ab.second, ba.second);
  }
}

TEST(RandomTea, ReverseBits) {
  EXPECT_EQ(reverseBits(0x80000000u), 1u);
  EXPECT_EQ(reverseBits(0x00000006u), 0x60000000u);
  for (u32 v = 1; v < 1000000; v += 7) ASSERT_EQ(reverseBits(reverseBits(v)), v);
}

// The extremes of both words give finite numbers of the size that 31 bits allow: sqrt(-2 ln 2^-31) = 6.556.
TEST(RandomTea, GaussianOfExtremeWords) {
  for (const u32 first : {0u, 1u, 2u, 0x7fffffffu, 0x80000000u, 0xfffffffeu, 0xffffffffu})
    for (const u32 second : {0u, 1u, 0x7fffffffu, 0x80000000u, 0xffffffffu}) {
      EXPECT_LE(std::abs(gaussian<double>({first, second})), 6.55555);
      EXPECT_LE(std::abs(gaussian<float>({first, second})), 6.55555f);
    }
  EXPECT_NEAR(gaussian<double>({0, 0x80000000u}), -6.555542, 1e-5);
  EXPECT_NEAR(gaussian<double>({0xffffffffu, 0x7fffffffu}), std::sqrt(std::ldexp(1.0, -30)), 1e-9);
  EXPECT_EQ(gaussian<float>({0xffffffffu, 0x40000000u}), 0.0f);  // u rounds to 1
}

TEST(RandomTea, TagRandomIsUniformAndNormal) {
  std::vector<std::int64_t> bins(64, 0);
  test::Moments moments;
  for (u32 tag = 0; tag < 20000; ++tag) {
    TagRandom random(7, Stream::initialVelocity, tag);
    for (int k = 0; k < 20; ++k) {
      const double u = random.uniform();
      ASSERT_GE(u, 0.0);
      ASSERT_LT(u, 1.0);
      ++bins[static_cast<int>(u * 64)];
      moments.add(random.gaussian());
    }
  }
  EXPECT_LT(std::abs(test::chiSquareSigmas(bins)), test::sigmas);
  EXPECT_LT(std::abs(moments.mean()), test::sigmas);
  EXPECT_LT(std::abs(moments.variance()), test::sigmas);
  EXPECT_LT(std::abs(moments.kurtosis()), test::sigmas);
  EXPECT_EQ(TagRandom(7, Stream::initialVelocity, 5).uniform(), TagRandom(7, Stream::initialVelocity, 5).uniform());
  EXPECT_NE(TagRandom(7, Stream::initialVelocity, 5).uniform(), TagRandom(7, Stream::initialPosition, 5).uniform());
}

// Unit vectors; z and the angle around it are uniform, as on a sphere.
TEST(RandomTea, DirectionsPreferNone) {
  std::vector<std::int64_t> heights(32, 0), angles(32, 0);
  for (u32 tag = 0; tag < 20000; ++tag) {
    TagRandom random(7, Stream::initialBody, tag);
    const auto x = randomDirection(random);
    ASSERT_NEAR(x[0] * x[0] + x[1] * x[1] + x[2] * x[2], 1.0, 1e-9);
    ++heights[std::min(31, static_cast<int>(16.0 * (x[2] + 1.0)))];
    ++angles[std::min(31, static_cast<int>(16.0 * (std::atan2(x[1], x[0]) / M_PI + 1.0)))];
  }
  EXPECT_LT(std::abs(test::chiSquareSigmas(heights)), test::sigmas);
  EXPECT_LT(std::abs(test::chiSquareSigmas(angles)), test::sigmas);
}

// Many tags at once draw what each draws alone; also where tags wrap around.
TEST(RandomTea, DrawsSideBySideAreThoseOfEachTag) {
  const StepKey key = stepKey(9, Stream::initialVelocity, 0);
  for (const u32 first : {0u, 1u, 64u, 12345u, 0x7fffffe0u, 0xffffffe0u}) {
    const TagDraws draws(key, first, TagDraws::most);
    for (int l = 0; l < TagDraws::tags; ++l) {
      TagRandom random(9, Stream::initialVelocity, first + static_cast<u32>(l));
      for (int k = 0; k < 3; ++k) ASSERT_EQ(draws.uniform(l, k), random.uniform()) << first << " + " << l;
      for (int k = 3; k < 9; k += 2) ASSERT_EQ(draws.gaussian(l, k), random.gaussian()) << first << " + " << l;
    }
  }
  EXPECT_THROW(TagDraws(key, 0, TagDraws::most + 1), std::logic_error);
}

}  // namespace
}  // namespace mesowarp
