// A row of pair forces on a CPU core. The pairs in range are first compressed into a buffer, then the same force code that
// a GPU thread runs on one pair runs on several side by side, vectorised by the compiler. Lane sums are added in a
// fixed order, so the result does not depend on how it was compiled into vectors.
#pragma once

#include <type_traits>

#include "backend/config.hpp"
#include "backend/pair_state.hpp"

namespace mesowarp::backend {

// r_i - r_j in ticks and the difference of the signatures: the difference of two position records, word by word.
// 32-bit separations stay integers until they are converted in vectors; 64-bit ones are converted on the way in.
template <class Coord>
struct Separation {
  std::conditional_t<sizeof(Coord) == 8, double, i32> x, y, z;
  u32 signature;
};

// Pairs of one particle that are in range: records as they are found, then transposed into a structure of arrays.
template <class P>
struct PairBuffer {
  using Length = decltype(Separation<typename P::Coord>::x);
  using Store = typename P::Store;
  static constexpr int capacity = 192;
  static constexpr int padded = capacity + 16;
  alignas(64) Separation<typename P::Coord> pair[padded];
  alignas(64) int index[padded];
  alignas(64) Length x[padded], y[padded], z[padded];
  alignas(64) u32 signature[padded], species[padded];
  alignas(64) Store vx[padded], vy[padded], vz[padded];
};

// Stores the separation and returns its square, in single precision.
inline float storeSeparation(const PairPosition<u32>& here, const PairPosition<u32>& there, const Ticks<float>& tick,
                             Separation<u32>& out) {
  using Words = u32 __attribute__((vector_size(16)));
  using Integers = i32 __attribute__((vector_size(16)));
  using Floats = float __attribute__((vector_size(16)));
  const Words difference = reinterpret_cast<const Words&>(here) - reinterpret_cast<const Words&>(there);
  __builtin_memcpy(&out, &difference, sizeof(out));
  const Floats r = __builtin_convertvector(reinterpret_cast<const Integers&>(difference), Floats) *
                   Floats{tick.x, tick.y, tick.z, 0.0f};
  const Floats squares = r * r;
  return squares[0] + squares[1] + squares[2];
}

inline float storeSeparation(const PairPosition<u64>& here, const PairPosition<u64>& there, const Ticks<float>& tick,
                             Separation<u64>& out) {
  out = {static_cast<double>(static_cast<i64>(here.x - there.x)), static_cast<double>(static_cast<i64>(here.y - there.y)),
         static_cast<double>(static_cast<i64>(here.z - there.z)), here.signature - there.signature};
  const float x = static_cast<float>(out.x) * tick.x, y = static_cast<float>(out.y) * tick.y,
              z = static_cast<float>(out.z) * tick.z;
  return x * x + y * y + z * z;
}

template <class P, int W>
inline int compressRow(const PairState<P>& state, const int* row, int size, const PairPosition<typename P::Coord>& here,
                       float cutoff2, const Ticks<float>& tick, PairBuffer<P>& b) {
  const auto* position = state.position.data();
  const auto* velocity = state.velocity.data();
  int n = 0;
  for (int k = 0; k < size; ++k) {
    const int j = row[k];
    b.index[n] = j;
    // Rounded outwards: the force itself is exactly zero beyond its cutoff.
    n += storeSeparation(here, position[j], tick, b.pair[n]) < cutoff2;
  }
  for (int k = 0; k < n; ++k) {
    const auto v = velocity[b.index[k]];
    b.vx[k] = v.x, b.vy[k] = v.y, b.vz[k] = v.z, b.species[k] = v.species;
  }
  for (int k = 0; k < n; ++k)
    b.x[k] = b.pair[k].x, b.y[k] = b.pair[k].y, b.z[k] = b.pair[k].z, b.signature[k] = here.signature - b.pair[k].signature;
  using Length = typename PairBuffer<P>::Length;
  constexpr int bits = 8 * sizeof(typename P::Coord);
  // Pad with pairs half a period away along each axis: a box is at least two cutoffs wide, so they are out of range.
  for (int k = n; k < n + W; ++k) {
    b.x[k] = b.y[k] = b.z[k] = static_cast<Length>(static_cast<Signed<typename P::Coord>>(typename P::Coord{1} << (bits - 1)));
    b.signature[k] = b.species[k] = 0;
    b.vx[k] = b.vy[k] = b.vz[k] = 0;
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
  const int* row = state.neighbors.entries.data() + state.neighbors.row(i).first;
  const int size = state.neighbors.size(i);
  for (int first = 0; first < size; first += PairBuffer<P>::capacity) {
    const int part = size - first < PairBuffer<P>::capacity ? size - first : PairBuffer<P>::capacity;
    const int n = compressRow<P, W>(state, row + first, part, here, cutoff2, tickFloat, b);
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

}  // namespace mesowarp::backend
