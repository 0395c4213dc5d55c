// The membrane's forces against the gradient of its energy, written down plainly (plain_membrane.hpp).
#include <gtest/gtest.h>

#include "tests/unit/membrane/plain_membrane.hpp"

namespace mesowarp::membrane {
namespace {

// A cell out of its rest: stretched, sheared, and each vertex moved a little.
Surface deformed(Surface s) {
  unsigned state = 12345;
  const auto random = [&] {
    return static_cast<double>((state = state * 1664525u + 1013904223u) >> 8) / 16777216.0 - 0.5;
  };
  for (Point& p : s.vertex)
    p = {1.15 * p[0] + 0.1 * p[1] + 0.1 * random(), 0.93 * p[1] + 0.1 * random(),
         1.05 * p[2] - 0.1 * p[0] + 0.1 * random()};
  return s;
}

PlainMembrane cellOf(const PlainModel& model) {
  PlainMembrane cell(model, bloodCellOf(162, 8.0));
  cell.now = deformed(cell.rest);
  return cell;
}

struct Term {
  const char* name;
  PlainModel model;
};
void PrintTo(const Term& term, std::ostream* out) { *out << term.name; }

class MembraneTerm : public testing::TestWithParam<Term> {};

// Central differences over h have an error of h^2 and one of the rounding over h.
TEST_P(MembraneTerm, ForceIsTheGradientOfTheEnergy) {
  PlainMembrane cell = cellOf(GetParam().model);
  double largest = 0.0, worst = 0.0;
  for (int v = 0; v < 162; v += 5) {
    const auto force = cell.force(v).force;
    for (int axis = 0; axis < 3; ++axis) {
      double& x = cell.now.vertex[static_cast<std::size_t>(v)][static_cast<std::size_t>(axis)];
      const double place = x, h = 2e-4;
      double energy[4];
      for (int k = 0; k < 4; ++k) x = place + h * (k < 2 ? k - 2 : k - 1), energy[k] = cell.energy();
      x = place;
      const double gradient = (8.0 * (energy[2] - energy[1]) - (energy[3] - energy[0])) / (12.0 * h);
      largest = std::max(largest, std::abs(gradient));
      worst = std::max(worst, std::abs(force[axis] + gradient));
    }
  }
  EXPECT_GT(largest, 0.0);
  EXPECT_LT(worst / largest, 1e-6) << GetParam().name;
}

TEST_P(MembraneTerm, NoForceAndNoTorqueOnTheWhole) {
  const PlainMembrane cell = cellOf(GetParam().model);
  Point force{}, torque{};
  double sizes = 0.0;
  for (int v = 0; v < 162; ++v) {
    const auto f = cell.force(v).force;
    const Point on{f.x, f.y, f.z};
    force = force + on, torque = torque + cross(PlainMembrane::at(cell.now, v), on), sizes += norm(on);
  }
  EXPECT_GT(sizes, 0.0);
  EXPECT_LT(norm(force), 1e-12 * sizes);
  EXPECT_LT(norm(torque), 1e-11 * sizes);
}

INSTANTIATE_TEST_SUITE_P(EachAlone, MembraneTerm,
                         testing::Values(Term{"springs", {.shear = 100.0}},
                                         Term{"springs of m = 1", {.shear = 100.0, .m = 1.0}},
                                         Term{"springs of m = 3.5", {.shear = 100.0, .m = 3.5}},
                                         Term{"springs of m = 0.5", {.shear = 100.0, .m = 0.5}},
                                         Term{"area of the cell", {.global = 100.0}},
                                         Term{"area of triangles", {.local = 100.0}}, Term{"volume", {.volume = 100.0}},
                                         Term{"bending", {.bending = 2.0}},
                                         Term{"bending about an angle", {.bending = 2.0, .theta0 = 0.3}}));

// The energies that vertices report add up to that of the edges and triangles.
TEST(MembraneEnergy, SharesAddUp) {
  const PlainMembrane cell = cellOf({.shear = 100.0, .m = 3.5, .local = 50.0, .bending = 2.0, .theta0 = 0.2});
  double sum = 0.0;
  for (int v = 0; v < 162; ++v) sum += cell.force(v).energy;
  EXPECT_NEAR(sum, cell.energy(), 1e-11 * cell.energy());
}

TEST(MembraneEnergy, ZeroAtRest) {
  const PlainMembrane cell({.shear = 100.0, .local = 50.0}, bloodCellOf(162, 8.0));
  for (int v = 0; v < 162; ++v) {
    const auto at = cell.force(v);
    EXPECT_LT(std::abs(at.energy) + std::abs(at.force.x) + std::abs(at.force.y) + std::abs(at.force.z), 1e-10);
  }
}

// The same with the math of `bitwise`.
TEST(MembraneEnergy, PortableMathAgrees) {
  const PlainMembrane cell =
      cellOf({.shear = 100.0, .m = 3.5, .global = 30.0, .local = 50.0, .volume = 20.0, .bending = 2.0});
  for (int v = 0; v < 162; ++v) {
    const auto a = cell.force(v), b = cell.force<math::Portable>(v);
    for (int axis = 0; axis < 3; ++axis)
      EXPECT_NEAR(a.force[axis], b.force[axis], 1e-10 * (1.0 + std::abs(a.force[axis])));
  }
}

// A cell's area and volume from its vertices' shares, whatever point they count from.
TEST(MembraneShares, AreAreaAndVolume) {
  const PlainMembrane cell = cellOf({});
  for (const Point origin : {Point{0, 0, 0}, Point{3.0, -1.0, 2.0}}) {
    double area = 0.0, volume = 0.0;
    for (int v = 0; v < 162; ++v) {
      const auto& ring = cell.rings.ring[static_cast<std::size_t>(v)];
      const Point p = PlainMembrane::at(cell.now, v) - origin;
      const auto share =
          shareOf<math::Hardware>(Vec3<double>{p[0], p[1], p[2]}, static_cast<int>(ring.size()), [&](int k) {
            const Point d =
                PlainMembrane::at(cell.now, ring[static_cast<std::size_t>(k)]) - PlainMembrane::at(cell.now, v);
            return Vec3<double>{d[0], d[1], d[2]};
          });
      area += share.area, volume += share.volume;
    }
    EXPECT_NEAR(area, areaOf(cell.now), 1e-11 * area);
    EXPECT_NEAR(volume, volumeOf(cell.now), 1e-11 * area);
  }
}

// A sheet of these springs, equilateral triangles, sheared: the modulus is what the springs were made for.
TEST(MembraneModulus, OfASheetOfSprings) {
  const double mu = 37.0, x0 = 1.0 / 2.2, l0 = 0.7;
  for (const double m : {1.0, 2.0, 3.5}) {
    PlainModel model;
    model.shear = mu, model.x0 = x0, model.m = m;
    const PlainMembrane law(model, sphereOf(12, 1.0));
    const auto density = [&](double shear) {  // of a unit cell: three edges, two triangles
      double energy = 0.0;
      for (const double degrees : {0.0, 60.0, 120.0}) {
        const double a = degrees * M_PI / 180.0, x = l0 * std::cos(a), y = l0 * std::sin(a);
        energy += law.springEnergy(std::hypot(x + shear * y, y), l0);
      }
      return energy / (std::sqrt(3.0) / 2.0 * l0 * l0);
    };
    const double h = 1e-3;
    EXPECT_NEAR((density(h) - 2.0 * density(0.0) + density(-h)) / (h * h), mu, 1e-4 * mu) << "m = " << m;
  }
}

}  // namespace
}  // namespace mesowarp::membrane
