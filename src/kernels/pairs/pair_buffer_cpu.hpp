// Pairs in range of a block of particles on a CPU core, side by side in a buffer, and how it is filled from the
// particles; which pairs these are, row_filter_cpu.hpp finds.
#pragma once

#include <type_traits>

#include "device/pack_cpu.hpp"
#include "device/simd_cpu.hpp"
#include "kernels/pairs/for_each.hpp"
#include "kernels/pairs/pair_owners_cpu.hpp"
#include "kernels/pairs/pair_state.hpp"

namespace mesowarp::backend {

// Which parts of the buffer a force and its coefficients read beside the distance. The others are left as they are.
template <bool Velocity, bool Noise, bool Species>
struct FetchedParts {
  static constexpr bool velocity = Velocity, noise = Noise, species = Species;
  static constexpr bool velocityRecord = Velocity || Species;
};

// Structure of arrays of pairs. r_i - r_j is kept as integers where they have 32 bits and converted in vectors later.
template <class P, class Slot, int Slots>
struct PairBuffer {
  using Coord = typename P::Coord;
  using Store = typename P::Store;
  using Length = std::conditional_t<sizeof(Coord) == 8, double, i32>;
  static constexpr int rowPiece = 256;  // candidates that are added at a time
  static constexpr int capacity = 768, padded = capacity + 32;
  static constexpr int ownersAtOnce = 32;  // what fillOwner() writes at a time
  alignas(64) int index[padded];           // of particle j
  alignas(64) u32 owner[padded];           // place of particle i in the block
  alignas(64) Length x[padded], y[padded], z[padded];
  alignas(64) u32 signatureI[padded], signatureJ[padded];
  alignas(64) u32 speciesI[padded], speciesJ[padded];
  alignas(64) Store ux[padded], uy[padded], uz[padded];  // velocity of i
  alignas(64) Store vx[padded], vy[padded], vz[padded];  // velocity of j
  alignas(64) Slot term[Slots][padded];                  // result, see piece_sums_cpu.hpp

  // Pairs begin to end - 1 are those of a particle i; behind them anything is written, so in ascending order.
  template <class S>
  void fillOwner(int begin, int end, u32 place) {
    const auto places = S::broadcast(place);
    for (int k = begin; k < end; k += ownersAtOnce)
      for (int l = 0; l < ownersAtOnce; l += S::width) S::store(owner + k + l, places);
  }
  // Up to the next multiple of 16 pairs that are copies of the last of n, which nobody sums; returns how many there are
  // then.
  template <class S>
  int pad(int n) {
    if (n == 0) return 0;
    const auto last = S::broadcast(static_cast<u32>(index[n - 1])), place = S::broadcast(owner[n - 1]);
    for (int l = 0; l < 16; l += S::width) S::store(index + n + l, last), S::store(owner + n + l, place);
    return (n + 15) / 16 * 16;
  }
};

// Fills the buffer from the particles of pairs 0 to n - 1; n: a multiple of 16.
template <class S, class Parts, class P, class Buffer>
[[gnu::flatten]] void fetchPairs(const PairState<P>& state, const PairOwners<P>& owners, Buffer& b,
                                 int n) requires(sizeof(typename P::Coord) == 4) {
  for (int k = 0; k < n; k += S::width) {
    const auto p = S::template load4<16>(state.position.data(), b.index + k);
    typename S::Records v;
    if constexpr (Parts::velocityRecord) v = S::template load4<16>(state.velocity.data(), b.index + k);
    const auto owner = S::load(b.owner + k);
    const auto of = [&](const auto* table) { return S::lookup(table, owner); };
    S::store(b.x + k, of(owners.x) - p.word[0]);
    S::store(b.y + k, of(owners.y) - p.word[1]);
    S::store(b.z + k, of(owners.z) - p.word[2]);
    if constexpr (Parts::noise) S::store(b.signatureI + k, of(owners.signature)), S::store(b.signatureJ + k, p.word[3]);
    if constexpr (Parts::species) S::store(b.speciesI + k, of(owners.species)), S::store(b.speciesJ + k, v.word[3]);
    if constexpr (Parts::velocity) {
      S::store(b.ux + k, of(owners.ux)), S::store(b.uy + k, of(owners.uy)), S::store(b.uz + k, of(owners.uz));
      S::store(b.vx + k, v.word[0]), S::store(b.vy + k, v.word[1]), S::store(b.vz + k, v.word[2]);
    }
  }
}
// 64-bit coordinates: records are subtracted and converted as they are, one vector a pair, and transposed by four; not
// gathered, which is slower. Where registers are shorter than a record, number by number.
typedef u64 PairRecord __attribute__((vector_size(32)));
typedef double RecordNumbers __attribute__((vector_size(32)));

#if defined(__AVX2__)
constexpr bool wholeRecords = true;
#else
constexpr bool wholeRecords = false;
#endif

// Signed integers as numbers, rounded as one by one. Without an instruction for that: 2^52 + the lower half, and of the
// upper half, moved up by 2^63, 2^84 + it; both are exact, so that their sum is rounded once.
inline RecordNumbers numbersOf(const PairRecord& x) {
#if defined(__AVX512DQ__) && defined(__AVX512VL__)
  return RecordNumbers(_mm256_maskz_cvtepi64_pd(0xF, __m256i(x)));
#else
  constexpr u64 low = 0x4330000000000000, high = 0x4530000000000000;  // 2^52, 2^84
  const PairRecord upper = (x ^ (u64{1} << 63)) >> 32 | high, lower = (x & u64{0xFFFFFFFF}) | low;
  return (RecordNumbers(upper) - (0x1p84 + 0x1p63 + 0x1p52)) + RecordNumbers(lower);
#endif
}
// The first three numbers of four records.
inline void storeTransposed(const RecordNumbers (&of)[4], double* x, double* y, double* z) {
  const auto put = [](double* to, const RecordNumbers& v) { std::memcpy(to, &v, sizeof(v)); };
  const auto xz01 = shuffled<0, 4, 2, 6>(of[0], of[1]);
  const auto xz23 = shuffled<0, 4, 2, 6>(of[2], of[3]);
  const auto y01 = shuffled<1, 5, 3, 7>(of[0], of[1]);
  const auto y23 = shuffled<1, 5, 3, 7>(of[2], of[3]);
  put(x, shuffled<0, 1, 4, 5>(xz01, xz23));
  put(y, shuffled<0, 1, 4, 5>(y01, y23));
  put(z, shuffled<2, 3, 6, 7>(xz01, xz23));
}
template <class Record>
PairRecord loadRecord(const Record& record) {
  PairRecord r;
  static_assert(sizeof(r) == sizeof(record));
  std::memcpy(&r, &record, sizeof(r));
  return r;
}

template <class S, class Parts, class P, class Buffer>
[[gnu::flatten]] void fetchPairs(const PairState<P>& state, const PairOwners<P>& owners, Buffer& b,
                                 int n) requires(sizeof(typename P::Coord) == 8) {
  for (int first = 0; first < n; first += 4) {
    RecordNumbers apart[4], velocity[4];
    forEach<4>([&](int l) __attribute__((always_inline)) {
      const int k = first + l;
      const u32 o = b.owner[k];
      const auto &here = owners.position[o], &there = state.position(b.index[k]);
      const auto difference = [](u64 i, u64 j) { return static_cast<double>(static_cast<i64>(i - j)); };
      if constexpr (wholeRecords)
        apart[l] = numbersOf(loadRecord(here) - loadRecord(there));
      else
        b.x[k] = difference(here.x, there.x), b.y[k] = difference(here.y, there.y),
        b.z[k] = difference(here.z, there.z);
      if constexpr (Parts::noise) b.signatureI[k] = owners.signature[o], b.signatureJ[k] = there.signature;
      if constexpr (Parts::velocityRecord) {
        const auto& v = state.velocity(b.index[k]);
        if constexpr (Parts::species) b.speciesI[k] = owners.species[o], b.speciesJ[k] = v.species;
        if constexpr (Parts::velocity) {
          b.ux[k] = owners.ux[o], b.uy[k] = owners.uy[o], b.uz[k] = owners.uz[o];
          if constexpr (wholeRecords)
            velocity[l] = RecordNumbers(loadRecord(v));
          else
            b.vx[k] = v.x, b.vy[k] = v.y, b.vz[k] = v.z;
        }
      }
    });
    if constexpr (wholeRecords) {
      storeTransposed(apart, b.x + first, b.y + first, b.z + first);
      if constexpr (Parts::velocity) storeTransposed(velocity, b.vx + first, b.vy + first, b.vz + first);
    }
  }
}

}  // namespace mesowarp::backend
