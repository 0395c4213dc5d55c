// Random numbers keyed by particle tags, step, seed and stream: the same on both sides of a pair, on any thread, rank
// or device. Tiny Encryption Algorithm (DPD paper, Algorithm 4): 16 rounds make a particle's signature for a step, 4
// rounds mix two signatures into a pair's number.
//
// The paper seeds a signature with the tag and mantissa bits of the velocity; here the second word is the key of
// (seed, stream, step) instead, so a number depends on tags and step alone and not on rounding.
#pragma once

#include "core/lanes.hpp"
#include "core/random_streams.hpp"
#include "core/types.hpp"

namespace mesowarp {

// Keys, here and below: u32, or a CPU's vector of them (src/device/pair_lanes_cpu.hpp).
template <int Rounds, class Keys>
KOKKOS_FORCEINLINE_FUNCTION void tea(Keys& v0, Keys& v1) {
  constexpr u32 delta = 0x9E3779B9u;
  u32 sum = 0;
  for (int round = 0; round < Rounds; ++round) {  // unrolled: Rounds is a constant
    sum += delta;
    v0 = v0 + (((v1 << 4) + 0xA341316Cu) ^ (v1 + sum) ^ ((v1 >> 5) + 0xC8013EA4u));
    v1 = v1 + (((v0 << 4) + 0xAD90777Du) ^ (v0 + sum) ^ ((v0 >> 5) + 0x7E95761Eu));
  }
}

template <class Keys>
KOKKOS_FORCEINLINE_FUNCTION Keys reverseBits(Keys v) {
  v = ((v >> 1) & 0x55555555u) | ((v & 0x55555555u) << 1);
  v = ((v >> 2) & 0x33333333u) | ((v & 0x33333333u) << 2);
  v = ((v >> 4) & 0x0F0F0F0Fu) | ((v & 0x0F0F0F0Fu) << 4);
  v = ((v >> 8) & 0x00FF00FFu) | ((v & 0x00FF00FFu) << 8);
  return (v >> 16) | (v << 16);
}

// Two words that stand for (seed, stream, step).
struct StepKey {
  u32 first = 0, second = 0;
};

inline StepKey stepKey(u64 seed, Stream stream, i64 step) {
  u32 v0 = static_cast<u32>(seed), v1 = static_cast<u32>(seed >> 32) ^ (static_cast<u32>(stream) << 24);
  tea<16>(v0, v1);
  v0 ^= static_cast<u32>(step);
  v1 ^= static_cast<u32>(static_cast<u64>(step) >> 32);
  tea<16>(v0, v1);
  return {v0, v1};
}

// Signatures of particles in a step, from their tags.
template <class Keys>
KOKKOS_FORCEINLINE_FUNCTION Keys signatures(Keys tag, StepKey key) {
  Keys v0 = reverseBits(tag) ^ key.first, v1 = key.second;
  tea<16>(v0, v1);
  return v0 ^ v1;
}
KOKKOS_FORCEINLINE_FUNCTION u32 signature(u32 tag, StepKey key) { return signatures(tag, key); }

// Two uniform words of a pair, the same for (i, j) and (j, i).
template <class Keys>
struct WordsOf {
  Keys first, second;
};
using Words = WordsOf<u32>;

// Mixing: how the lower and the higher signature become the words.
struct TeaMixing {  // the paper's
  template <class Keys>
  KOKKOS_FORCEINLINE_FUNCTION static WordsOf<Keys> words(Keys low, Keys high) {
    tea<4>(low, high);
    return {low, high};
  }
};

// A third of the instructions: multiplications and shifted exclusive-ors. Signatures are random words already; what is
// left to do is to make a pair's words independent of those of other pairs of the same particles.
struct MultiplyMixing {
  template <class Keys>
  KOKKOS_FORCEINLINE_FUNCTION static WordsOf<Keys> words(Keys low, Keys high) {
    Keys first = low * 0x9E3779B1u + high;
    first = (first ^ first >> 16) * 0x7FEB352Du;
    first = (first ^ first >> 15) * 0x846CA68Bu;
    first = first ^ first >> 16;
    Keys second = first * 0xC2B2AE35u + high;
    second = (second ^ second >> 15) * 0x2C1B3C6Du;
    return {first, second};
  }
};

template <class Mixing = TeaMixing, class Keys>
KOKKOS_FORCEINLINE_FUNCTION WordsOf<Keys> pairWords(Keys signatureI, Keys signatureJ) {
  using math::larger, math::smaller;
  return Mixing::words(smaller(signatureI, signatureJ), larger(signatureI, signatureJ));
}

// Standard normal number from two uniform words (Box & Muller): sqrt(-2 ln u1) cos(2 pi u2). The cosine of a uniform
// phase has the distribution of sin(pi t), t uniform in [-1/2, 1/2): no range reduction, no sign bit.
template <class V, class Math = math::Hardware>
KOKKOS_FORCEINLINE_FUNCTION V gaussian(const WordsOf<typename Lanes<V>::Keys>& words) {
  using math::asSigned, math::fromInteger;
  const V u = math::unitOpen<V>(words.first);
  const V t = fromInteger<V>(asSigned(words.second)) * V(2.3283064365386963e-10);  // 2^-32
  return Math::squareRootPositive(math::minusTwoLogUnit<Math>(u)) * math::sinPiHalf(t);
}

}  // namespace mesowarp
