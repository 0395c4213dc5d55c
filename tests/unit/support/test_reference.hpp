// Forces by brute force over all pairs in long double on the host, written from the formulas and not from the sources:
// only the noise is the program's own function. What the precision mode stores (32-bit coordinates, float velocities)
// is where the reference starts from.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include "core/random.hpp"
#include "tests/unit/support/test_systems.hpp"

namespace mesowarp::test {

using Wide = long double;
using WideVector = std::array<Wide, 3>;

struct Reference {
  std::vector<WideVector> force;
  Wide potential = 0.0L, potentialScale = 0.0L;  // scale: sum of magnitudes, for tolerances
  std::array<Wide, 6> virial{};                  // xx, yy, zz, xy, xz, yz
  Wide virialScale = 0.0L;

  // Root mean square of the components.
  double typicalForce() const {
    Wide sum = 0.0L;
    for (const auto& f : force) sum += f[0] * f[0] + f[1] * f[1] + f[2] * f[2];
    return static_cast<double>(std::sqrt(sum / (3.0L * static_cast<Wide>(force.size()))));
  }
};

class ReferenceForces {
public:
  explicit ReferenceForces(const input::Deck& deck) : deck_(deck), masses_(massesOf(deck)) {
    narrow_ = deck.run.precision != input::Precision::double_;
    for (u32 i = 0; i < deck.species.size(); ++i)
      for (u32 j = 0; j < deck.species.size(); ++j)
        between_.push_back({interaction(i, j, true), interaction(i, j, false)});
  }

  // velocity: what the pair forces of this step read.
  Reference operator()(const HostParticles& particles, i64 step) const {
    const int n = particles.count();
    Reference result;
    result.force.resize(n);
    std::vector<WideVector> position(n), velocity(n);
    std::vector<u32> signatures(n);
    const StepKey key = stepKey(deck_.run.seed, Stream::pairNoise, step);
    for (int i = 0; i < n; ++i) {
      signatures[i] = signature(static_cast<u32>(i), key);
      for (int axis = 0; axis < 3; ++axis) {
        position[i][axis] = length(particles.position[i][axis], axis);
        const double v = particles.velocity[i][axis];
        velocity[i][axis] = narrow_ ? static_cast<Wide>(static_cast<float>(v)) : static_cast<Wide>(v);
      }
    }
    for (int i = 0; i < n; ++i)
      for (int j = i + 1; j < n; ++j) {
        const WideVector r = separation(position[i], position[j]);
        const Wide distance = std::sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
        const auto& acting = between_[particles.species[i] * deck_.species.size() + particles.species[j]];
        const auto inReach = [&](const input::Interaction* in) { return in && distance < in->cutoff; };
        if (!(inReach(acting[0]) || inReach(acting[1])) || excluded(particles, i, j)) continue;
        Wide rDotV = 0.0L;
        for (int axis = 0; axis < 3; ++axis) rDotV += r[axis] * (velocity[i][axis] - velocity[j][axis]);
        for (const bool isDpd : {true, false}) {
          const input::Interaction* in = acting[isDpd ? 0 : 1];
          if (!inReach(in)) continue;
          const auto [force, energy] = isDpd ? dpd(*in, distance, rDotV / distance, noise(signatures[i], signatures[j]))
                                             : lennardJones(*in, distance);
          add(result, i, j, r, distance, force, energy);
        }
      }
    addBonds(result, particles, position);
    addDrives(result, particles, position);
    return result;
  }

private:
  struct Term {
    Wide force, energy;  // force along r_i - r_j
  };

  Wide length(u64 coordinate, int axis) const {
    const Wide period = deck_.box.periodic[axis] ? deck_.box.size[axis] : 2.0L * deck_.box.size[axis];
    return narrow_ ? std::ldexp(period * static_cast<Wide>(coordinate >> 32), -32)
                   : std::ldexp(period * static_cast<Wide>(coordinate), -64);
  }

  WideVector separation(const WideVector& a, const WideVector& b) const {
    WideVector r{};
    for (int axis = 0; axis < 3; ++axis) {
      r[axis] = a[axis] - b[axis];
      if (!deck_.box.periodic[axis]) continue;
      if (r[axis] > 0.5L * deck_.box.size[axis]) r[axis] -= deck_.box.size[axis];
      if (r[axis] < -0.5L * deck_.box.size[axis]) r[axis] += deck_.box.size[axis];
    }
    return r;
  }

  // The last block that names both species, "*" standing for any.
  // The last block of DPD, or of Lennard-Jones: one of each adds up.
  const input::Interaction* interaction(u32 i, u32 j, bool isDpd) const {
    const std::string &a = deck_.species[i], &b = deck_.species[j];
    const input::Interaction* found = nullptr;
    for (const auto& in : deck_.interactions) {
      if ((in.style == input::InteractionStyle::dpd) != isDpd) continue;
      const auto is = [](const std::string& pattern, const std::string& name) {
        return pattern == "*" || pattern == name;
      };
      if ((is(in.between[0], a) && is(in.between[1], b)) || (is(in.between[0], b) && is(in.between[1], a))) found = &in;
    }
    return found;
  }

  bool excluded(const HostParticles& particles, int i, int j) const {
    for (const auto& bond : particles.bonds)
      if (deck_.bonds[bond.type].exclude && std::min(bond.a, bond.b) == static_cast<u32>(std::min(i, j)) &&
          std::max(bond.a, bond.b) == static_cast<u32>(std::max(i, j)))
        return true;
    return false;
  }

  Wide noise(u32 a, u32 b) const {
    const Words words =
        deck_.run.pair_noise == input::PairNoise::tea ? pairWords<TeaMixing>(a, b) : pairWords<MultiplyMixing>(a, b);
    return deck_.run.precision == input::Precision::single ? static_cast<Wide>(gaussian<float>(words))
                                                           : static_cast<Wide>(gaussian<double>(words));
  }

  Term dpd(const input::Interaction& in, Wide r, Wide radialVelocity, Wide xi) const {
    const Wide w = 1.0L - r / in.cutoff, wR = std::pow(w, static_cast<Wide>(in.exponent));
    const Wide random = in.sigma * wR * xi / std::sqrt(static_cast<Wide>(deck_.run.timestep));
    return {in.a * w - in.gamma * wR * wR * radialVelocity + random, 0.5L * in.a * in.cutoff * w * w};
  }

  static Wide lennardJonesEnergy(const input::Interaction& in, Wide r) {
    return 4.0L * in.epsilon * (std::pow(in.sigma / r, 12.0L) - std::pow(in.sigma / r, 6.0L));
  }
  static Term lennardJones(const input::Interaction& in, Wide r) {
    const Wide force =
        4.0L * in.epsilon * (12.0L * std::pow(in.sigma / r, 12.0L) - 6.0L * std::pow(in.sigma / r, 6.0L)) / r;
    return {force, lennardJonesEnergy(in, r) - lennardJonesEnergy(in, in.cutoff)};
  }

  static void add(Reference& result, int i, int j, const WideVector& r, Wide distance, Wide force, Wide energy) {
    WideVector f{};
    for (int axis = 0; axis < 3; ++axis) {
      f[axis] = force * r[axis] / distance;
      result.force[i][axis] += f[axis];
      result.force[j][axis] -= f[axis];
    }
    result.potential += energy, result.potentialScale += std::abs(energy);
    const Wide terms[6] = {r[0] * f[0], r[1] * f[1], r[2] * f[2], r[0] * f[1], r[0] * f[2], r[1] * f[2]};
    for (int c = 0; c < 6; ++c) result.virial[c] += terms[c];
    result.virialScale += std::abs(force * distance);
  }

  void addBonds(Reference& result, const HostParticles& particles, const std::vector<WideVector>& position) const {
    for (const auto& bond : particles.bonds) {
      const input::Bond& in = deck_.bonds[bond.type];
      const WideVector r = separation(position[bond.a], position[bond.b]);
      const Wide distance = std::sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
      const Wide k = in.k, r0 = in.r0, most = in.r_max;
      if (in.style == input::BondStyle::harmonic)
        add(result, bond.a, bond.b, r, distance, -k * (distance - r0), 0.5L * k * (distance - r0) * (distance - r0));
      else
        add(result, bond.a, bond.b, r, distance, -k * distance / (1.0L - distance * distance / (most * most)),
            -0.5L * k * most * most * std::log(1.0L - distance * distance / (most * most)));
    }
  }

  void addDrives(Reference& result, const HostParticles& particles, const std::vector<WideVector>& position) const {
    for (const auto& drive : deck_.drives)
      for (int i = 0; i < particles.count(); ++i)
        for (int axis = 0; axis < 3; ++axis) {
          const bool upper = drive.style == input::DriveStyle::double_poiseuille &&
                             position[i][drive.across] >= 0.5L * deck_.box.size[drive.across];
          result.force[i][axis] += (upper ? -1.0L : 1.0L) * masses_[particles.species[i]] * drive.acceleration[axis];
        }
  }

  const input::Deck& deck_;
  std::vector<double> masses_;
  std::vector<std::array<const input::Interaction*, 2>> between_;  // of two species: DPD, Lennard-Jones
  bool narrow_;
};

}  // namespace mesowarp::test
