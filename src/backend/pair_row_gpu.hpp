// One particle's row of pair forces on a GPU thread. Core entries come first and are evaluated without a test: nearly all
// are in range, and a force is zero beyond its cutoff. Of the skin's entries few are: a thread keeps the one it finds until
// the others of its warp have theirs, so that they evaluate together. In small systems a few neighbouring threads share a
// particle, each taking every so-many-th entry.
#pragma once

#include "backend/pair_state.hpp"

namespace mesowarp::backend {

// a . b + c, contracted as written: the compiler may not (cmake/MesowarpCompiler.cmake).
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION Real dot(const Vec3<Real>& a, const Vec3<Real>& b, Real c) {
  return math::fusedMultiplyAdd(a.x, b.x, math::fusedMultiplyAdd(a.y, b.y, math::fusedMultiplyAdd(a.z, b.z, c)));
}

template <class P, class Force, bool OneSpecies, bool Observe>
struct PairRow {
  using Real = typename P::Real;
  using Coord = typename P::Coord;

  const PairState<P>& state;
  const PairTable<Force>& pairs;
  PairPosition<Coord> here;
  PairVelocity<typename P::Store> velocity;
  PairSum<Real, Observe> sum{};

  KOKKOS_FORCEINLINE_FUNCTION PairRow(const PairState<P>& state_, const PairTable<Force>& pairs_, int i)
      : state(state_), pairs(pairs_), here(state.position(i)), velocity(state.velocity(i)) {}

  KOKKOS_FORCEINLINE_FUNCTION void addPair(int j) { addPair(j, state.position(j)); }

  KOKKOS_FORCEINLINE_FUNCTION void addPair(int j, const PairPosition<Coord>& there) {
    const Vec3<Real> r = separation<Real>(here, there, state.tick);
    PairInput<Real> input{dot(r, r, Real(1e-24)), Real(0), here.signature, there.signature};
    u32 species = 0;
    if constexpr (Force::usesVelocity || !OneSpecies) {
      const auto v = state.velocity(j);
      const Vec3<Real> relative{Real(velocity.x) - Real(v.x), Real(velocity.y) - Real(v.y), Real(velocity.z) - Real(v.z)};
      input.rDotV = dot(r, relative, Real(0));
      species = v.species;
    }
    const auto term = Force::evaluate(OneSpecies ? pairs.only : pairs.table(velocity.species * pairs.species + species), input);
    sum.force.x = math::fusedMultiplyAdd(term.forceOverR, r.x, sum.force.x);
    sum.force.y = math::fusedMultiplyAdd(term.forceOverR, r.y, sum.force.y);
    sum.force.z = math::fusedMultiplyAdd(term.forceOverR, r.z, sum.force.z);
    if constexpr (Observe)
      sum.addPair(r, {term.forceOverR * r.x, term.forceOverR * r.y, term.forceOverR * r.z}, term.energy);
  }

  // In single precision, rounded outwards.
  KOKKOS_FORCEINLINE_FUNCTION bool inRange(const PairPosition<Coord>& there, const Ticks<float>& tick, float cutoff2) const {
    const Vec3<float> r = separation<float>(here, there, tick);
    return dot(r, r, 0.0f) < cutoff2;
  }
};

// Walks a row with its loads ahead of their use: the index two entries ahead, the position one ahead. Behind the row's end
// it loads whatever lies there, and throws it away.
template <class Coord>
struct RowWalk {
  const DeviceArray<PairPosition<Coord>>& position;
  const int* entry;
  int stride, next, afterNext;
  u32 last;  // particle
  PairPosition<Coord> there;

  KOKKOS_FORCEINLINE_FUNCTION RowWalk(const DeviceArray<PairPosition<Coord>>& position_, const int* first, int stride_)
      : position(position_), entry(first + 2 * stride_), stride(stride_), afterNext(first[stride_]),
        last(static_cast<u32>(position_.extent(0)) - 1) {
    load(*first);
  }

  KOKKOS_FORCEINLINE_FUNCTION void load(int j) {
    next = static_cast<int>(static_cast<u32>(j) < last ? static_cast<u32>(j) : last);
    there = position(next);
  }
  // Index and position of the next entry.
  KOKKOS_FORCEINLINE_FUNCTION int step(PairPosition<Coord>& at) {
    const int j = next;
    at = there;
    const int ahead = *entry;
    load(afterNext);
    afterNext = ahead;
    entry += stride;
    return j;
  }
};

// The part of row i that thread `lane` of `Lanes` takes.
template <class P, class Force, bool OneSpecies, bool Observe, int Lanes>
KOKKOS_INLINE_FUNCTION PairSum<typename P::Real, Observe> sumRow(const PairState<P>& state,
                                                                const PairTable<Force>& pairs, int i, int lane) {
  NeighborRow row = state.neighbors.row(i);
  if constexpr (Lanes > 1) {
    row.first += lane * row.stride;
    row.stride *= Lanes;
    row.size = (row.size - lane + Lanes - 1) / Lanes;
    row.core = (row.core - lane + Lanes - 1) / Lanes;
  }
  PairRow<P, Force, OneSpecies, Observe> particle(state, pairs, i);
  RowWalk<typename P::Coord> walk(state.position, state.neighbors.entries.data() + row.first, row.stride);
  PairPosition<typename P::Coord> there;
#pragma unroll 1
  for (int k = 0; k < row.core; ++k) {
    const int j = walk.step(there);
    particle.addPair(j, there);
  }
  const Ticks<float> tick{static_cast<float>(state.tick.x), static_cast<float>(state.tick.y),
                          static_cast<float>(state.tick.z)};
  const float cutoff2 = static_cast<float>(pairs.cutoff) * static_cast<float>(pairs.cutoff) * (1.0f + 1e-5f);
  int kept = -1;
#pragma unroll 1
  for (int k = row.core; k < row.size; ++k) {
    const int j = walk.step(there);
    if (!particle.inRange(there, tick, cutoff2)) continue;
    if (kept >= 0) particle.addPair(kept);
    kept = j;
  }
  if (kept >= 0) particle.addPair(kept);
  return particle.sum;
}

template <int Lanes, class Real>
KOKKOS_INLINE_FUNCTION Real sumOverLanes(Real value) {
#ifdef __CUDA_ARCH__
  for (int d = 1; d < Lanes; d *= 2) value += __shfl_xor_sync(0xFFFFFFFFu, value, d, Lanes);
#endif
  return value;
}

// A PairKernel over threads, `Lanes` neighbouring ones a particle; the first of them runs the epilogue. Threads of a warp
// that have no particle must not leave before the others: the range is a multiple of the warp (see runPairs()).
template <class Kernel, int Lanes>
struct PairLanes {
  using P = typename Kernel::P;
  using Real = typename P::Real;
  Kernel kernel;
  int particles;

  KOKKOS_INLINE_FUNCTION void operator()(int thread) const {
    if (kernel.state.neighbors.missing()) return;
    const auto share = shareOf<false>(thread);
    if (share.there && share.first) kernel.epilogue(share.i, share.force, kernel.epilogue.prepare(share.i));
  }
  KOKKOS_INLINE_FUNCTION void operator()(int thread, ThermoSums& sums) const {
    if (kernel.state.neighbors.missing()) return;
    const auto share = shareOf<true>(thread);
    if (!share.there) return;
    share.sum.addTo(sums);
    if (share.first) kernel.epilogue(share.i, share.force, kernel.epilogue.prepare(share.i), sums);
  }

 private:
  template <bool Observe>
  struct Share {
    int i;
    bool there, first;  // a particle; this thread is its first
    PairSum<Real, Observe> sum;  // this thread's part
    Vec3<Real> force;            // the whole
  };
  template <bool Observe>
  KOKKOS_FORCEINLINE_FUNCTION Share<Observe> shareOf(int thread) const {
    const int i = thread / Lanes, lane = thread % Lanes;
    const int mine = i < particles ? i : particles - 1;
    const auto sum = sumRow<P, typename Kernel::Force, Kernel::oneSpecies, Observe, Lanes>(kernel.state, kernel.pairs, mine, lane);
    return {i, i < particles, lane == 0, sum,
            {sumOverLanes<Lanes>(sum.force.x), sumOverLanes<Lanes>(sum.force.y), sumOverLanes<Lanes>(sum.force.z)}};
  }
};

}  // namespace mesowarp::backend
