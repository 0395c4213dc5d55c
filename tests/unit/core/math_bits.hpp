// Everything of the forces in fixed point, over many inputs, as bits: what a compiler makes of it must not show.
// Included by files that are compiled with different flags (tests/CMakeLists.txt) and by a kernel; all functions here
// are inlined always, or each file's own.
#pragma once

#include "core/accumulators.hpp"
#include "core/portable_math.hpp"
#include "core/random.hpp"
#include "physics/bonded/bonds.hpp"
#include "physics/pair/dpd.hpp"
#include "physics/pair/lennard_jones.hpp"
#include "physics/topology/angles.hpp"
#include "physics/topology/dihedrals.hpp"

namespace mesowarp::test {

constexpr int bitInputs = 4096, bitsOfAnInput = 24;

namespace {

// A number in (0, 1] from a word.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real unitFrom(u32 word) {
  return math::unitOpen<Real>(word);
}

KOKKOS_FORCEINLINE_FUNCTION void keep(u64* bits, int& n, float x) { bits[n++] = math::bitCast<u32>(x); }
KOKKOS_FORCEINLINE_FUNCTION void keep(u64* bits, int& n, double x) { bits[n++] = math::bitCast<u64>(x); }

// Four points, as terms of molecules ask for them.
template <class Real>
struct PointsOf {
  Vec3<Real> at[4];
  template <class Term>
  KOKKOS_FORCEINLINE_FUNCTION auto evaluated(const typename Term::template Coefficients<Real>& c) const {
    Vec3<Real> way[Term::arms];
    for (int a = 0; a < Term::arms; ++a) {
      const Vec3<Real>&m = at[Term::arm(a, 0)], &l = at[Term::arm(a, 1)];
      way[a] = {m.x - l.x, m.y - l.y, m.z - l.z};
    }
    return Term::evaluate(c, way);
  }
};

// Of the k-th input, at most bitsOfAnInput words.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION void bitsOf(int k, u64* bits) {
  using math::Portable;
  u32 w0 = static_cast<u32>(k), w1 = 12345u;
  tea<16>(w0, w1);
  const Real x = unitFrom<Real>(w0), y = unitFrom<Real>(w1);
  const Words words{w0, w1};
  int n = 0;
  keep(bits, n, Portable::inverseSquareRoot(x * Real(1e3)));
  keep(bits, n, Portable::squareRootPositive(x));
  keep(bits, n, Portable::reciprocal(y * Real(1e-3)));
  keep(bits, n, Portable::quotient(x, y));
  keep(bits, n, math::logUnit<Portable>(x));
  keep(bits, n, math::sinPiHalf(x - Real(0.5)));
  keep(bits, n, math::power<Portable>(x, y * Real(3)));
  keep(bits, n, gaussian<Real, Portable>(words));
  keep(bits, n, math::divide(x, y));
  const Vec3<Real> r{x, y - Real(0.5), x - y}, v{y, x, x * y};
  using Dpd = DpdForce<Real, true, TeaMixing, Portable>;
  using AnyDpd = DpdForce<Real, false, MultiplyMixing, Portable>;
  using Lj = LennardJonesForce<Real, Portable>;
  const typename Dpd::Coefficients dpd{Real(25), Real(4.5), Real(42), Real(1), Real(1), Real(12)};
  const auto first = Dpd::evaluate(dpd, pairInput<Dpd>(r, v, w0, w1));
  keep(bits, n, first.forceOverR), keep(bits, n, first.energy);
  const typename AnyDpd::Coefficients any{Real(25), Real(4.5), Real(42), Real(1), Real(0.5), Real(12)};
  keep(bits, n, AnyDpd::evaluate(any, pairInput<AnyDpd>(r, v, w0, w1)).forceOverR);
  const auto lj = Lj::evaluate({Real(1), Real(0.5), Real(6.25), Real(-0.01)}, pairInput<Lj>(r, v, w0, w1));
  keep(bits, n, lj.forceOverR), keep(bits, n, lj.energy);
  const BondCoefficients<Real> harmonic{BondKind::harmonic, Real(20), Real(0.4), Real(1), Real(1)},
      fene{BondKind::fene, Real(30), Real(0), Real(4), Real(0.25)};
  const Real distance2 = dot(r, r, Real(0));
  keep(bits, n, bondForce<Portable>(harmonic, distance2));
  keep(bits, n, bondForce<Portable>(fene, distance2)), keep(bits, n, bondEnergy<Portable>(fene, distance2));
  keep(bits, n, math::angleOf<Portable>(y, x - Real(0.5)));
  const PointsOf<Real> points{{r, {}, {y, x, x}, {y, -x, y}}};
  keep(bits, n,
       points.template evaluated<AngleTerm<Portable>>({AngleKind::harmonic, Real(5), Real(2), Real(0)}).part[0].x);
  const auto twist = points.template evaluated<DihedralTerm<Portable>>(
      {DihedralKind::cosine, Real(2), 3, Real(0), Real(0.8), Real(0.6)});
  keep(bits, n, twist.part[2].y), keep(bits, n, twist.energy);
  FixedSum<Real> sum;
  sum.add(first.forceOverR * Real(0x1p-17), r.x);
  sum.add(-first.forceOverR * Real(0x1p-17), r.y);
  sum.endTile();
  bits[n++] = static_cast<u64>(sum.total(0).sum);
  for (; n < bitsOfAnInput; ++n) bits[n] = 0;
}

}  // namespace
}  // namespace mesowarp::test
