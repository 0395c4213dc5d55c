// Systems for the tests of bitwise reproducibility, each with another feature.
#pragma once

#include <gtest/gtest.h>

#include "tests/unit/support/test_systems.hpp"

namespace mesowarp::test {

// Room for eight ranks along x, at a reach of 1.3.
inline System bitwiseFluid(input::Precision precision) {
  System s{emptyDeck({12.0, 6.0, 5.5}, precision, 0.004, {{"A", 1.0}, {"B", 3.0}}), {}};
  s.deck.run.reproducibility = input::Reproducibility::bitwise;
  s.deck.sums = {input::Accumulator::narumi, 65536.0};
  addDpd(s.deck, "A", "A", 25.0, 4.5, 3.0);
  addDpd(s.deck, "A", "B", 40.0, 4.5, 3.0, 0.9, 0.5);
  addDpd(s.deck, "B", "B", 20.0, 9.0, std::sqrt(18.0), 1.0, 2.0);
  s.deck.neighbor = {0.3, false, input::RebuildStyle::every, 4};
  fill(s, 1200, 0.2, 1.0, 11);
  return s;
}

inline System bitwisePredicted(input::Precision precision) {
  System s = bitwiseFluid(precision);
  s.deck.integrator.style = input::IntegratorStyle::groot_warren;
  s.deck.integrator.lambda = 0.65;
  s.deck.run.pair_noise = input::PairNoise::multiply;
  return s;
}

inline System bitwiseBonded(input::Precision precision) {
  System s = bitwiseFluid(precision);
  addBond(s.deck, input::BondStyle::harmonic, 50.0, 0.5, true);
  addBond(s.deck, input::BondStyle::fene, 30.0, 2.5);
  const Box box = boxOf(s.deck);
  const auto distance2 = [&](u32 a, u32 b) {
    double sum = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
      const auto d = static_cast<std::int64_t>(s.particles.position[a][axis] - s.particles.position[b][axis]);
      sum += std::pow(static_cast<double>(d) * box.tick(axis, 64), 2);
    }
    return sum;
  };
  std::vector<bool> used(1200);
  for (u32 a = 0; a < 1200; ++a)
    for (u32 b = a + 1; b < 1200 && !used[a]; ++b)
      if (!used[b] && distance2(a, b) < 1.0) {
        s.particles.bonds.push_back({a, b, static_cast<int>(a % 2)});
        used[a] = used[b] = true;
      }
  return s;
}

inline System bitwiseWalled(input::Precision precision) {
  System s = bitwiseFluid(precision);
  addWall(s.deck, 0, input::FaceStyle::bounce_back, input::FaceStyle::bounce_forward);
  addWall(s.deck, 2, input::FaceStyle::bounce_forward, input::FaceStyle::bounce_back);
  s.particles = {};
  fill(s, 1200, 0.2, 1.0, 12);
  input::Drive drive;
  drive.acceleration = {0.0, 0.5, 0.0};
  s.deck.drives.push_back(drive);
  return s;
}

inline System bitwiseTwoForces(input::Precision precision) {
  System s = bitwiseFluid(precision);
  addLennardJones(s.deck, "B", "B", 0.3, 0.5, 1.0);
  return s;
}

// Of one species, whose force reads no velocities: ghosts have none, migrants do.
inline System bitwiseFrictionless(input::Precision precision) {
  System s{emptyDeck({12.0, 6.0, 5.5}, precision, 0.004), {}};
  s.deck.run.reproducibility = input::Reproducibility::bitwise;
  s.deck.sums = {input::Accumulator::narumi, 65536.0};
  addWca(s.deck, "A", "A", 4.0, 0.5);
  s.deck.neighbor = {0.3, false, input::RebuildStyle::every, 4};
  fill(s, 1200, 0.1, 1.0, 13);
  return s;
}

struct BitwiseFeature {
  const char* name;
  System (*make)(input::Precision);
  bool periodic = true;
};
constexpr BitwiseFeature bitwiseFeatures[] = {
    {"fluid", bitwiseFluid},         {"predicted velocity", bitwisePredicted}, {"bonds", bitwiseBonded},
    {"walls", bitwiseWalled, false}, {"two forces", bitwiseTwoForces},         {"no friction", bitwiseFrictionless}};

// What bitwise promises: the state, and the sums of the table.
inline std::string bitsAfter(Engine& engine, i64 last) {
  advance(engine, 0, last, everything);
  EXPECT_EQ(engine.failure(), std::nullopt);
  std::string bits = engine.stateHash();
  const ThermoSums& s = engine.sums();
  const auto add = [&](double x) { bits.append(" ").append(std::to_string(__builtin_bit_cast(std::uint64_t, x))); };
  for (const double x : s.kinetic) add(x);
  for (const double x : s.virial) add(x);
  for (const double x : s.momentum) add(x);
  add(s.potential);
  return bits;
}

}  // namespace mesowarp::test
