// Random numbers of a cell in a step, keyed by the number that the cell has on all ranks; and a particle's noise. Of
// operations that IEEE 754 fixes alone, so the same bits everywhere.
#pragma once

#include "core/portable_math.hpp"
#include "core/random.hpp"

namespace mesowarp::mpcd {

// 64 well mixed bits (Steele, Lea & Flood, SplitMix64).
KOKKOS_FORCEINLINE_FUNCTION u64 mixed(u64 x) {
  x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9u;
  x = (x ^ x >> 27) * 0x94D049BB133111EBu;
  return x ^ x >> 31;
}

// Of an item in a step, the number at which mixed() begins; further numbers of the item are nextOf() it.
KOKKOS_FORCEINLINE_FUNCTION u64 startOf(u64 item, StepKey key) {
  return (static_cast<u64>(key.first) << 32 | key.second) + item * 0x9E3779B97F4A7C15u;
}
KOKKOS_FORCEINLINE_FUNCTION u64 nextOf(u64 start) { return start + 0xD1B54A32D192ED03u; }

// Sixteen rounds of TEA in its place were 166 of the 751 instructions that 32 cells took (perf/log/mpcd.md).
class CellRandom {
public:
  KOKKOS_INLINE_FUNCTION CellRandom(u64 cell, StepKey key) : next_(startOf(cell, key)) {}
  KOKKOS_INLINE_FUNCTION Words next() {
    const u64 bits = mixed(next_);
    next_ = nextOf(next_);
    return {static_cast<u32>(bits >> 32), static_cast<u32>(bits)};
  }

private:
  u64 next_;
};

// A unit vector: Archimedes' z, and an angle of pi t, t in [-1, 1), as in core/random_direction.hpp. Where it points
// need not be known to more than single precision, so that a GPU does little in double; its length must be.
KOKKOS_INLINE_FUNCTION void directionOf(const Words& words, double (&n)[3]) {
  using math::fusedMultiplyAdd;
  const double z = math::fromInteger<double>(static_cast<i32>(words.first)) * 0x1p-31;
  const float t = math::fromInteger<float>(static_cast<i32>(words.second)) * 0x1p-31f, size = t < 0.0f ? -t : t;
  const float flat = math::Portable::squareRootPositive(static_cast<float>(fusedMultiplyAdd(-z, z, 1.0)));
  const float folded = size <= 0.5f ? size : 1.0f - size;
  // With more bits than single precision has: what is rounded to that later is then rounded without preference.
  n[0] = static_cast<double>(flat) * static_cast<double>(math::sinPiHalf(0.5f - size));
  n[1] = static_cast<double>(flat) * static_cast<double>(math::sinPiHalf(t < 0.0f ? -folded : folded));
  n[2] = z;
  // 1 / sqrt(1 + e), e of some 1e-7: the next term is below double precision.
  const double e = fusedMultiplyAdd(n[2], n[2], fusedMultiplyAdd(n[1], n[1], n[0] * n[0])) - 1.0;
  const double scale = fusedMultiplyAdd(e, fusedMultiplyAdd(e, 0.375, -0.5), 1.0);
  for (double& c : n) c *= scale;
}

// Marsaglia & Tsang's condition with root = 1 + y, y = x / sqrt(9 d), v = root^3:
//   log u < h,   h = x^2 / 2 + d - d v + d log v = d (3 log(1 + y) - 3 y + 3 y^2 / 2 - y^3).
// Of the logarithm's series is left h >= -3 d y^4 / 4 for y >= 0, and for y >= -1/2 at least twice that, -x^4 / (54 d):
// so u < 1 - x^4 / (54 d) is enough, and a logarithm is asked for once in 200 times of ten particles. The answer is
// always the same: what both sides are off, 1e-11 at most where x is small, is little beside the step of u, 2^-31.
KOKKOS_INLINE_FUNCTION bool isSurelyTaken(double x, double u, double d, double root) {
  const double square = x * x;
  return root >= 0.5 && square * square < 54.0 * d * (1.0 - u);
}
KOKKOS_INLINE_FUNCTION bool isTaken(double x, double u, double d, double v) {
  return math::logUnit<math::Portable>(u) < 0.5 * x * x + d - d * v + d * math::logUnit<math::Portable>(v);
}

// Gamma distribution of a shape of at least 1 and of scale 1 (Marsaglia & Tsang, ACM Trans. Math. Software 26 (2000)
// 363), by first tries and more of them.
struct GammaTry {
  double d, c;
  KOKKOS_INLINE_FUNCTION explicit GammaTry(double shape)
      : d(shape - 1.0 / 3.0), c(math::Portable::inverseSquareRoot(9.0 * d)) {}
  // The number, if it is taken. surely: without a look at logarithms.
  KOKKOS_INLINE_FUNCTION double next(CellRandom& random) {
    x_ = gaussian<double, math::Portable>(random.next()), root_ = 1.0 + c * x_;
    u_ = math::unitOpen<double>(random.next().first);
    v_ = root_ * root_ * root_;
    return d * v_;
  }
  KOKKOS_INLINE_FUNCTION bool surely() const { return isSurelyTaken(x_, u_, d, root_); }
  KOKKOS_INLINE_FUNCTION bool taken() const { return root_ > 1e-3 && (surely() || isTaken(x_, u_, d, v_)); }

private:
  double x_, u_, root_, v_;
};

KOKKOS_INLINE_FUNCTION double gammaNumber(CellRandom& random, double shape) {
  GammaTry attempt(shape);
  for (;;) {
    const double number = attempt.next(random);
    if (attempt.taken()) return number;
  }
}

// Three standard normal numbers of a particle in a step (Box & Muller, twice, without the last one).
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION void normalNumbers(u32 tag, StepKey key, Real (&number)[3]) {
  using math::asSigned, math::fromInteger;
  const u64 at = startOf(tag, key), a = mixed(at), b = mixed(nextOf(at));
  const Real r0 = math::Portable::squareRootPositive(
      math::minusTwoLogUnit<math::Portable>(math::unitOpen<Real>(static_cast<u32>(a >> 32))));
  const Real t0 = fromInteger<Real>(asSigned(static_cast<u32>(a))) * Real(2.3283064365386963e-10);
  const Real cosine = math::sinPiHalf(Real(0.5) - (t0 < Real(0) ? -t0 : t0));
  number[0] = r0 * math::sinPiHalf(t0);
  number[1] = r0 * (a >> 32 & 1 ? cosine : -cosine);  // the bit that unitOpen() leaves out
  number[2] = gaussian<Real, math::Portable>(Words{static_cast<u32>(b >> 32), static_cast<u32>(b)});
}

}  // namespace mesowarp::mpcd
