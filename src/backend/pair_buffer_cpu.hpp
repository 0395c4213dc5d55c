// Pairs in range of a block of particles on a CPU core, side by side in a buffer: filling it from the neighbour rows, and
// summing what came out for each row.
#pragma once

#include <type_traits>

#include "backend/pair_state.hpp"
#include "backend/simd_cpu.hpp"

namespace mesowarp::backend {

// Structure of arrays of pairs. r_i - r_j is kept as integers where they have 32 bits and converted in vectors later.
template <class P, int Channels>
struct PairBuffer {
  using Coord = typename P::Coord;
  using Store = typename P::Store;
  using Length = std::conditional_t<sizeof(Coord) == 8, double, i32>;
  static constexpr int rowPiece = 256;  // candidates that are added at a time
  static constexpr int capacity = 768, padded = capacity + 16;
  alignas(64) int index[padded];  // of particle j
  alignas(64) Length x[padded], y[padded], z[padded];
  alignas(64) u32 signatureI[padded], signatureJ[padded];
  alignas(64) u32 speciesI[padded], speciesJ[padded];
  alignas(64) Store ux[padded], uy[padded], uz[padded];  // velocity of i
  alignas(64) Store vx[padded], vy[padded], vz[padded];  // velocity of j
  alignas(64) typename P::Real term[Channels][padded];   // result
};

// Distances are compared in single precision, rounded outwards: the force itself is exactly zero beyond its cutoff.
struct RangeTest {
  Ticks<float> tick;  // of the leading 32 bits of a coordinate
  float cutoff2;
  template <class P>
  static RangeTest make(const PairState<P>& state, double cutoff) {
    const double scale = sizeof(typename P::Coord) == 8 ? 0x1p32 : 1.0;
    const double x = state.tick.x * scale, y = state.tick.y * scale, z = state.tick.z * scale;
    const double reach = cutoff + (scale > 1.0 ? x + y + z : 0.0);
    return {{static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)},
            static_cast<float>(reach * reach * (1.0 + 1e-5))};
  }
  template <class S>
  u32 operator()(typename S::Words x, typename S::Words y, typename S::Words z) const {
    const auto length = [](typename S::Words d, float t) {
      return __builtin_convertvector(typename S::Integers(d), typename S::Floats) * t;
    };
    const auto rx = length(x, tick.x), ry = length(y, tick.y), rz = length(z, tick.z);
    return S::less(rx * rx + ry * ry + rz * rz, S::broadcast(cutoff2));
  }
};

// Appends the pairs in range among row[0 .. size) behind the n that the buffer holds; returns how many it holds then.
// Reads indices up to a vector's width behind the row's end.
template <class S, class Buffer>
int appendInRange(const PairPosition<u32>* position, const int* row, int size, const PairPosition<u32>& here,
                  const RangeTest& inRange, Buffer& b, int n) {
  for (int k = 0; k < size; k += S::width) {
    const auto there = S::template load4<sizeof(PairPosition<u32>)>(position, row + k);
    const auto x = here.x - there.word[0], y = here.y - there.word[1], z = here.z - there.word[2];
    const u32 mask = inRange.operator()<S>(x, y, z) & S::first(size - k);
    S::compressStore(b.index + n, S::load(reinterpret_cast<const u32*>(row + k)), mask);
    S::compressStore(b.x + n, x, mask);
    S::compressStore(b.y + n, y, mask);
    S::compressStore(b.z + n, z, mask);
    S::compressStore(b.signatureJ + n, there.word[3], mask);
    n += __builtin_popcount(mask);
  }
  return n;
}

// 64-bit coordinates: the leading words are compared, then the few in range are read again.
template <class S, class Buffer>
int appendInRange(const PairPosition<u64>* position, const int* row, int size, const PairPosition<u64>& here,
                  const RangeTest& inRange, Buffer& b, int n) {
  constexpr int stride = sizeof(PairPosition<u64>);
  const u32 x = here.x >> 32, y = here.y >> 32, z = here.z >> 32;
  int end = n;
  for (int k = 0; k < size; k += S::width) {  // words (little endian): x y | z signature, each low before high
    const auto xy = S::template load4<stride>(position, row + k);
    const auto zs = S::template load4<stride>(&position->z, row + k);
    const u32 mask = inRange.operator()<S>(x - xy.word[1], y - xy.word[3], z - zs.word[1]) & S::first(size - k);
    S::compressStore(b.index + end, S::load(reinterpret_cast<const u32*>(row + k)), mask);
    end += __builtin_popcount(mask);
  }
  for (; n < end; ++n) {
    const auto there = position[b.index[n]];
    b.x[n] = static_cast<double>(static_cast<i64>(here.x - there.x));
    b.y[n] = static_cast<double>(static_cast<i64>(here.y - there.y));
    b.z[n] = static_cast<double>(static_cast<i64>(here.z - there.z));
    b.signatureJ[n] = there.signature;
  }
  return end;
}

// What pairs n to end - 1 have from their particle i; written in whole vectors.
template <bool OneSpecies, class Buffer, class Store>
void fillOwner(Buffer& b, int n, int end, u32 signature, const PairVelocity<Store>& u) {
  for (; n < end; n += 16)
    for (int l = 0; l < 16; ++l) {
      b.signatureI[n + l] = signature;
      if constexpr (!OneSpecies) b.speciesI[n + l] = u.species;
      b.ux[n + l] = u.x, b.uy[n + l] = u.y, b.uz[n + l] = u.z;
    }
}

// Velocities of the partners j of pairs 0 to n - 1 and of as many behind as fill a vector.
template <class S, class Buffer>
void fetchVelocities(const PairVelocity<float>* velocity, Buffer& b, int n) {
  for (int k = 0; k < n; k += S::width) {
    const auto v = S::template load4<sizeof(PairVelocity<float>)>(velocity, b.index + k);
    S::store(b.vx + k, v.word[0]), S::store(b.vy + k, v.word[1]), S::store(b.vz + k, v.word[2]);
    S::store(b.speciesJ + k, v.word[3]);
  }
}
template <class S, class Buffer>
void fetchVelocities(const PairVelocity<double>* velocity, Buffer& b, int n) {
  for (int k = 0; k < n; ++k) {
    const auto v = velocity[b.index[k]];
    b.vx[k] = v.x, b.vy[k] = v.y, b.vz[k] = v.z, b.speciesJ[k] = v.species;
  }
}

// Sums of `count` numbers in each of N arrays, in an order that depends on the count alone: eight lanes side by side, then
// lanes 4 apart, 2 apart, and the last two.
template <int N, class Real, int Padded>
void sumEach(const Real (*term)[Padded], int begin, int count, Real* total) {
  constexpr int W = 8;
  using Integer = std::conditional_t<sizeof(Real) == 8, i64, i32>;
  typedef Real Vector __attribute__((vector_size(W * sizeof(Real))));
  typedef Integer Integers __attribute__((vector_size(W * sizeof(Real))));
  typedef Real Half __attribute__((vector_size(W / 2 * sizeof(Real))));
  constexpr Integers lane{0, 1, 2, 3, 4, 5, 6, 7};
  Vector sum[N] = {};
  for (int k = 0; k < count; k += W) {
    const Integers mask = lane < Integers{} + Integer(count - k);
    for (int c = 0; c < N; ++c) {
      Integers v;
      std::memcpy(&v, term[c] + begin + k, sizeof(v));
      sum[c] += Vector(v & mask);
    }
  }
  for (int c = 0; c < N; ++c) {
    Half half[2];
    std::memcpy(half, &sum[c], sizeof(half));
    const Half four = half[0] + half[1];
    total[c] = (four[0] + four[2]) + (four[1] + four[3]);
  }
}

}  // namespace mesowarp::backend
