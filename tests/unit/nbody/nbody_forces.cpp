// All-pairs forces against plain loops in double precision: every law, precision, accumulator; subsets; exclusions.
#include <gtest/gtest.h>

#include "core/error.hpp"
#include "device/host_copy.hpp"
#include "input/physics_check.hpp"
#include "tests/unit/nbody/nbody_systems.hpp"

namespace mesowarp::test {
namespace {

using input::Accumulator;
using input::Precision;
using nbody::Dielectric;

constexpr Accumulator allAccumulators[] = {
    Accumulator::single,   Accumulator::double_sum,        Accumulator::takahashi_iitaka,
    Accumulator::nitadori, Accumulator::modified_nitadori, Accumulator::narumi,
    Accumulator::double_};
const char* const accumulatorNames[] = {"Single",           "DoubleSum", "Takahashi", "Nitadori",
                                        "ModifiedNitadori", "Narumi",    "Double"};

struct Mode {
  Precision precision;
  Accumulator accumulator;
};
std::vector<Mode> allModes() {
  std::vector<Mode> modes;
  for (const auto p : {Precision::single, Precision::mixed, Precision::double_})
    for (const auto a : allAccumulators)
      if (nbody::accumulatorFits(p, a)) modes.push_back({p, a});
  return modes;
}

// Of terms with the rounding of a float, and, as long as positions have no more bits than one, of sums.
double tolerance(const Mode& mode) {
  if (mode.precision != Precision::double_) return 5e-7;
  return mode.accumulator == Accumulator::narumi ? 3e-10 : 2e-14;  // terms rounded to 2^-51 of 64 times the largest sum
}

class NbodyForces : public testing::TestWithParam<Mode> {};

// Sizes around those of vectors, tiles and blocks; positions that a float holds, so that errors are those of
// arithmetic.
TEST_P(NbodyForces, GravityIsThatOfAPlainLoop) {
  for (const int n : {1, 2, 31, 128, 129, 700}) {
    const Bodies b = ball(n, 7, 0.0, 1.0, 18);
    const auto settings = gravitySettings(GetParam().precision, GetParam().accumulator);
    const auto forces = forcesOf(*nbody::makeBodyForce(settings), b), exact = plainForces(b, settings);
    if (n == 1) {
      for (int c = 0; c < 3; ++c) EXPECT_EQ(forces[0][c], 0.0);
    } else {
      EXPECT_LT(forceError(forces, exact), tolerance(GetParam())) << n;
    }
  }
}

TEST_P(NbodyForces, JerkIsThatOfAPlainLoop) {
  for (const int n : {2, 257}) {
    const Bodies b = ball(n, 8, 0.0, 1.0, 18);
    const auto settings = gravitySettings(GetParam().precision, GetParam().accumulator, true);
    const auto forces = forcesOf(*nbody::makeBodyForce(settings), b), exact = plainForces(b, settings);
    EXPECT_LT(forceError(forces, exact), tolerance(GetParam()));
    EXPECT_LT(forceError(forces, exact, 3), 3.0 * tolerance(GetParam()));
  }
}

TEST_P(NbodyForces, LennardJonesCoulombIsThatOfAPlainLoop) {
  for (const auto dielectric : {Dielectric::none, Dielectric::constant, Dielectric::linear, Dielectric::sigmoidal}) {
    const Bodies b = ball(300, 9, 0.25, 2.0, 18);
    const auto settings = chargeSettings(dielectric, GetParam().precision, GetParam().accumulator);
    const auto forces = forcesOf(*nbody::makeBodyForce(settings), b), exact = plainForces(b, settings);
    EXPECT_LT(forceError(forces, exact), 3.0 * tolerance(GetParam())) << static_cast<int>(dielectric);
  }
}

// The force is minus the gradient of the energy: central differences of the energy in double precision.
TEST(NbodyEnergy, GradientIsTheForce) {
  for (const auto style : {0, 1, 2, 3, 4}) {
    Bodies b = ball(40, 10, 0.3, 2.0);
    auto settings = style == 4
                        ? gravitySettings(Precision::double_, Accumulator::double_)
                        : chargeSettings(static_cast<Dielectric>(style), Precision::double_, Accumulator::double_);
    b.excluded = {{0, 3}, {3, 0}, {3, 17}, {17, 3}};
    const auto force = nbody::makeBodyForce(settings);
    const auto exact = plainForces(b, settings);
    const double h = 1e-4;
    for (int c = 0; c < 3; ++c) {
      Bodies up = b, down = b;
      up.position[3][c] += h, down.position[3][c] -= h;
      const double slope =
          (force->potential(up.view(), b.exclusions()) - force->potential(down.view(), b.exclusions())) / (2.0 * h);
      const double expected = -exact[3][c] * (style == 4 ? b.mass[3] : 1.0);
      EXPECT_NEAR(slope, expected, 2e-6 * (1.0 + std::abs(expected))) << style << " " << c;
    }
  }
}

// A subset gets what it gets among all, or what its parts' order makes of it; in fixed point and among few bodies, the
// bits.
TEST_P(NbodyForces, SubsetsHaveTheSameForces) {
  const Bodies b = ball(600, 11, 0.0, 1.0, 18);
  const auto settings = gravitySettings(GetParam().precision, GetParam().accumulator);
  const auto force = nbody::makeBodyForce(settings);
  const auto all = forcesOf(*force, b);
  const std::vector<int> active{0, 5, 6, 127, 128, 300, 599};
  const DeviceArray<backend::BodySums> sums("sums", active.size());
  force->evaluate(b.view(), {}, {onDevice(active), static_cast<int>(active.size())}, sums);
  const auto host = hostCopy(sums);
  for (std::size_t k = 0; k < active.size(); ++k)
    for (int c = 0; c < 3; ++c) {
      if (GetParam().accumulator == Accumulator::narumi)
        EXPECT_EQ(host(k).value[c], all[active[k]][c]);
      else
        EXPECT_NEAR(host(k).value[c], all[active[k]][c], tolerance(GetParam()) * 10.0);
    }
}

Bodies molecules(int n) {
  Bodies b = ball(n, 12, 0.22, 2.0, 18);
  for (int i = 0; i < n; ++i)
    for (const int j : {i + 1, i + 2, (i * 37 + 100) % n})
      if (j < n && j != i) b.excluded.insert({i, j}), b.excluded.insert({j, i});
  return b;
}

TEST_P(NbodyForces, ExclusionsBothWaysAreThoseOfAPlainLoop) {
  const Bodies b = molecules(300);
  auto settings = chargeSettings(Dielectric::constant, GetParam().precision, GetParam().accumulator);
  const auto exact = plainForces(b, settings);
  const auto onTheFly = forcesOf(*nbody::makeBodyForce(settings), b);
  EXPECT_LT(forceError(onTheFly, exact), 3.0 * tolerance(GetParam()));
  settings.excludeAfterwards = true;
  const auto force = nbody::makeBodyForce(settings);
  const auto afterwards = forcesOf(*force, b);
  // What is subtracted again had swallowed digits: up to the ratio of the largest sum to the rest.
  EXPECT_LT(forceError(afterwards, exact), 100.0 * tolerance(GetParam()));
  if (GetParam().accumulator != Accumulator::narumi) return;
  // In fixed point excluded terms cancel to the last bit, so both ways agree if they share a range.
  settings.excludeAfterwards = false;
  settings.range = force->range();
  EXPECT_EQ(forcesOf(*nbody::makeBodyForce(settings), b), afterwards);
}

INSTANTIATE_TEST_SUITE_P(Modes, NbodyForces, testing::ValuesIn(allModes()), [](const auto& of) {
  return std::string(of.param.precision == Precision::single  ? "Single"
                     : of.param.precision == Precision::mixed ? "Mixed"
                                                              : "Double") +
         accumulatorNames[static_cast<int>(of.param.accumulator)];
});

// Near bodies far from the origin: floats lose their difference, split positions keep it.
TEST(NbodyPrecision, MixedKeepsTheDifferencesOfNearBodies) {
  Bodies b = ball(2, 13);
  b.position = {{1000.0, 2000.0, 3000.0}, {1000.00012345, 2000.0, 3000.0}};
  auto settings = gravitySettings(Precision::mixed, Accumulator::takahashi_iitaka);
  settings.softening = 0.0;
  const auto exact = plainForces(b, settings);
  EXPECT_LT(forceError(forcesOf(*nbody::makeBodyForce(settings), b), exact), 1e-6);
  settings.precision = Precision::single, settings.accumulator = Accumulator::single;
  EXPECT_GT(forceError(forcesOf(*nbody::makeBodyForce(settings), b), exact), 1e-3);
}

TEST(NbodyPrecision, MedianForceErrorInSingleIsBelowAMillionth) {
  const Bodies b = ball(4096, 14, 0.0, 1.0);
  const auto settings = gravitySettings(Precision::single, Accumulator::single);
  const auto forces = forcesOf(*nbody::makeBodyForce(settings), b), exact = plainForces(b, settings);
  std::vector<double> errors;
  for (std::size_t i = 0; i < forces.size(); ++i) errors.push_back(forceError({forces[i]}, {exact[i]}));
  std::nth_element(errors.begin(), errors.begin() + 2048, errors.end());
  EXPECT_LT(errors[2048], 1e-6);
}

TEST(NbodyPrecision, CombinationsThatAreNotOfferedAreRefused) {
  EXPECT_THROW(nbody::makeBodyForce(gravitySettings(Precision::double_, Accumulator::nitadori)), InputError);
  EXPECT_THROW(nbody::makeBodyForce(gravitySettings(Precision::single, Accumulator::double_)), InputError);
}

}  // namespace
}  // namespace mesowarp::test
