// What a pair force is: a small struct that knows its coefficients and one pair, and no list, cell or atomic.
//
//   template <class Real, class Math> struct MyForce {
//     template <class V> struct CoefficientsOf { V ...; };  // of one pair of species, nothing but V; all terms
//     proportional to `scale` using Coefficients = CoefficientsOf<Real>; static constexpr bool usesVelocity; // whether
//     it reads rDotV static Coefficients coefficients(const input::Interaction&, double timestep, double scale);
//     template <class V> static PairTerm<V> evaluate(const CoefficientsOf<V>&, const PairInput<V>&);
//   };
//
// Math: math::Hardware, or math::Portable for the same bits on every machine; roots and quotients come from it.
// evaluate() is branch-free and returns zero beyond its cutoff. V is Real on a GPU, whose thread has one pair, and a
// vector of them on a CPU, a pair in each lane (src/device/pair_lanes_cpu.hpp). How to add one:
// docs/add-a-pair-force.md.
#pragma once

#include <vector>

#include "core/lanes.hpp"

namespace mesowarp {

template <class V>
struct PairInput {
  V distance2;                                     // r^2, at least 1e-24
  V rDotV;                                         // r_ij . v_ij; 0 unless usesVelocity
  typename Lanes<V>::Keys signatureI, signatureJ;  // keys of the pair's noise
};

// a . b + c, fused: the same operations on every machine.
template <class V>
KOKKOS_FORCEINLINE_FUNCTION V dot(const Vec3<V>& a, const Vec3<V>& b, V c) {
  using math::fusedMultiplyAdd;
  return fusedMultiplyAdd(a.x, b.x, fusedMultiplyAdd(a.y, b.y, fusedMultiplyAdd(a.z, b.z, c)));
}

// Of a pair at r_ij that moves apart at v_ij, which is read only if the force does.
template <class Force, class V>
KOKKOS_FORCEINLINE_FUNCTION PairInput<V>
pairInput(const Vec3<V>& r, const Vec3<V>& v, typename Lanes<V>::Keys signatureI, typename Lanes<V>::Keys signatureJ) {
  PairInput<V> input{dot(r, r, V(1e-24)), V(0), signatureI, signatureJ};
  if constexpr (Force::usesVelocity) input.rDotV = dot(r, v, V(0));
  return input;
}

template <class V>
struct PairTerm {
  V forceOverR;  // force on i is forceOverR * r_ij, r_ij = r_i - r_j
  V energy;
};

// Coefficients of every pair of species; a pair that this force does not act on has cutoff2 = 0 and null coefficients.
template <class Force>
struct PairTable {
  using Coefficients = typename Force::Coefficients;
  DeviceArray<Coefficients> table;  // [species * species]
  Coefficients only{};              // of the one pair when there is one species
  int species = 1;
  double cutoff = 0.0;  // the largest, length

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
