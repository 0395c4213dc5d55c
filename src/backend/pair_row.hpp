// One particle's row of pair forces. On a GPU a thread walks the row, one pair at a time. On a CPU the pairs in range
// are first compressed into a buffer, then the same force code runs on several of them side by side, vectorised by the
// compiler; lane sums are added in a fixed order, so the result does not depend on how it was compiled into vectors.
#pragma once

#include <type_traits>

#include "backend/config.hpp"
#include "core/box.hpp"
#include "core/neighbor_list.hpp"
#include "core/pair_force.hpp"
#include "core/sums.hpp"

namespace mesowarp {

// What the traversal reads.
template <class P>
struct PairState {
  DeviceArray<PairPosition<typename P::Coord>> position;
  DeviceArray<PairVelocity<typename P::Store>> velocity;
  NeighborTable neighbors;
  Ticks<typename P::Real> tick;
};

namespace backend {

template <class Real, class Coord>
KOKKOS_INLINE_FUNCTION Vec3<Real> separation(const PairPosition<Coord>& i, const PairPosition<Coord>& j,
                                             const Ticks<Real>& tick) {
  return {static_cast<Real>(static_cast<Signed<Coord>>(i.x - j.x)) * tick.x,
          static_cast<Real>(static_cast<Signed<Coord>>(i.y - j.y)) * tick.y,
          static_cast<Real>(static_cast<Signed<Coord>>(i.z - j.z)) * tick.z};
}

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

// Pairs of one particle that are in range, as structure of arrays. 32-bit separations wait in ticks, since their
// conversion vectorises; 64-bit ones are converted on the way in.
template <class P>
struct PairBuffer {
  using Separation = std::conditional_t<sizeof(typename P::Coord) == 8, double, i32>;
  static constexpr int capacity = 192;
  static constexpr int padded = capacity + 16;
  alignas(64) Separation x[padded], y[padded], z[padded];
  alignas(64) typename P::Store vx[padded], vy[padded], vz[padded];
  alignas(64) u32 signature[padded], species[padded];
  alignas(64) int index[padded];
};

template <class P, int W>
inline int compressRow(const PairState<P>& state, const int* row, int size, int i, float cutoff2,
                       const Ticks<float>& tick, PairBuffer<P>& b) {
  using S = Signed<typename P::Coord>;
  using Separation = typename PairBuffer<P>::Separation;
  const PairPosition<typename P::Coord>* position = state.position.data();
  const auto here = position[i];
  int n = 0;
  for (int k = 0; k < size; ++k) {
    const int j = row[k];
    const auto there = position[j];
    const S x = static_cast<S>(here.x - there.x), y = static_cast<S>(here.y - there.y), z = static_cast<S>(here.z - there.z);
    const float fx = static_cast<float>(x) * tick.x, fy = static_cast<float>(y) * tick.y, fz = static_cast<float>(z) * tick.z;
    b.x[n] = static_cast<Separation>(x), b.y[n] = static_cast<Separation>(y), b.z[n] = static_cast<Separation>(z);
    b.signature[n] = there.signature;
    b.index[n] = j;
    n += fx * fx + fy * fy + fz * fz < cutoff2;  // rounded outwards: the force itself is exactly zero beyond its cutoff
  }
  const auto* velocity = state.velocity.data();
  for (int k = 0; k < n; ++k) {
    const auto v = velocity[b.index[k]];
    b.vx[k] = v.x, b.vy[k] = v.y, b.vz[k] = v.z, b.species[k] = v.species;
  }
  for (int k = n; k < n + W; ++k) {  // pad with pairs out of range
    b.x[k] = b.y[k] = b.z[k] = static_cast<Separation>(S{1} << (8 * sizeof(S) - 2));
    b.vx[k] = b.vy[k] = b.vz[k] = 0;
    b.signature[k] = b.species[k] = 0;
  }
  return n;
}

template <class P, class Force, bool OneSpecies, bool Observe>
PairSum<typename P::Real, Observe> sumRowVectorised(const PairState<P>& state, const PairTable<Force>& pairs, int i) {
  using Real = typename P::Real;
  constexpr int W = lanes<Real>;
  constexpr int channels = Observe ? 10 : 3;  // force, energy, virial
  PairBuffer<P> b;
  alignas(64) Real lane[channels][W] = {};
  alignas(64) Real term[channels][W];
  const auto here = state.position(i);
  const auto velocity = state.velocity(i);
  const Real ux = velocity.x, uy = velocity.y, uz = velocity.z;
  const Ticks<Real> tick = state.tick;
  const Ticks<float> tickFloat{static_cast<float>(tick.x), static_cast<float>(tick.y), static_cast<float>(tick.z)};
  const float cutoff2 = static_cast<float>(pairs.cutoff * pairs.cutoff * (1.0 + 1e-5));
  const auto* coefficients = pairs.table.data() + velocity.species * pairs.species;
  const int* row = &state.neighbors.entries(state.neighbors.at(i, 0));
  const int size = state.neighbors.size(i);
  for (int first = 0; first < size; first += PairBuffer<P>::capacity) {
    const int part = size - first < PairBuffer<P>::capacity ? size - first : PairBuffer<P>::capacity;
    const int n = compressRow<P, W>(state, row + first, part, i, cutoff2, tickFloat, b);
    for (int k = 0; k < n; k += W) {
#pragma omp simd
      for (int l = 0; l < W; ++l) {
        const Real x = static_cast<Real>(b.x[k + l]) * tick.x, y = static_cast<Real>(b.y[k + l]) * tick.y,
                   z = static_cast<Real>(b.z[k + l]) * tick.z;
        PairInput<Real> input{x * x + y * y + z * z, Real(0), here.signature, b.signature[k + l]};
        if constexpr (Force::usesVelocity)
          input.rDotV = x * (ux - Real(b.vx[k + l])) + y * (uy - Real(b.vy[k + l])) + z * (uz - Real(b.vz[k + l]));
        const auto t = Force::evaluate(OneSpecies ? pairs.only : coefficients[b.species[k + l]], input);
        term[0][l] = t.forceOverR * x, term[1][l] = t.forceOverR * y, term[2][l] = t.forceOverR * z;
        if constexpr (Observe) {
          term[3][l] = t.energy;
          term[4][l] = x * (t.forceOverR * x), term[5][l] = y * (t.forceOverR * y), term[6][l] = z * (t.forceOverR * z);
          term[7][l] = x * (t.forceOverR * y), term[8][l] = x * (t.forceOverR * z), term[9][l] = y * (t.forceOverR * z);
        }
      }
      for (int c = 0; c < channels; ++c) {
#pragma omp simd
        for (int l = 0; l < W; ++l) lane[c][l] += term[c][l];
      }
    }
  }
  Real total[channels];
  for (int c = 0; c < channels; ++c) {
    total[c] = lane[c][0];
    for (int l = 1; l < W; ++l) total[c] += lane[c][l];
  }
  PairSum<Real, Observe> sum;
  sum.force = {total[0], total[1], total[2]};
  if constexpr (Observe) {
    sum.energy = Real(0.5) * total[3];
    for (int c = 0; c < 6; ++c) sum.virial[c] = Real(0.5) * total[4 + c];
  }
  return sum;
}

template <class P, class Force, bool OneSpecies, bool Observe>
KOKKOS_INLINE_FUNCTION PairSum<typename P::Real, Observe> sumRow(const PairState<P>& state,
                                                                const PairTable<Force>& pairs, int i) {
#ifdef KOKKOS_ENABLE_CUDA
  return sumRowScalar<P, Force, OneSpecies, Observe>(state, pairs, i);
#else
  return sumRowVectorised<P, Force, OneSpecies, Observe>(state, pairs, i);
#endif
}

}  // namespace backend
}  // namespace mesowarp
