// What a pair force is: a small struct that knows its coefficients and one pair, and no list, cell or atomic.
//
//   template <class Real, class Math> struct MyForce {
//     struct Coefficients { ... };                    // of one pair of species, all terms proportional to `scale`
//     static constexpr bool usesVelocity;             // whether it reads rDotV
//     static Coefficients coefficients(const input::Interaction&, double timestep, double scale);
//     static PairTerm<Real> evaluate(const Coefficients&, const PairInput<Real>&);
//   };
//
// Math: math::Hardware, or math::Portable for the same bits on every machine; roots and quotients come from it.
// evaluate() is branch-free and returns zero beyond its cutoff: on a GPU it runs once a thread, on a CPU the compiler
// runs the same lines for several pairs at a time. How to add one: docs/add-a-pair-force.md.
#pragma once

#include <vector>

#include "core/bits.hpp"

namespace mesowarp {

template <class Real>
struct PairInput {
  Real distance2;      // r^2, at least 1e-24
  Real rDotV;          // r_ij . v_ij; 0 unless usesVelocity
  u32 signatureI, signatureJ;  // keys of the pair's noise
};

// a . b + c, fused: the same operations on every machine.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real dot(const Vec3<Real>& a, const Vec3<Real>& b, Real c) {
  return math::fusedMultiplyAdd(a.x, b.x, math::fusedMultiplyAdd(a.y, b.y, math::fusedMultiplyAdd(a.z, b.z, c)));
}

// Of a pair at r_ij that moves apart at v_ij, which is read only if the force does.
template <class Force, class Real>
KOKKOS_FORCEINLINE_FUNCTION PairInput<Real> pairInput(const Vec3<Real>& r, const Vec3<Real>& v, u32 signatureI, u32 signatureJ) {
  PairInput<Real> input{dot(r, r, Real(1e-24)), Real(0), signatureI, signatureJ};
  if constexpr (Force::usesVelocity) input.rDotV = dot(r, v, Real(0));
  return input;
}

template <class Real>
struct PairTerm {
  Real forceOverR;  // force on i is forceOverR * r_ij, r_ij = r_i - r_j
  Real energy;
};

// Coefficients of every pair of species; a pair that this force does not act on has cutoff2 = 0 and null coefficients.
template <class Force>
struct PairTable {
  using Coefficients = typename Force::Coefficients;
  DeviceArray<Coefficients> table;  // [species * species]
  Coefficients only{};              // of the one pair when there is one species
  int species = 1;
  double cutoff = 0.0;              // the largest, length

  static PairTable make(const std::vector<Coefficients>& pairs, int species, double cutoff) {
    PairTable result;
    result.table = DeviceArray<Coefficients>("pair coefficients", pairs.size());
    auto host = Kokkos::create_mirror_view(result.table);
    for (std::size_t k = 0; k < pairs.size(); ++k) host(k) = pairs[k];
    Kokkos::deep_copy(result.table, host);
    result.only = pairs.at(0);
    result.species = species;
    result.cutoff = cutoff;
    return result;
  }
};

}  // namespace mesowarp
