// Dihedrals: the angle phi between the planes of a, b, c and of b, c, d, from -180 to 180 degrees; cis is 0, trans 180
// (IUPAC).
//   cosine    U = k (1 + cos(n phi - phi0)); phi0 = 180: k (1 - cos(n phi))
//   harmonic  U = k/2 (phi - phi0)^2, the shorter way round
// Forces: Blondel, Karplus, J. Comput. Chem. 17 (1996) 1132, with F = a - b, G = b - c, H = d - c, A = F x G, B = H x
// G. They are finite unless three beads in a row are straight, where there is no plane.
#pragma once

#include "physics/topology/term.hpp"

namespace mesowarp {

enum class DihedralKind : int { cosine, harmonic };

template <class Real>
struct DihedralCoefficients {
  DihedralKind kind = DihedralKind::cosine;
  Real k = 0;
  int n = 1;
  Real phi0 = 0, cos0 = 1, sin0 = 0;  // radians
  template <class V>
  DihedralCoefficients<V> as() const {
    return {kind, V(k), n, V(phi0), V(cos0), V(sin0)};
  }
};

template <class Math>
struct DihedralTerm {
  template <class V>
  using Coefficients = DihedralCoefficients<V>;
  static constexpr int members = 4, parts = 3, arms = 3;
  static constexpr const char* label = "dihedrals";
  static constexpr StepFlags::Event missing = StepFlags::dihedralPartnerMissing;

  KOKKOS_FORCEINLINE_FUNCTION static constexpr int arm(int a, int end) {
    return end == 1 ? (a == 0 ? 1 : 2) : (a == 2 ? 3 : a);
  }
  // Parts: the forces on a and on d, and what b gets and c loses beside their opposites.
  KOKKOS_FORCEINLINE_FUNCTION static int sign(int member, int part) {
    if (part == 0) return member == 0 ? 1 : (member == 1 ? -1 : 0);
    if (part == 1) return member == 3 ? 1 : (member == 2 ? -1 : 0);
    return member == 1 ? 1 : (member == 2 ? -1 : 0);
  }

  // As an angle's.
  template <class V>
  KOKKOS_FORCEINLINE_FUNCTION static TermForces<V, parts> evaluate(const DihedralCoefficients<V>& c,
                                                                   const Vec3<V>* way) {
    using math::cross, math::inner, math::times, math::larger, math::select, math::fusedMultiplyAdd;
    const Vec3<V> f = way[0], g = way[1], h = way[2];
    const Vec3<V> a = cross(f, g), b = cross(h, g);
    const V inverseA = Math::inverseSquareRoot(larger(inner(a, a), V(1e-24))),
            inverseB = Math::inverseSquareRoot(larger(inner(b, b), V(1e-24))), g2 = larger(inner(g, g), V(1e-24)),
            inverseG = Math::inverseSquareRoot(g2), length = g2 * inverseG, both = inverseA * inverseB;
    const V cosine = inner(a, b) * both, sine = length * inner(a, h) * both;
    V slope, energy;  // slope: dU/dphi
    if (c.kind == DihedralKind::cosine) {
      V cn = V(1), sn = V(0);  // of m phi
      for (int m = 0; m < c.n; ++m) {
        const V next = fusedMultiplyAdd(cn, cosine, -(sn * sine));
        sn = fusedMultiplyAdd(sn, cosine, cn * sine);
        cn = next;
      }
      slope = c.k * V(c.n) * fusedMultiplyAdd(cn, c.sin0, -(sn * c.cos0));
      energy = c.k * fusedMultiplyAdd(cn, c.cos0, fusedMultiplyAdd(sn, c.sin0, V(1)));
    } else {
      const V turned = math::angleOf<Math>(select(sine < V(0), -sine, sine), cosine);
      V off = select(sine < V(0), -turned, turned) - c.phi0;
      off = select(off > V(math::pi), off - V(2.0 * math::pi), off);
      off = select(off < V(-math::pi), off + V(2.0 * math::pi), off);
      slope = c.k * off;
      energy = V(0.5) * c.k * off * off;
    }
    const Vec3<V> onA = times(slope * length * inverseA * inverseA, a),
                  onD = times(-slope * length * inverseB * inverseB, b);
    const V alongF = -slope * inner(f, g) * inverseA * inverseA * inverseG,
            alongH = slope * inner(h, g) * inverseB * inverseB * inverseG;
    const Vec3<V> shared{fusedMultiplyAdd(alongF, a.x, alongH * b.x), fusedMultiplyAdd(alongF, a.y, alongH * b.y),
                         fusedMultiplyAdd(alongF, a.z, alongH * b.z)};
    return {{onA, onD, shared}, {f, h, g}, energy};
  }
};

}  // namespace mesowarp
