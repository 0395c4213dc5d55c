// Angles and dihedrals by themselves: forces against the slope of the energy, force and torque of a term, the exact sum
// in fixed point; the angle of a point against libm.
#include <cmath>
#include <gtest/gtest.h>

#include "physics/topology/angles.hpp"
#include "physics/topology/dihedrals.hpp"
#include "tests/unit/support/test_statistics.hpp"

namespace mesowarp {
namespace {

using Vector = Vec3<double>;
template <std::size_t N>
using Points = std::array<Vector, N>;

// What a term is computed from.
template <class Term, class Real, std::size_t N>
auto evaluated(const typename Term::template Coefficients<Real>& c, const std::array<Vec3<Real>, N>& at) {
  Vec3<Real> way[Term::arms];
  for (int a = 0; a < Term::arms; ++a)
    for (int axis = 0; axis < 3; ++axis) way[a][axis] = at[Term::arm(a, 0)][axis] - at[Term::arm(a, 1)][axis];
  return Term::evaluate(c, way);
}

template <class Term, std::size_t N>
Points<N> forcesOf(const typename Term::template Coefficients<double>& c, const Points<N>& at) {
  const auto term = evaluated<Term>(c, at);
  Points<N> force{};
  for (std::size_t m = 0; m < N; ++m)
    for (int p = 0; p < Term::parts; ++p)
      for (int axis = 0; axis < 3; ++axis) force[m][axis] += Term::sign(int(m), p) * term.part[p][axis];
  return force;
}

// Forces against central differences, within 1e-6 of the stiffness over the shortest arm; sum and torque; the virial's
// trace, which is that of r f about any point.
template <class Term, std::size_t N>
void expectSlope(const typename Term::template Coefficients<double>& c, const Points<N>& at, double scale,
                 double h = 1e-5) {
  const auto energy = [&](const Points<N>& p) { return evaluated<Term>(c, p).energy; };
  const auto force = forcesOf<Term, N>(c, at);
  Vector sum, torque;
  double trace = 0.0;
  for (std::size_t m = 0; m < N; ++m) {
    for (int axis = 0; axis < 3; ++axis) {
      Points<N> up = at, down = at;
      up[m][axis] += h, down[m][axis] -= h;
      EXPECT_NEAR(force[m][axis], -(energy(up) - energy(down)) / (2 * h), 1e-6 * scale) << "member " << m;
      sum[axis] += force[m][axis];
      trace += at[m][axis] * force[m][axis];
    }
    const Vector t = math::cross(at[m], force[m]);
    for (int axis = 0; axis < 3; ++axis) torque[axis] += t[axis];
  }
  double virial = 0.0;
  const auto term = evaluated<Term>(c, at);
  for (int p = 0; p < Term::parts; ++p) virial += math::inner(term.arm[p], term.part[p]);
  EXPECT_NEAR(virial, trace, 1e-12 * scale);
  for (int axis = 0; axis < 3; ++axis) {
    EXPECT_NEAR(sum[axis], 0.0, 1e-13 * scale);
    EXPECT_NEAR(torque[axis], 0.0, 1e-11 * scale);
  }
}

// Of bonds 0.7 and 0.9 long at this angle, turned somehow.
Points<3> bent(double theta) {
  const Vector u{0.48, 0.6, 0.64}, v{0.8, 0.0, -0.6};  // unit vectors at right angles
  Points<3> at{};
  for (int axis = 0; axis < 3; ++axis) {
    at[0][axis] = 0.7 * u[axis];
    at[2][axis] = 0.9 * (std::cos(theta) * u[axis] + std::sin(theta) * v[axis]);
  }
  return at;
}

template <class Math>
void checkAngles() {
  using Term = AngleTerm<Math>;
  for (const auto kind : {AngleKind::harmonic, AngleKind::cosine, AngleKind::cosineSquared})
    for (const double theta0 : {M_PI, 1.9}) {
      const AngleCoefficients<double> c{kind, 10.0, theta0, std::cos(theta0)};
      // The force of a harmonic angle has no direction at 0, and at 180 degrees if another angle is at rest.
      const bool kinked = kind == AngleKind::harmonic;
      for (const double theta : {2e-3, 0.02, 0.3, 1.0, 1.9, 2.8, 3.1, M_PI - 2e-3})
        expectSlope<Term>(c, bent(theta), 10.0 / 0.7, kinked ? 2e-7 : 1e-5);
      if (kinked && theta0 != M_PI) continue;
      for (const double off : {1e-4, 1e-6, 1e-9, 0.0}) expectSlope<Term>(c, bent(M_PI - off), 10.0 / 0.7);
    }
}
TEST(MoleculeTerms, AnglesHaveTheSlopeOfTheirEnergy) {
  checkAngles<math::Hardware>();
  checkAngles<math::Portable>();
}

// Energies by their formulas.
TEST(MoleculeTerms, AnglesHaveTheirEnergy) {
  using Term = AngleTerm<math::Portable>;
  for (double theta = 0.05; theta < M_PI; theta += 0.1) {
    const Points<3> at = bent(theta);
    const auto energy = [&](AngleKind kind, double theta0) {
      return evaluated<Term>(AngleCoefficients<double>{kind, 3.0, theta0, std::cos(theta0)}, at).energy;
    };
    EXPECT_NEAR(energy(AngleKind::harmonic, 2.0), 1.5 * (theta - 2.0) * (theta - 2.0), 1e-13);
    EXPECT_NEAR(energy(AngleKind::cosine, M_PI), 3.0 * (1.0 + std::cos(theta)), 1e-13);
    const double off = std::cos(theta) - std::cos(2.0);
    EXPECT_NEAR(energy(AngleKind::cosineSquared, 2.0), 1.5 * off * off, 1e-13);
  }
}

// Four points with this dihedral: angles of 100 and 120 degrees about a bond along z.
Points<4> twisted(double phi) {
  Points<4> at{};
  const double a = 100.0 * M_PI / 180.0, b = 120.0 * M_PI / 180.0;
  at[2] = {0.0, 0.0, 0.8};
  at[0] = {0.7 * std::sin(a), 0.0, 0.7 * std::cos(a)};
  // IUPAC: seen along b - c, turning a onto d clockwise is positive.
  at[3] = {0.6 * std::sin(b) * std::cos(phi), 0.6 * std::sin(b) * std::sin(phi), 0.8 - 0.6 * std::cos(b)};
  return at;
}

template <class Math>
void checkDihedrals() {
  using Term = DihedralTerm<Math>;
  for (const auto kind : {DihedralKind::cosine, DihedralKind::harmonic})
    for (const int n : {1, 2, 3, 6})
      for (const double phi0 : {0.0, 1.1, M_PI}) {
        const DihedralCoefficients<double> c{kind, 5.0, n, phi0, std::cos(phi0), std::sin(phi0)};
        for (const double phi : {-3.0, -2.0, -1e-3, -1e-7, 0.0, 1e-7, 0.5, 1.2, 2.5, M_PI - 1e-3, M_PI}) {
          const double across = std::abs(std::remainder(phi - phi0 - M_PI, 2.0 * M_PI));
          if (kind == DihedralKind::harmonic && across < 1e-2) continue;  // where the shorter way changes
          expectSlope<Term>(c, twisted(phi), 5.0 * n * n * n / 0.5);
        }
      }
}
TEST(MoleculeTerms, DihedralsHaveTheSlopeOfTheirEnergy) {
  checkDihedrals<math::Hardware>();
  checkDihedrals<math::Portable>();
}

TEST(MoleculeTerms, DihedralsHaveTheirEnergy) {
  using Term = DihedralTerm<math::Portable>;
  for (double phi = -3.1; phi < M_PI; phi += 0.1) {
    const Points<4> at = twisted(phi);
    for (const int n : {1, 2, 3, 5}) {
      const DihedralCoefficients<double> c{DihedralKind::cosine, 2.0, n, 0.7, std::cos(0.7), std::sin(0.7)};
      EXPECT_NEAR(evaluated<Term>(c, at).energy, 2.0 * (1.0 + std::cos(n * phi - 0.7)), 1e-13);
    }
    const DihedralCoefficients<double> c{DihedralKind::harmonic, 2.0, 1, -2.9, 1.0, 0.0};
    const double off = std::remainder(phi + 2.9, 2.0 * M_PI);
    EXPECT_NEAR(evaluated<Term>(c, at).energy, off * off, 1e-12);
  }
}

// Each member's own sums, as the kernel makes them.
template <class Term, class Real, std::size_t N>
void expectNothingLeft(const typename Term::template Coefficients<Real>& c, const std::array<Vec3<Real>, N>& at) {
  const auto term = evaluated<Term>(c, at);
  for (int axis = 0; axis < 3; ++axis) {
    i64 all = 0, any = 0;
    for (int m = 0; m < Term::members; ++m) {
      FixedSum<Real> sum;
      for (int p = 0; p < Term::parts; ++p)
        if (Term::sign(m, p) != 0) sum.add(term.part[p][axis], Real(Term::sign(m, p)));
      sum.endTile();
      EXPECT_FALSE(sum.total(0).overflowed());
      all += sum.total(0).sum, any |= sum.total(0).sum;
    }
    EXPECT_EQ(all, 0);
    EXPECT_NE(any, 0);
  }
}
template <class Real>
void checkExactSums() {
  test::Uniform uniform(3);
  for (int k = 0; k < 200; ++k) {
    std::array<Vec3<Real>, 4> at{};
    for (auto& p : at) p = {Real(uniform()), Real(uniform()), Real(uniform())};
    expectNothingLeft<AngleTerm<math::Portable>, Real>({AngleKind::harmonic, Real(0x1p-12), Real(2), Real(-0.4)},
                                                       std::array{at[0], at[1], at[2]});
    expectNothingLeft<DihedralTerm<math::Portable>, Real>(
        {DihedralKind::cosine, Real(0x1p-14), 3, Real(0), Real(1), Real(0)}, at);
  }
}
TEST(MoleculeTerms, ForcesInFixedPointAddUpToExactlyNothing) {
  checkExactSums<float>();
  checkExactSums<double>();
}

template <class Math, class Real>
double largestError() {
  double worst = 0.0;
  for (int k = 0; k <= 20000; ++k) {
    const double phi = M_PI * k / 20000.0, length = std::exp2(k % 41 - 20);
    const Real y = Real(length * std::sin(phi)), x = Real(length * std::cos(phi));
    const double exact = std::atan2(double(y), double(x));
    worst = std::max(worst, std::abs(double(math::angleOf<Math>(y, x)) - exact) / std::max(exact, 1e-300));
  }
  return worst;
}
TEST(MoleculeTerms, AngleOfAPointIsThatOfTheLibrary) {
  EXPECT_LT((largestError<math::Portable, double>()), 5e-16);
  EXPECT_LT((largestError<math::Hardware, double>()), 5e-16);
  EXPECT_LT((largestError<math::Portable, float>()), 3e-7);
  EXPECT_LT((largestError<math::Hardware, float>()), 3e-7);
  EXPECT_EQ((math::angleOf<math::Portable>(0.0, 0.0)), 0.0);
  EXPECT_EQ((math::angleOf<math::Portable>(0.0, 2.0)), 0.0);
  EXPECT_EQ((math::angleOf<math::Portable>(0.0, -2.0)), M_PI);
  EXPECT_EQ((math::angleOf<math::Portable>(3.0, 0.0)), 0.5 * M_PI);
}

}  // namespace
}  // namespace mesowarp
