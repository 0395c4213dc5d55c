// Sheared boxes for tests: the deck, and forces by brute force over all images.
#pragma once

#include <cmath>

#include "core/shear.hpp"
#include "tests/unit/support/test_systems.hpp"

namespace mesowarp::test {

// Room for eight ranks across x and y, at a reach of 1.3.
inline System shearedFluid(input::Precision precision, double rate, bool noise = true, int flow = 2, int gradient = 1) {
  System s{emptyDeck({12.0, 6.0, 5.5}, precision, 0.004, {{"A", 1.0}, {"B", 2.0}}), {}};
  const double gamma = noise ? 4.5 : 0.0, sigma = noise ? 3.0 : 0.0;
  addDpd(s.deck, "A", "A", 25.0, gamma, sigma);
  addDpd(s.deck, "A", "B", 40.0, gamma, sigma, 0.9, 0.5);
  addDpd(s.deck, "B", "B", 20.0, 2.0 * gamma, std::sqrt(2.0) * sigma, 1.0, 2.0);
  s.deck.neighbor = {0.3, false, input::RebuildStyle::displacement, 4};
  s.deck.own.get<Shear>() = {true, flow, gradient, rate};
  fill(s, 1200, 0.2, 1.0, 11);
  const Box box = boxOf(s.deck);
  for (std::size_t i = 0; i < s.particles.velocity.size(); ++i)
    s.particles.velocity[i][static_cast<std::size_t>(flow)] +=
        rate * (toLength(box, gradient, s.particles.position[i][static_cast<std::size_t>(gradient)]) -
                0.5 * box.size[gradient]);
  return s;
}

// Conservative forces of a snapshot's particles, over all pairs and images, the latter moved by U t.
inline std::vector<std::array<double, 3>> forcesAmongImages(const System& s, const io::Snapshot& snapshot) {
  const Shear shear = s.deck.own.get<Shear>();
  const auto& size = s.deck.box.size;
  const auto flow = static_cast<std::size_t>(shear.flow), gradient = static_cast<std::size_t>(shear.gradient);
  const double offset = shear.rate * size[gradient] * static_cast<double>(snapshot.step) * s.deck.run.timestep;
  const std::size_t n = snapshot.tag.size();
  std::vector<std::array<double, 3>> forces(n, std::array<double, 3>{});
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      if (i == j) continue;
      std::array<double, 3> r{};
      for (std::size_t axis = 0; axis < 3; ++axis)
        r[axis] = snapshot.position[3 * i + axis] - snapshot.position[3 * j + axis];
      const double images = std::round(r[gradient] / size[gradient]);
      r[gradient] -= images * size[gradient], r[flow] -= images * offset;
      for (std::size_t axis = 0; axis < 3; ++axis)
        if (axis != gradient) r[axis] -= std::round(r[axis] / size[axis]) * size[axis];
      const auto a = static_cast<std::size_t>(snapshot.species[i]), b = static_cast<std::size_t>(snapshot.species[j]);
      const input::Interaction& in = s.deck.interactions[a + b];
      const double distance = std::sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
      if (distance >= in.cutoff) continue;
      for (std::size_t axis = 0; axis < 3; ++axis)
        forces[i][axis] += in.a * (1.0 - distance / in.cutoff) * r[axis] / distance;
    }
  return forces;
}

}  // namespace mesowarp::test
