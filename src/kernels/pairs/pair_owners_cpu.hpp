// What pairs need of their particles i on a CPU core, by a particle's place in its block.
#pragma once

#include "device/simd_cpu.hpp"
#include "kernels/pairs/pair_state.hpp"

namespace mesowarp::backend {

constexpr int blockSize = 16;  // particles

// Leading 32 bits of the coordinates of S::width particles.
template <class S>
struct LeadingWords {
  typename S::Words x, y, z;
};
template <class S, class Index>
LeadingWords<S> leadingWords(const PairPosition<u32>* position, const Index& index) {
  const auto p = S::template load4<sizeof(PairPosition<u32>)>(position, index);
  return {p.word[0], p.word[1], p.word[2]};
}
template <class S, class Index>
LeadingWords<S> leadingWords(const PairPosition<u64>* position, const Index& index) {
  constexpr int stride = sizeof(PairPosition<u64>);  // words (little endian): x y | z signature, each low before high
  const auto xy = S::template load4<stride>(position, index);
  const auto zs = S::template load4<stride>(&position->z, index);
  return {xy.word[1], xy.word[3], zs.word[1]};
}

template <class P>
struct PairOwners {
  using Coord = typename P::Coord;
  using Store = typename P::Store;
  alignas(64) PairPosition<Coord> position[blockSize];
  alignas(64) u32 x[blockSize], y[blockSize], z[blockSize];  // leading 32 bits
  alignas(64) u32 signature[blockSize], species[blockSize];
  alignas(64) Store ux[blockSize], uy[blockSize], uz[blockSize];

  // Of particles first to first + count - 1. Velocity: whether the velocities' records are wanted.
  template <class S, bool Velocity>
  void load(const PairState<P>& state, int first, int count) {
    if constexpr (sizeof(Coord) == 4)
      if (count == blockSize) return loadTransposed<S, Velocity>(state, first);
    for (int l = 0; l < count; ++l) {
      const auto p = position[l] = state.position(first + l);
      x[l] = leading32(p.x), y[l] = leading32(p.y), z[l] = leading32(p.z), signature[l] = p.signature;
      if constexpr (Velocity) {
        const auto u = state.velocity(first + l);
        ux[l] = u.x, uy[l] = u.y, uz[l] = u.z, species[l] = u.species;
      }
    }
  }

private:
  template <class S, bool Velocity>
  [[gnu::flatten]] void loadTransposed(const PairState<P>& state, int first) {
    for (int l = 0; l < blockSize; l += S::width) {
      const auto p = S::template load4<16>(state.position.data(), Consecutive{first + l});
      S::store(x + l, p.word[0]), S::store(y + l, p.word[1]), S::store(z + l, p.word[2]);
      S::store(signature + l, p.word[3]);
      if constexpr (Velocity) {
        const auto u = S::template load4<16>(state.velocity.data(), Consecutive{first + l});
        S::store(ux + l, u.word[0]), S::store(uy + l, u.word[1]), S::store(uz + l, u.word[2]);
        S::store(species + l, u.word[3]);
      }
    }
  }
};

}  // namespace mesowarp::backend
