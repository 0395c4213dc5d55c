// What a pair force is: a small struct that knows its coefficients and one pair, and no list, cell or atomic.
//
//   template <class Real, class Math> struct MyForce {
//     using Reads = PairReads<…>;  // beside the distance: Velocity, Noise, Separation, fields of its own
//     using Sums = PairSums<…>;    // beside force, energy and virial: fields of its own
//     template <class V> struct CoefficientsOf { V ...; };  // of one pair of species, nothing but V; all terms are
//     using Coefficients = CoefficientsOf<Real>;            // proportional to `scale`
//     static Coefficients coefficients(const input::Interaction&, double timestep, double scale);
//     template <class V> static PairTermOf<MyForce, V> evaluate(const CoefficientsOf<V>&,
//                                                               const PairInputOf<MyForce, V>&);
//   };
//
// A force may have a `Uniform`, a struct of numbers that are the same for all pairs, made by Force::uniform(deck,
// instance), or for each step by what Force::uniformOfStep(deck) gives, a function of the step: evaluate() gets it as
// its third argument, and may branch on it.
//
// Math: math::Hardware, or math::Portable for the same bits on every machine; roots and quotients come from it.
// evaluate() is branch-free and returns zero beyond its cutoff. V is Real on a GPU, whose thread has one pair, and a
// vector of them on a CPU, a pair in each lane (src/device/pair_lanes_cpu.hpp). How to add one:
// docs/add-a-pair-force.md.
#pragma once

#include <cstring>
#include <vector>

#include "core/lanes.hpp"
#include "device/host_copy.hpp"
#include "kernels/pairs/pair_fields.hpp"

namespace mesowarp {

// Of what a force reads by itself there are Own numbers of each particle, its fields one after the other.
template <class V, int Own = 0>
struct PairInput;
template <class V>
struct PairInput<V, 0> {
  V distance2;                                     // r^2, at least 1e-24
  V rDotV;                                         // r_ij . v_ij; 0 unless the force reads velocities
  typename Lanes<V>::Keys signatureI, signatureJ;  // keys of the pair's noise; read only if the force says so
  Vec3<V> separation;                              // r_ij = r_i - r_j; so is this
};
template <class V, int Own>
struct PairInput : PairInput<V, 0> {
  V ownI[Own], ownJ[Own];
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
  PairInput<V> input{dot(r, r, V(1e-24)), V(0), signatureI, signatureJ, {}};
  if constexpr (Force::Reads::velocity) input.rDotV = dot(r, v, V(0));
  if constexpr (Force::Reads::separation) input.separation = r;
  return input;
}

// What a pair gives its particle i. Both particles ask for theirs: a term that is symmetric is the same from both
// sides, one that is not changes its sign when i and j change places.
template <class V, int Own = 0>
struct PairTerm;
template <class V>
struct PairTerm<V, 0> {
  V forceOverR;  // force on i is forceOverR * r_ij, r_ij = r_i - r_j
  V energy;
};
template <class V, int Own>
struct PairTerm : PairTerm<V, 0> {
  V own[Own];  // of what the force sums by itself, its fields one after the other
};

template <class Force, class V>
using PairInputOf = PairInput<V, Force::Reads::Own::width>;
template <class Force, class V>
using PairTermOf = PairTerm<V, Force::Sums::Own::width>;

template <class Force>
constexpr bool hasUniform = requires {
  typename Force::Uniform;
};
template <class Force>
struct UniformTable {};
template <class Force>
requires hasUniform<Force>
struct UniformTable<Force> {
  typename Force::Uniform uniform{};
};

// Coefficients of every pair of species; a pair that this force does not act on has cutoff2 = 0 and null coefficients.
// Where all pairs have the same, as a fluid and its walls' frozen particles do, nothing need be looked up.
template <class Force>
struct CoefficientTable : UniformTable<Force> {
  using Coefficients = typename Force::Coefficients;
  DeviceArray<char> memory;             // of what `table` points to; bytes, so that forces share all that it takes
  const Coefficients* table = nullptr;  // [species * species], on the device
  Coefficients only{};                  // of all pairs, if they are the same
  bool same = true;
  int species = 1;
  double cutoff = 0.0;  // the largest, length

  static CoefficientTable make(const std::vector<Coefficients>& pairs, int species, double cutoff) {
    CoefficientTable result;
    result.species = species;
    result.cutoff = cutoff;
    result.set(pairs);
    return result;
  }
  // They are numbers and nothing else.
  void set(const std::vector<Coefficients>& pairs) {
    memory = bytesToDevice("pair coefficients", pairs.data(), pairs.size() * sizeof(Coefficients), memory);
    table = reinterpret_cast<const Coefficients*>(memory.data());
    only = pairs.at(0);
    same = true;
    for (const Coefficients& other : pairs) same = same && std::memcmp(&other, &only, sizeof(Coefficients)) == 0;
  }
};

// Of one pair, or of those side by side.
template <class Force, class Coefficients, class Input>
KOKKOS_FORCEINLINE_FUNCTION auto evaluatePair(const CoefficientTable<Force>& pairs, const Coefficients& coefficients,
                                              const Input& input) {
  if constexpr (hasUniform<Force>)
    return Force::evaluate(coefficients, input, pairs.uniform);
  else
    return Force::evaluate(coefficients, input);
}

}  // namespace mesowarp
