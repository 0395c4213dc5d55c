// The square root in double precision on CPUs with AVX-512, where the instruction takes 25 cycles for 8 numbers: from
// the instruction's estimate of 1 / sqrt(x) and fused multiply-adds, 8 cycles, and still the same bits.
#pragma once

#include "device/pack_cpu.hpp"

namespace mesowarp::backend {

// sqrt(x), correctly rounded, for x from 2^-960 to 2^960, from an estimate of 1 / sqrt(x) of 24 bits or fewer that is
// wrong by a relative 2^-14 at most. V: Doubles, or double, with which tests try other estimates.
//
// u = 2^-53; a = sqrt(x), which may be taken to lie in [1, 2), since all steps commute with powers of 4. g = x y is
// rounded once, so that 2 g h = 1 - 2e, of which g and h need the -1/2th power: 1 + p, to 35/8 e^4 < 0.55 u. With half
// of g's first rounding and all of the last one g and h are a and 1 / (2a) to 2.05 u.
// The correction c = g + (x - g g) h is then a to 2.05 (2.05 + 1.03 + 1) u^2 < 8.4 u^2, relative, before it is rounded,
// and rounded as a is if the middle m of two numbers that is nearest to a is further away: a - m = k u^2 / (a + m),
// where k = (x - m^2) / u^2 is a whole number. So only x with |k| <= 16.8 x < 68 could be wrong. m has 54 bits, the
// last of them set, so k = -1 modulo 8; 26 arguments between 1 and 4 have |k| <= 70. All of them are right with every
// estimate of 24 bits: tests/unit/device/rounded_root.cpp finds and tries them, and the instruction's estimates at all
// exponents.
template <class V>
inline V squareRootFrom(V x, V estimate) {
  using math::fusedMultiplyAdd;
  V g = x * estimate, h = V(0.5) * estimate;
  const V e = fusedMultiplyAdd(-g, h, V(0.5));
  const V p = fusedMultiplyAdd(e, fusedMultiplyAdd(e, V(2.5), V(1.5)), V(1)) * e;
  g = fusedMultiplyAdd(g, p, g);
  h = fusedMultiplyAdd(h, p, h);
  return fusedMultiplyAdd(fusedMultiplyAdd(-g, g, x), h, g);
}

}  // namespace mesowarp::backend
