// The integrators: energy, its error's order, time reversal, and whole DPD trajectories against a host integration of
// Groot and Warren's scheme with brute-force forces.
#include <gtest/gtest.h>

#include "tests/unit/support/test_reference.hpp"

namespace mesowarp {
namespace {

using input::Precision;
using test::System;

enum class Model { softDpd, wca, dimers, bondsOnly };

System conservative(Model model, double timestep) {
  System system{test::emptyDeck({5.0, 5.0, 5.0}, Precision::double_, timestep), {}};
  if (model == Model::wca) {
    test::addWca(system.deck, "A", "A", 1.0, 0.9);
    test::fill(system, 125, 0.05, 1.0, 2);
  } else {
    test::addDpd(system.deck, "A", "A", model == Model::bondsOnly ? 0.0 : 25.0, 0.0, 0.0);
    test::fill(system, 300, 0.1, 1.0, 2);
  }
  if (model == Model::dimers || model == Model::bondsOnly) {
    test::addBond(system.deck, input::BondStyle::harmonic, 40.0, 0.7);
    test::addBond(system.deck, input::BondStyle::fene, 20.0, 3.0);
    std::vector<bool> used(300, false);
    for (int i = 0; i < 300; ++i)  // bonds to the nearest free particle
      for (int j = i + 1; j < 300 && !used[i]; ++j) {
        double d2 = 0.0;
        for (int axis = 0; axis < 3; ++axis) {
          const double d = static_cast<double>(
              static_cast<i64>(system.particles.position[i][axis] - system.particles.position[j][axis]));
          d2 += std::ldexp(d * d, -128) * 25.0;
        }
        if (used[j] || d2 > 1.0) continue;
        used[i] = used[j] = true;
        system.particles.bonds.push_back({static_cast<u32>(i), static_cast<u32>(j), i % 2});
      }
  }
  return system;
}

// Root mean square deviation of the total energy per particle from its start, over time 2.
double energyError(Model model, double timestep) {
  const System system = conservative(model, timestep);
  const auto engine = system.engine();
  const int steps = static_cast<int>(std::lround(2.0 / timestep)), n = system.particles.count();
  std::vector<double> energy;
  for (int k = 0; k <= steps; ++k) {
    test::advance(*engine, k, k, {.thermo = true});
    const auto& s = engine->sums();
    energy.push_back((0.5 * (s.kinetic[0] + s.kinetic[1] + s.kinetic[2]) + s.potential) / n);
  }
  EXPECT_FALSE(engine->failure().has_value()) << *engine->failure();
  double sum = 0.0;
  for (const double e : energy) sum += (e - energy[0]) * (e - energy[0]);
  return std::sqrt(sum / static_cast<double>(energy.size()));
}

class EngineEnergy : public testing::TestWithParam<Model> {};

// Halving the step quarters the error of the energy.
TEST_P(EngineEnergy, ErrorFallsAsTheSquareOfTheStep) {
  const double dt = GetParam() == Model::wca ? 0.001 : 0.01;
  const double coarse = energyError(GetParam(), dt), fine = energyError(GetParam(), 0.5 * dt);
  EXPECT_LT(coarse, 2e-3);
  // The kink of pair forces at their cutoff adds errors of the same order and random sign; bonds have none.
  EXPECT_GT(coarse / fine, 2.5);
  if (GetParam() == Model::bondsOnly) {
    EXPECT_NEAR(coarse / fine, 4.0, 0.1);
  }
}

// So it does the error of positions.
TEST_P(EngineEnergy, PositionErrorFallsAsTheSquareOfTheStep) {
  const double dt = GetParam() == Model::wca ? 0.002 : 0.01;
  const auto end = [&](double timestep) {
    const System system = conservative(GetParam(), timestep);
    const auto engine = system.engine();
    const int steps = static_cast<int>(std::lround(30.0 * dt / timestep));
    test::advance(*engine, 0, steps, test::everything);
    return engine->snapshot(steps);
  };
  const auto difference = [](const io::Snapshot& a, const io::Snapshot& b) {
    double sum = 0.0;
    for (std::size_t c = 0; c < a.position.size(); ++c) {
      const double d = a.position[c] - b.position[c] + 5.0 * (a.image[c] - b.image[c]);
      sum += d * d;
    }
    return std::sqrt(sum);
  };
  const auto coarse = end(dt), middle = end(0.5 * dt), fine = end(0.25 * dt);
  const double ratio = difference(coarse, middle) / difference(middle, fine);
  EXPECT_NEAR(ratio, 4.0, 0.3);
}

// There, velocities reversed, and back.
TEST_P(EngineEnergy, TimeReversal) {
  const System start = conservative(GetParam(), GetParam() == Model::wca ? 0.002 : 0.01);
  constexpr int steps = 100;
  const auto there = start.engine();
  test::advance(*there, 0, steps, test::everything);
  const auto half = there->snapshot(steps);
  System reversed = start;
  const Box box = boxOf(start.deck);
  double moved = 0.0;
  for (int i = 0; i < start.particles.count(); ++i)
    for (int axis = 0; axis < 3; ++axis) {
      reversed.particles.position[i][axis] = toFixed(box, axis, half.position[3 * i + axis]);
      reversed.particles.velocity[i][axis] = -half.velocity[3 * i + axis];
      moved = std::max(moved,
                       std::abs(half.position[3 * i + axis] - toLength(box, axis, start.particles.position[i][axis])));
    }
  EXPECT_GT(moved, 0.1);
  const auto back = reversed.engine();
  test::advance(*back, 0, steps, test::everything);
  const auto end = back->snapshot(steps);
  for (int i = 0; i < start.particles.count(); ++i)
    for (int axis = 0; axis < 3; ++axis) {
      const double ticks = static_cast<double>(
          static_cast<i64>(toFixed(box, axis, end.position[3 * i + axis]) - start.particles.position[i][axis]));
      ASSERT_LT(std::abs(ticks * box.tick(axis, 64)), 1e-9);
      ASSERT_NEAR(end.velocity[3 * i + axis], -start.particles.velocity[i][axis], 1e-9);
    }
}

INSTANTIATE_TEST_SUITE_P(
    Models, EngineEnergy, testing::Values(Model::softDpd, Model::wca, Model::dimers, Model::bondsOnly),
    [](const auto& instance) {
      return std::string(std::array{"SoftDpd", "Wca", "Dimers", "BondsOnly"}[static_cast<int>(instance.param)]);
    });

// A DPD fluid, with rebuilds on the way, against the same scheme on the host:
//   x += dt v + dt^2/2 a,  v~ = v + lambda dt a,  a' = F(x, v~)/m,  v += dt/2 (a + a')
class EngineTrajectory : public testing::TestWithParam<std::tuple<double, Precision>> {};

TEST_P(EngineTrajectory, FollowsGrootAndWarren) {
  const auto [lambda, precision] = GetParam();
  constexpr int steps = 60, n = 150;
  System system{test::emptyDeck({4.0, 3.6, 3.5}, precision, 0.02, {{"A", 1.0}, {"B", 2.0}}), {}};
  test::addDpd(system.deck, "*", "*", 25.0, 4.5, 3.0);
  test::addDpd(system.deck, "A", "B", 40.0, 9.0, 4.0, 0.9);
  system.deck.integrator = {
      lambda == 0.5 ? input::IntegratorStyle::velocity_verlet : input::IntegratorStyle::groot_warren, lambda};
  test::fill(system, n, 0.3, 1.0, 6);
  const auto engine = system.engine();
  test::advance(*engine, 0, steps, test::everything);
  ASSERT_FALSE(engine->failure().has_value()) << *engine->failure();
  EXPECT_GE(engine->counters().rebuilds, 3);
  const auto got = engine->snapshot(steps);

  const double dt = system.deck.run.timestep;
  const Box box = boxOf(system.deck);
  const auto masses = massesOf(system.deck);
  const test::ReferenceForces forces(system.deck);
  HostParticles state = system.particles;  // velocity: v~
  std::vector<std::array<double, 3>> v(state.velocity.begin(), state.velocity.end()), a(n);
  for (int k = 0; k <= steps; ++k) {
    const auto f = forces(state, k);
    for (int i = 0; i < n; ++i)
      for (int axis = 0; axis < 3; ++axis) {
        const double now = static_cast<double>(f.force[i][axis]) / masses[state.species[i]];
        if (k > 0) v[i][axis] += 0.5 * dt * (a[i][axis] + now);
        a[i][axis] = now;
        if (k == steps) continue;
        const double step = dt * v[i][axis] + 0.5 * dt * dt * now;
        state.position[i][axis] += static_cast<u64>(std::llrint(std::ldexp(step / box.period(axis), 64)));
        state.velocity[i][axis] = v[i][axis] + lambda * dt * now;
      }
  }
  // Round-off grows along chaotic paths; in mixed precision pair forces read float velocities and 32-bit positions.
  const double bound = precision == Precision::double_ ? 1e-11 : 1e-6;
  for (int i = 0; i < n; ++i)
    for (int axis = 0; axis < 3; ++axis) {
      const double ticks = static_cast<double>(
          static_cast<i64>(toFixed(box, axis, got.position[3 * i + axis]) - state.position[i][axis]));
      ASSERT_LT(std::abs(ticks * box.tick(axis, 64)), bound) << "particle " << i;
      ASSERT_NEAR(got.velocity[3 * i + axis], v[i][axis], 100.0 * bound);
    }
}

INSTANTIATE_TEST_SUITE_P(Lambdas, EngineTrajectory,
                         testing::Combine(testing::Values(0.5, 0.65, 1.0),
                                          testing::Values(Precision::double_, Precision::mixed)),
                         [](const auto& instance) {
                           return "Lambda" + std::to_string(static_cast<int>(100 * std::get<0>(instance.param))) +
                                  test::titleOf(std::get<1>(instance.param));
                         });

TEST(EngineIntegrators, GrootWarrenWithOneHalfIsVelocityVerlet) {
  for (const Precision precision : test::allPrecisions) {
    std::string hashes[2];
    for (int g = 0; g < 2; ++g) {
      System system{test::emptyDeck({4.0, 3.6, 3.5}, precision, 0.02), {}};
      test::addDpd(system.deck, "A", "A", 25.0, 4.5, 3.0);
      system.deck.integrator = {g ? input::IntegratorStyle::groot_warren : input::IntegratorStyle::velocity_verlet,
                                0.5};
      test::fill(system, 150, 0.3, 1.0, 6);
      const auto engine = system.engine();
      test::advance(*engine, 0, 50, test::everything);
      hashes[g] = engine->stateHash();
    }
    EXPECT_EQ(hashes[0], hashes[1]);
  }
}

}  // namespace
}  // namespace mesowarp
