// One particle's row of pair forces on a GPU thread. Core entries come first and are evaluated without a test: nearly all
// are in range, and a force is zero beyond its cutoff. Of the skin's entries few are: a thread keeps the one it finds until
// the others of its warp have theirs, so that they evaluate together; right after a build none is. In small systems
// neighbouring threads share a particle, each taking every so-many-th entry.
#pragma once

#include "backend/pair_state.hpp"
#include "backend/particle_blocks.hpp"

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

// A row's entries as particles. Behind the row's end lies anything: an index made from it is forced into range, and what is
// loaded from there is thrown away.
struct RowEntries {
  const int* entry;
  int stride;
  u32 last;  // particle

  KOKKOS_FORCEINLINE_FUNCTION int operator[](int k) const { return static_cast<int>(valid(static_cast<u32>(entry[k * stride]))); }
  KOKKOS_FORCEINLINE_FUNCTION void advance(int entries) { entry += entries * stride; }

 private:
  KOKKOS_FORCEINLINE_FUNCTION u32 valid(u32 j) const { return j < last ? j : last; }
};

// The core. Loads run ahead of their use; two entries a turn leave them in registers that nothing has to be moved out of,
// since a move waits for the load, but take registers that double arithmetic does not have.
template <class Particle>
KOKKOS_FORCEINLINE_FUNCTION void sumCore(Particle& particle, RowEntries row, int count) {
  if (count <= 0) return;
  if constexpr (sizeof(typename Particle::Real) == 8) {
    int next = row[0], afterNext = row[1];
    auto ahead = particle.state.position(next);
#pragma unroll 1
    for (int k = 0; k < count; ++k) {
      const int j = next;
      const auto there = ahead;
      row.advance(1);
      next = afterNext;
      ahead = particle.state.position(next);
      afterNext = row[1];
      particle.addPair(j, there);
    }
    return;
  }
  int first = row[0], second = row[1];
  auto here = particle.state.position(first);
#pragma unroll 1
  for (int k = 0; k < count; k += 2) {
    row.advance(2);
    const int nextFirst = row[0], nextSecond = row[1];
    const auto there = particle.state.position(second);
    particle.addPair(first, here);
    here = particle.state.position(nextFirst);
    if (k + 1 < count) particle.addPair(second, there);
    first = nextFirst, second = nextSecond;
  }
}

// The skin, four entries a turn, for their positions to be under way together.
template <class Particle>
KOKKOS_FORCEINLINE_FUNCTION void sumSkin(Particle& particle, RowEntries row, int count) {
  using Position = typename std::remove_cvref_t<decltype(particle.state)>::Position;
  constexpr int batch = 4;
  if (count <= 0) return;
  const auto& t = particle.state.tick;
  const Ticks<float> tick{static_cast<float>(t.x), static_cast<float>(t.y), static_cast<float>(t.z)};
  const float cutoff = static_cast<float>(particle.pairs.cutoff), cutoff2 = cutoff * cutoff * (1.0f + 1e-5f);
  int next[batch];
#pragma unroll
  for (int b = 0; b < batch; ++b) next[b] = row[b];
  int kept = -1;
#pragma unroll 1
  for (int k = 0; k < count; k += batch) {
    int j[batch];
    Position there[batch];
#pragma unroll
    for (int b = 0; b < batch; ++b) j[b] = next[b], there[b] = particle.state.position(j[b]);
    row.advance(batch);
#pragma unroll
    for (int b = 0; b < batch; ++b) next[b] = row[b];
    u32 hits = 0;
#pragma unroll
    for (int b = 0; b < batch; ++b) hits |= (k + b < count && particle.inRange(there[b], tick, cutoff2) ? 1u : 0u) << b;
#pragma unroll 1
    for (; hits != 0; hits &= hits - 1) {
      if (kept >= 0) particle.addPair(kept);
      kept = hits & 1 ? j[0] : hits & 2 ? j[1] : hits & 4 ? j[2] : j[3];
    }
  }
  if (kept >= 0) particle.addPair(kept);
}

// The part of row i that thread `lane` of `Lanes` takes.
template <class P, class Force, bool OneSpecies, bool Observe, int Lanes>
KOKKOS_INLINE_FUNCTION PairSum<typename P::Real, Observe> sumRow(const PairState<P>& state,
                                                                const PairTable<Force>& pairs, int i, int lane) {
  NeighborRow row = state.neighbors.row(i);
  if (state.fresh) row.size = row.core;
  if constexpr (Lanes > 1) {
    row.first += lane * row.stride;
    row.stride *= Lanes;
    row.size = (row.size - lane + Lanes - 1) / Lanes;
    row.core = (row.core - lane + Lanes - 1) / Lanes;
  }
  PairRow<P, Force, OneSpecies, Observe> particle(state, pairs, i);
  RowEntries entries{state.neighbors.entries.data() + row.first, row.stride,
                     static_cast<u32>(state.position.extent(0)) - 1};
  sumCore(particle, entries, row.core);
  entries.advance(row.core);
  sumSkin(particle, entries, row.size - row.core);
  return particle.sum;
}

template <int Lanes, class Real>
KOKKOS_INLINE_FUNCTION Real sumOverLanes(Real value) {
#ifdef __CUDA_ARCH__
  for (int d = 1; d < Lanes; d *= 2) value += __shfl_xor_sync(0xFFFFFFFFu, value, d, Lanes);
#endif
  return value;
}

// What thread `lane` of `Lanes` knows of row i: its own part, and the force on the particle.
template <class Kernel, bool Observe, int Lanes>
struct RowShare {
  using Real = typename Kernel::Real;
  PairSum<Real, Observe> part;
  Vec3<Real> force;

  KOKKOS_FORCEINLINE_FUNCTION RowShare(const Kernel& kernel, int i, int lane)
      : part(sumRow<typename Kernel::P, typename Kernel::Force, Kernel::oneSpecies, Observe, Lanes>(kernel.state, kernel.pairs, i,
                                                                                                  lane)),
        force{sumOverLanes<Lanes>(part.force.x), sumOverLanes<Lanes>(part.force.y), sumOverLanes<Lanes>(part.force.z)} {}
};

// A PairKernel over threads, `Lanes` neighbouring ones a particle and Threads a block of particles; the first of them runs the
// epilogue. Threads of a warp that have no particle must not leave before the others: the range is a multiple of Threads.
template <class Kernel, int Lanes, int Threads>
struct PairLanes {
  static constexpr int rows = Threads / Lanes;
  Kernel kernel;
  ParticleBlocks blocks;

  KOKKOS_INLINE_FUNCTION void operator()(int thread) const {
    if (kernel.state.neighbors.missing()) return;
    const int number = numberOf(thread), i = existing(number);
    const RowShare<Kernel, false, Lanes> share(kernel, i, thread % Lanes);
    if (thread % Lanes == 0 && number == i) kernel.epilogue(i, share.force, kernel.epilogue.prepare(i));
  }
  KOKKOS_INLINE_FUNCTION void operator()(int thread, ThermoSums& sums) const {
    if (kernel.state.neighbors.missing()) return;
    const int number = numberOf(thread), i = existing(number);
    const RowShare<Kernel, true, Lanes> share(kernel, i, thread % Lanes);
    if (number != i) return;
    share.part.addTo(sums);
    if (thread % Lanes == 0) kernel.epilogue(i, share.force, kernel.epilogue.prepare(i), sums);
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION int numberOf(int thread) const {
    return blocks.block(thread / Threads) * rows + thread % Threads / Lanes;
  }
  // Threads behind the last particle walk its row once more, for the warp to stay together.
  KOKKOS_FORCEINLINE_FUNCTION int existing(int number) const { return number < blocks.particles ? number : blocks.particles - 1; }
};

// The same for small systems: a block collects its particles' forces in shared memory, so that the epilogue runs in whole
// warps.
template <class Kernel, int Lanes, int Threads>
struct PairBlocks {
  using Real = typename Kernel::Real;
  static constexpr int rows = Threads / Lanes;
  static constexpr std::size_t sharedBytes = rows * sizeof(Vec3<Real>);
  Kernel kernel;
  ParticleBlocks blocks;

  __device__ void operator()(char* sharedMemory) const {
    if (kernel.state.neighbors.missing()) return;
    auto* force = reinterpret_cast<Vec3<Real>*>(sharedMemory);
    const int t = static_cast<int>(threadIdx.x), first = blocks.block(static_cast<int>(blockIdx.x)) * rows;
    const int i = first + t / Lanes < blocks.particles ? first + t / Lanes : blocks.particles - 1;
    const RowShare<Kernel, false, Lanes> share(kernel, i, t % Lanes);
    if (t % Lanes == 0) force[t / Lanes] = share.force;
    __syncthreads();
    if (t < rows && first + t < blocks.particles)
      kernel.epilogue(first + t, force[t], kernel.epilogue.prepare(first + t));
  }
};

}  // namespace mesowarp::backend
