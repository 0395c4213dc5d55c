// Pairs in range of a block of particles on a CPU core, side by side in a buffer, and how it is filled from the
// neighbour rows.
#pragma once

#include <type_traits>

#include "device/simd_cpu.hpp"
#include "kernels/pairs/pair_state.hpp"

namespace mesowarp::backend {

constexpr int blockSize = 16;  // particles

// What pairs need of their particles i, by place in the block.
template <class P>
struct PairOwners {
  using Coord = typename P::Coord;
  using Store = typename P::Store;
  alignas(64) PairPosition<Coord> position[blockSize];
  alignas(64) Coord x[blockSize], y[blockSize], z[blockSize];
  alignas(64) u32 signature[blockSize], species[blockSize];
  alignas(64) Store ux[blockSize], uy[blockSize], uz[blockSize];
  void set(int l, const PairPosition<Coord>& p) {
    position[l] = p;
    x[l] = p.x, y[l] = p.y, z[l] = p.z, signature[l] = p.signature;
  }
  void set(int l, const PairPosition<Coord>& p, const PairVelocity<Store>& u) {
    set(l, p);
    ux[l] = u.x, uy[l] = u.y, uz[l] = u.z, species[l] = u.species;
  }
};

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
  static constexpr int capacity = 768, padded = capacity + 16;
  alignas(64) int index[padded];  // of particle j
  alignas(64) u32 owner[padded];  // place of particle i in the block
  alignas(64) Length x[padded], y[padded], z[padded];
  alignas(64) u32 signatureI[padded], signatureJ[padded];
  alignas(64) u32 speciesI[padded], speciesJ[padded];
  alignas(64) Store ux[padded], uy[padded], uz[padded];  // velocity of i
  alignas(64) Store vx[padded], vy[padded], vz[padded];  // velocity of j
  alignas(64) Slot term[Slots][padded];                  // result, see piece_sums_cpu.hpp
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

// Leading 32 bits of the coordinates of S::width particles.
template <class S>
struct LeadingWords {
  typename S::Words x, y, z;
};
template <class S>
LeadingWords<S> leadingWords(const PairPosition<u32>* position, const int* index) {
  const auto p = S::template load4<sizeof(PairPosition<u32>)>(position, index);
  return {p.word[0], p.word[1], p.word[2]};
}
template <class S>
LeadingWords<S> leadingWords(const PairPosition<u64>* position, const int* index) {
  constexpr int stride = sizeof(PairPosition<u64>);  // words (little endian): x y | z signature, each low before high
  const auto xy = S::template load4<stride>(position, index);
  const auto zs = S::template load4<stride>(&position->z, index);
  return {xy.word[1], xy.word[3], zs.word[1]};
}

// Appends the partners in range among row[0 .. size) behind the n pairs that the buffer holds; returns how many it
// holds then. Reads indices up to a vector's width behind the row's end.
template <class S, class Coord, class Buffer>
int appendInRange(const PairPosition<Coord>* position, const int* row, int size, const PairPosition<Coord>& here,
                  u32 owner, const RangeTest& inRange, Buffer& b, int n) {
  constexpr int down = 8 * sizeof(Coord) - 32;
  const u32 x = here.x >> down, y = here.y >> down, z = here.z >> down;
  for (int k = 0; k < size; k += S::width) {
    const auto there = leadingWords<S>(position, row + k);
    const u32 mask = inRange.operator()<S>(x - there.x, y - there.y, z - there.z) & S::first(size - k);
    S::compressStore(b.index + n, S::load(reinterpret_cast<const u32*>(row + k)), mask);
    S::store(b.owner + n, S::broadcast(owner));
    n += __builtin_popcount(mask);
  }
  return n;
}

// Fills the buffer from the particles of pairs 0 to n - 1; n: a multiple of 16.
template <class S, class Parts, class P, class Buffer>
void fetchPairs(const PairState<P>& state, const PairOwners<P>& owners, Buffer& b,
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
// 64-bit coordinates: records are subtracted as they are, one vector a pair. Written so that it is not turned into
// gathers, which are slower than loads of whole records.
template <class S, class Parts, class P, class Buffer>
void fetchPairs(const PairState<P>& state, const PairOwners<P>& owners, Buffer& b,
                int n) requires(sizeof(typename P::Coord) == 8) {
  typedef u64 Record __attribute__((vector_size(32)));
  static_assert(sizeof(Record) == sizeof(PairPosition<u64>));
  const auto load = [](const PairPosition<u64>& p) {
    Record r;
    std::memcpy(&r, &p, sizeof(r));
    return r;
  };
  for (int first = 0; first < n; first += 16) {
    alignas(64) i64 difference[16][4];
    for (int l = 0; l < 16; ++l) {
      const int k = first + l;
      const u32 o = b.owner[k];
      const auto& there = state.position(b.index[k]);
      const Record d = load(owners.position[o]) - load(there);
      std::memcpy(difference[l], &d, sizeof(d));
      if constexpr (Parts::noise) b.signatureI[k] = owners.signature[o], b.signatureJ[k] = there.signature;
      if constexpr (Parts::velocityRecord) {
        const auto& v = state.velocity(b.index[k]);
        if constexpr (Parts::species) b.speciesI[k] = owners.species[o], b.speciesJ[k] = v.species;
        if constexpr (Parts::velocity) {
          b.ux[k] = owners.ux[o], b.uy[k] = owners.uy[o], b.uz[k] = owners.uz[o];
          b.vx[k] = v.x, b.vy[k] = v.y, b.vz[k] = v.z;
        }
      }
    }
    for (int l = 0; l < 16; ++l) {
      b.x[first + l] = static_cast<double>(difference[l][0]);
      b.y[first + l] = static_cast<double>(difference[l][1]);
      b.z[first + l] = static_cast<double>(difference[l][2]);
    }
  }
}

}  // namespace mesowarp::backend
