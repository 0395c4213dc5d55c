// The square root in double precision on CPUs with AVX-512, where the instruction takes 25 cycles for 8 numbers: from
// the instruction's estimate of 1 / sqrt(x) and fused multiply-adds, 8 cycles, and still the same bits.
#pragma once

#include "device/pack_cpu.hpp"

namespace mesowarp::backend {

// sqrt(x), correctly rounded, for x from 2^-960 to 2^960, from an estimate of 1 / sqrt(x) that is wrong by a relative
// 2^-14 at most. V: Doubles, or double, with which tests try other estimates.
//
// u = 2^-53; a = sqrt(x), which may be taken to lie in [1, 2): all steps commute with powers of 4. g = x y is rounded
// once, so that 2 g h = 1 - 2e, of which g needs the -1/2th power: 1 + p, to 35/8 e^4 < 0.55 u. With half a unit left
// over from g's rounding and the last one's, g and h are a and 1 / (2a) to (1.05 + a/2) u < 2.05 u.
// The first correction g + (x - g g) h is then wrong by 2.05 (2.05 + 1.03 + 1) u^2 < 8.4 u^2 before it is rounded: one
// of the two numbers next to a. So x - g g is now exact, |a - g| <= u, and the second correction c, before its
// rounding, lies on the same side as a of m, the middle of these two: with x - m^2 = k u^2,
//   c - m = u^2 / (2a) (k - 1 + f),  |f| <= 2a (1.05 + a/2) < 8.2,
// up to terms of u^3. m has 54 bits, the last one set, so that m^2 = 1 and k = -1 modulo 8 (in units of u^2):
//   k >= 15 and k <= -9: the sign is that of k, so the result is right.
//   k = 7: f could reach -6 only where a > 1.61; the one x = 0x1.5b95344972fe2p+1 is right with every h within 2.05 u.
//   k = -1: x = 1 + 2^-52 and 4 - 2^-51 only. Right with each estimate of 24 bits or fewer, which the instruction's
//   are.
// tests/unit/device/rounded_root.cpp tries these and their like at all exponents.
template <class V>
inline V squareRootFrom(V x, V estimate) {
  using math::fusedMultiplyAdd;
  V g = x * estimate, h = V(0.5) * estimate;
  const V e = fusedMultiplyAdd(-g, h, V(0.5));
  const V p = fusedMultiplyAdd(e, fusedMultiplyAdd(e, V(2.5), V(1.5)), V(1)) * e;
  g = fusedMultiplyAdd(g, p, g);
  h = fusedMultiplyAdd(h, p, h);
  g = fusedMultiplyAdd(fusedMultiplyAdd(-g, g, x), h, g);
  return fusedMultiplyAdd(fusedMultiplyAdd(-g, g, x), h, g);
}

}  // namespace mesowarp::backend
