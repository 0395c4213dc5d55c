// One particle's row of pair forces on a GPU thread, pair by pair, its loads ahead of their use. Core entries come
// first and are evaluated without a test: nearly all are in range, and a force is zero beyond its cutoff. Of the skin's
// entries few are: a thread keeps the one it finds until the next turns up or the row ends, so that the threads of a
// warp evaluate these rare pairs together; right after a build none is. In small systems neighbouring threads share a
// particle, each taking every so-many-th entry.
#pragma once

#include "device/lane_totals_gpu.hpp"
#include "kernels/pairs/own_values.hpp"
#include "kernels/pairs/pair_state.hpp"
#include "kernels/pairs/particle_blocks.hpp"

namespace mesowarp::backend {

template <class Kernel, bool Observe>
struct PairRow {
  using P = typename Kernel::P;
  using Force = typename Kernel::Force;
  using Sum = typename Kernel::Sum;
  using Real = typename P::Real;
  using Coord = typename P::Coord;
  static constexpr bool oneSpecies = Kernel::oneSpecies;
  static constexpr int ownReads = Force::Reads::Own::width;

  const PairState<P>& state;
  const CoefficientTable<Force>& pairs;
  const OwnReads<Force>& reads;
  PairPosition<Coord> here;
  PairVelocity<typename P::Store> velocity;
  OwnNumbers<Real, ownReads> own;
  PairSum<Sum, Observe, Force::Sums::Own::width> sum;

  KOKKOS_FORCEINLINE_FUNCTION PairRow(const Kernel& kernel, int i)
      : state(kernel.state), pairs(kernel.pairs), reads(kernel.reads), here(state.position(i)),
        velocity(state.velocity(i)) {
    if constexpr (ownReads > 0) reads.load(i, own.number);
  }

  KOKKOS_FORCEINLINE_FUNCTION void addPair(int j) { addPair(j, state.position(j)); }

  KOKKOS_FORCEINLINE_FUNCTION void addPair(int j, const PairPosition<Coord>& there) {
    const Vec3<Real> r = separation<Real>(here, there, state.tick);
    Vec3<Real> relative{};
    u32 species = 0;
    if constexpr (Force::Reads::velocity || !oneSpecies) {
      const auto v = state.velocity(j);
      relative = {Real(velocity.x) - Real(v.x), Real(velocity.y) - Real(v.y), Real(velocity.z) - Real(v.z)};
      species = v.species;
    }
    const auto& coefficients = oneSpecies ? pairs.only : pairs.table[velocity.species * pairs.species + species];
    const auto input = pairInput<Force>(r, relative, here.signature, there.signature);
    if constexpr (ownReads > 0) {
      PairInputOf<Force, Real> all;
      static_cast<PairInput<Real>&>(all) = input;
      for (int c = 0; c < ownReads; ++c) all.ownI[c] = own.number[c];
      reads.load(j, all.ownJ);
      add(evaluatePair<Force>(pairs, coefficients, all), r);
    } else {
      add(evaluatePair<Force>(pairs, coefficients, input), r);
    }
  }
  KOKKOS_FORCEINLINE_FUNCTION void add(const PairTermOf<Force, Real>& term, const Vec3<Real>& r) {
    if constexpr (Force::Sums::force) sum.add(term.forceOverR, term.energy, r);
    if constexpr (Force::Sums::Own::width > 0) sum.addOwn(term.own);
  }

  // In single precision, rounded outwards.
  KOKKOS_FORCEINLINE_FUNCTION bool inRange(const PairPosition<Coord>& there, const Ticks<float>& tick,
                                           float cutoff2) const {
    const Vec3<float> r = separation<float>(here, there, tick);
    return dot(r, r, 0.0f) < cutoff2;
  }
};

// A row's entries as particles. Behind the row's end lies anything: an index made from it is forced into range, and
// what is loaded from there is thrown away.
struct RowEntries {
  const int* entry;
  int stride;
  u32 last;  // particle

  KOKKOS_FORCEINLINE_FUNCTION int operator[](int k) const {
    return static_cast<int>(valid(static_cast<u32>(entry[k * stride])));
  }
  KOKKOS_FORCEINLINE_FUNCTION void advance(int entries) { entry += entries * stride; }

private:
  KOKKOS_FORCEINLINE_FUNCTION u32 valid(u32 j) const { return j < last ? j : last; }
};

// The core. Loads run ahead of their use; two entries a turn leave them in registers that nothing has to be moved out
// of, since a move waits for the load, but take registers that double arithmetic does not have.
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

// The entries of a row in tiles, where the accumulators want that.
template <class Particle>
KOKKOS_FORCEINLINE_FUNCTION void sumEntries(Particle& particle, RowEntries row, int core, int size) {
  if constexpr (summedInTiles<typename Particle::Sum>) {
#pragma unroll 1
    for (int done = 0; done < size; done += mostTerms) {
      const int count = size - done < mostTerms ? size - done : mostTerms;
      const int ofCore = core - done < 0 ? 0 : core - done < count ? core - done : count;
      sumCore(particle, row, ofCore);
      row.advance(ofCore);
      sumSkin(particle, row, count - ofCore);
      row.advance(count - ofCore);
      particle.sum.endTile();
    }
  } else {
    sumCore(particle, row, core);
    row.advance(core);
    sumSkin(particle, row, size - core);
  }
}

template <class Kernel, bool Observe>
using TotalsOf = PairTotals<typename Kernel::Sum::Total, Observe, Kernel::Force::Sums::Own::width>;

// The sums of row i by `lanes` threads, of which this one is `lane`; each of them has the result. Lanes: their number
// where it is known to the compiler, or 0.
template <class Kernel, bool Observe, int Lanes>
KOKKOS_INLINE_FUNCTION TotalsOf<Kernel, Observe> sumRow(const Kernel& kernel, int i, int lane, int lanes = Lanes) {
  const auto& state = kernel.state;
  NeighborRow row = state.neighbors.row(i);
  if (state.fresh) row.size = row.core;
  if constexpr (Lanes != 1) {
    row.first += lane * row.stride;
    row.stride *= lanes;
    row.size = (row.size - lane + lanes - 1) / lanes;
    row.core = (row.core - lane + lanes - 1) / lanes;
  }
  PairRow<Kernel, Observe> particle(kernel, i);
  sumEntries(particle,
             RowEntries{state.neighbors.entries.data() + row.first, row.stride,
                        static_cast<u32>(state.position.extent(0)) - 1},
             row.core, row.size);
  auto totals = particle.sum.totals();
  for (int d = 1; d < lanes; d *= 2)
    for (auto& total : totals.channel) mergeLane(total, d);
  return totals;
}

// A PairKernel over threads, one a particle and Threads a block of particles. Threads of a warp that have no particle
// must not leave before the others: the range is a multiple of Threads. Those behind the last particle walk its row
// once more, for the warp to stay together.
template <class Kernel, int Threads>
struct PairThreads {
  Kernel kernel;
  ParticleBlocks blocks;

  KOKKOS_INLINE_FUNCTION void operator()(int thread) const {
    if (kernel.state.guard.stops()) return;
    const int number = blocks.block(thread / Threads) * Threads + thread % Threads;
    const int i = number < blocks.particles ? number : blocks.particles - 1;
    const auto totals = sumRow<Kernel, false, 1>(kernel, i, 0);
    if (number == i) {
      kernel.sums.close(i, totals.own(), kernel.state);
      kernel.epilogue(i, totals.force(), kernel.epilogue.prepare(i));
    }
    blocks.passGate(thread / Threads);
  }
};

// In an observed step, `lanes` neighbouring threads a particle, whose first one runs the epilogue: one kernel for all
// their numbers, since such steps are few.
template <class Kernel, int Threads>
struct ObservedPairs {
  Kernel kernel;
  ParticleBlocks blocks;
  int lanes;
  double* virial;

  KOKKOS_INLINE_FUNCTION void operator()(int thread, ThermoSums& sums) const {
    if (kernel.state.guard.stops()) return;
    const int number = blocks.block(thread / Threads) * (Threads / lanes) + thread % Threads / lanes;
    const int i = number < blocks.particles ? number : blocks.particles - 1;
    const auto totals = sumRow<Kernel, true, 0>(kernel, i, thread % lanes, lanes);
    if (thread % lanes != 0 || number != i) return;
    totals.addTo(sums, kernel.unit, kernel.grid);
    if (virial != nullptr) totals.addVirialTo(virial + 6 * static_cast<std::size_t>(i), kernel.unit);
    kernel.sums.close(i, totals.own(), kernel.state);
    kernel.epilogue(i, totals.force(), kernel.epilogue.prepare(i), sums);
  }
};

// For small systems, `Lanes` neighbouring threads a particle: a block collects its particles' forces in shared memory,
// so that the epilogue runs in whole warps.
template <class Kernel, int Lanes, int Threads>
struct PairBlocks {
  using Force = Vec3<typename Kernel::Sum::Total>;
  static constexpr int rows = Threads / Lanes;
  static constexpr std::size_t sharedBytes = rows * sizeof(Force);
  Kernel kernel;
  ParticleBlocks blocks;

  __device__ void operator()(char* sharedMemory) const {
    if (kernel.state.guard.stops()) return;
    step(reinterpret_cast<Force*>(sharedMemory));
    blocks.passGate(static_cast<int>(blockIdx.x));
  }

private:
  __device__ void step(Force* force) const {
    const int t = static_cast<int>(threadIdx.x), first = blocks.block(static_cast<int>(blockIdx.x)) * rows;
    const int number = first + t / Lanes, i = number < blocks.particles ? number : blocks.particles - 1;
    const auto totals = sumRow<Kernel, false, Lanes>(kernel, i, t % Lanes);
    if (t % Lanes == 0) force[t / Lanes] = totals.force();
    if (t % Lanes == 0 && number == i) kernel.sums.close(i, totals.own(), kernel.state);
    __syncthreads();
    if (t < rows && first + t < blocks.particles)
      kernel.epilogue(first + t, force[t], kernel.epilogue.prepare(first + t));
  }
};

}  // namespace mesowarp::backend
