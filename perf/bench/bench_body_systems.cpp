#include <cmath>
#include <string>

#include "core/random.hpp"
#include "core/random_direction.hpp"
#include "device/host_copy.hpp"
#include "device/tag_random.hpp"
#include "perf/bench/bench_bodies.hpp"
#include "physics/nbody/integrate/body_phase.hpp"

namespace mesowarp {
namespace {

using Point = std::array<double, 3>;

struct Made {
  std::vector<Point> position, velocity;
  std::vector<u32> type;
  std::vector<std::array<u32, 2>> excluded;
};

std::vector<Vec3<double>> vectors(const std::vector<Point>& points) {
  std::vector<Vec3<double>> all;
  for (const Point& p : points) all.push_back({p[0], p[1], p[2]});
  return all;
}

BenchBodies upload(const Made& made) {
  const int n = static_cast<int>(made.position.size());
  std::vector<double> mass(made.position.size(), 1.0 / n), charge;
  for (int i = 0; i < n; ++i) charge.push_back(i % 2 ? 0.5 : -0.5);
  BenchBodies b;
  b.view = {toDevice<Vec3<double>>("position", vectors(made.position)),
            toDevice<Vec3<double>>("velocity", vectors(made.velocity)), toDevice<double>("mass", mass),
            toDevice<double>("charge", charge), toDevice<u32>("type", made.type)};
  b.exclusions = nbody::makeExclusions(made.excluded, n);
  return b;
}

// Sites of a cubic lattice, moved by up to a tenth of the spacing.
Point site(int k, int edge, double spacing, TagRandom& random) {
  Point x{double(k % edge), double(k / edge % edge), double(k / (edge * edge))};
  for (double& c : x) c = spacing * (c - 0.5 * edge + 0.2 * (random.uniform() - 0.5));
  return x;
}

}  // namespace

BenchBodies benchSphere(int count) {
  Made made;
  for (int i = 0; i < count; ++i) {
    TagRandom random(1, Stream::initialBody, static_cast<u32>(i));
    const double r = std::cbrt(random.uniform());
    Point x = randomDirection(random), v = randomDirection(random);
    for (double& c : x) c *= r;
    made.position.push_back(x), made.velocity.push_back(v), made.type.push_back(0);
  }
  return upload(made);
}

BenchBodies benchTypes(int count) {
  Made made;
  const int edge = static_cast<int>(std::ceil(std::cbrt(count)));
  for (int i = 0; i < count; ++i) {
    TagRandom random(2, Stream::initialBody, static_cast<u32>(i));
    made.position.push_back(site(i, edge, 1.2, random));
    made.velocity.push_back({}), made.type.push_back(static_cast<u32>(16.0 * random.uniform()));
  }
  return upload(made);
}

BenchBodies benchMolecules(int count) {
  constexpr int length = 40, neighbours = 3;
  constexpr double bond = 0.4;
  Made made;
  const int chains = (count + length - 1) / length, edge = static_cast<int>(std::ceil(std::cbrt(chains)));
  for (int i = 0; i < count; ++i) {
    // A chain winds through a cell of its own: sites of a small lattice, one bond apart, in a path without jumps.
    TagRandom random(3, Stream::initialBody, static_cast<u32>(i));
    const int chain = i / length, bead = i % length, layer = bead / 10, in = bead % 10;
    const int row = layer % 2 ? 9 - in : in, along = row / 2, across = (row % 4 == 1 || row % 4 == 2) ? 1 : 0;
    const Point cell{double(chain % edge), double(chain / edge % edge), double(chain / (edge * edge))};
    const Point place{double(along), double(across), double(layer)};
    Point x{};
    for (int c = 0; c < 3; ++c)
      x[c] = 2.9 * cell[c] + bond * (c == 2 ? 1.6 : 1.0) * place[c] + 0.05 * (random.uniform() - 0.5);
    made.position.push_back(x), made.velocity.push_back({}),
        made.type.push_back(static_cast<u32>(16.0 * random.uniform()));
    for (int k = 1; k <= neighbours && bead + k < length && i + k < count; ++k)
      made.excluded.push_back({static_cast<u32>(i), static_cast<u32>(i + k)});
  }
  return upload(made);
}

nbody::ForceSettings benchSettings(std::string style, nbody::Dielectric dielectric, bool jerk,
                                   input::Precision precision, input::Accumulator accumulator) {
  nbody::ForceSettings s;
  s.style = style, s.dielectric = dielectric, s.jerk = jerk, s.precision = precision, s.accumulator = accumulator;
  s.softening = 0.01;
  s.alpha = 1e-4, s.beta = 0.0, s.gamma = 0.1, s.delta = 0.5;
  if (style == nbody::LawStyle::gravity) return s;
  s.types = 16;
  for (int a = 0; a < 16; ++a)
    for (int b = 0; b < 16; ++b) {
      s.epsilon.push_back(std::sqrt((0.5 + a / 16.0) * (0.5 + b / 16.0)));
      s.sigma.push_back(0.5 * (0.8 + 0.025 * a + 0.8 + 0.025 * b));
    }
  return s;
}

}  // namespace mesowarp
