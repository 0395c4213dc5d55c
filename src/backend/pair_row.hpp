// One particle's row of pair forces as a GPU thread walks it; for CPUs see pair_block_cpu.hpp.
#pragma once

#include "backend/config.hpp"
#include "backend/pair_state.hpp"

namespace mesowarp::backend {

template <class P, class Force, bool OneSpecies, bool Observe>
KOKKOS_INLINE_FUNCTION PairSum<typename P::Real, Observe> sumRowScalar(const PairState<P>& state,
                                                                      const PairTable<Force>& pairs, int i) {
  using Real = typename P::Real;
  const auto here = state.position(i);
  const auto velocity = state.velocity(i);
  const Real cutoff2 = static_cast<Real>(pairs.cutoff * pairs.cutoff);
  PairSum<Real, Observe> sum;
  const int size = state.neighbors.size(i);
  for (int k = 0; k < size; ++k) {
    const int j = state.neighbors.entries(state.neighbors.at(i, k));
    const auto there = state.position(j);
    const Vec3<Real> r = separation<Real>(here, there, state.tick);
    const Real distance2 = r.x * r.x + r.y * r.y + r.z * r.z;
    if (distance2 >= cutoff2) continue;
    PairInput<Real> input{distance2, Real(0), here.signature, there.signature};
    u32 species = 0;
    if constexpr (Force::usesVelocity || !OneSpecies) {
      const auto v = state.velocity(j);
      input.rDotV = r.x * (Real(velocity.x) - Real(v.x)) + r.y * (Real(velocity.y) - Real(v.y)) +
                    r.z * (Real(velocity.z) - Real(v.z));
      species = v.species;
    }
    const auto term = Force::evaluate(OneSpecies ? pairs.only : pairs.table(velocity.species * pairs.species + species), input);
    const Vec3<Real> f{term.forceOverR * r.x, term.forceOverR * r.y, term.forceOverR * r.z};
    sum.force.x += f.x, sum.force.y += f.y, sum.force.z += f.z;
    if constexpr (Observe) sum.addPair(r, f, term.energy);
  }
  return sum;
}

template <class P, class Force, bool OneSpecies, bool Observe>
KOKKOS_INLINE_FUNCTION PairSum<typename P::Real, Observe> sumRow(const PairState<P>& state,
                                                                const PairTable<Force>& pairs, int i) {
  return sumRowScalar<P, Force, OneSpecies, Observe>(state, pairs, i);
}

}  // namespace mesowarp::backend
