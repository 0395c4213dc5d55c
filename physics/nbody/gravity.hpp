// Gravity among bodies (N-body paper, Eq. 1 and Table 1), softened by epsilon:
//
//   a_i = G sum_j m_j r_ij / (r_ij^2 + eps^2)^(3/2),   r_ij = x_j - x_i
//   j_i = da_i/dt = G sum_j m_j [ v_ij / (r^2 + eps^2)^(3/2) - 3 (r_ij v_ij) r_ij / (r^2 + eps^2)^(5/2) ]
//
// A body's own term is exactly zero. Single precision counts 13 instructions an interaction (3 differences, 3 for r^2,
// the root, 3 for m / r^3, 3 for the sum), 28 with the jerk, 17 in double, where the root takes five.
#pragma once

#include <algorithm>

#include "core/accumulators.hpp"
#include "device/tuning.hpp"
#include "physics/nbody/body.hpp"

namespace mesowarp::nbody {

// Sums that take registers of their own leave room for fewer i a thread, and a warp of a GPU.
template <template <class> class SumOf, class S>
constexpr bool plainSum = sizeof(SumOf<S>) == sizeof(S);
template <template <class> class SumOf, class S>
constexpr int bodiesAWarp(int ofPlainSums) {
  if (sizeof(S) == 8) return 2;
  return plainSum<SumOf, S> ? ofPlainSums : summedInTiles<SumOf<S>> ? std::min(4, ofPlainSums) : 2;
}

// S: float or double. Split: positions as a float and its rest, so that differences of near bodies keep their bits. M:
// roots, HardwareLanes or Portable (core/lanes.hpp, core/portable_math.hpp).
template <class S, bool Split, bool Jerk, class M = math::HardwareLanes>
struct Gravity {
  using Scalar = S;
  using Math = M;
  static constexpr int channels = Jerk ? 6 : 3;
  static constexpr bool skipSelf = false, givesForce = false, paired = true, opposite = false, looksUp = false;
  static constexpr int unroll = 16;
  static constexpr int leastNarrow =
      Jerk ? tuning::narrowJerkFrom : tuning::narrowGravityFrom;  // bodies from which on a GPU takes each pair once
  template <template <class> class SumOf>
  static constexpr int perThread = plainSum<SumOf, S> && !Jerk && sizeof(S) == 4 ? 4 : 2;
  template <template <class> class SumOf>
  static constexpr int perWarp = bodiesAWarp<SumOf, S>(Jerk ? 2 : 4);
  static constexpr const char* label = Jerk ? "gravity and jerk, all pairs" : "gravity, all pairs";

  struct alignas(16) Body : Place<S, Split>, Motion<S, Jerk> {};  // weight: G m, times the sums' scale
  static constexpr std::size_t readBytes =
      sizeof(Place<S, Split>) + (Jerk ? 3 * sizeof(S) : 0);  // of a body, from its start
  S softening2;  // eps^2, at least leastSoftening2(): the own term is then 0 times something finite

  KOKKOS_INLINE_FUNCTION static constexpr double leastSoftening2() { return sizeof(S) == 4 ? 1e-20 : 1e-60; }
  KOKKOS_INLINE_FUNCTION static Body padding() { return {}; }
  KOKKOS_INLINE_FUNCTION static Body pack(const BodyView& view, int i, double factor) {
    Body body;
    setPlace(body, view.position(i), view.mass(i) * factor);
    if constexpr (Jerk) {
      const Vec3<double> v = view.velocity(i);
      body.vx = static_cast<S>(v.x), body.vy = static_cast<S>(v.y), body.vz = static_cast<S>(v.z);
    }
    return body;
  }
  std::size_t tableBytes() const { return 0; }
  u32 copiesWithin(std::size_t) const { return 1; }
  KOKKOS_FORCEINLINE_FUNCTION void stage(char*, int, int, u32 = 1) {}

  template <class V>
  struct At : PlaceAt<V, Split>, MotionAt<V, Jerk> {
    V weight;  // both() reads it
    KOKKOS_FORCEINLINE_FUNCTION void set(int lane, const Body& body, const Gravity&) {
      this->setPlace(lane, body);
      this->setMotion(lane, body);
      Lanes<V>::set(weight, lane, body.weight);
    }
  };

  // What the terms of a pair are made of.
  template <class V>
  struct Meeting {
    Vec3<V> r, v;  // v and turn with the jerk alone
    V inverse, inverse2, turn;
  };
  template <class V>
  KOKKOS_FORCEINLINE_FUNCTION Meeting<V> meet(const At<V>& i, const Body& j) const {
    using math::fusedMultiplyAdd;
    Meeting<V> m;
    if constexpr (Jerk) m.v = i.relativeVelocity(j);
    const Vec3<V> r = m.r = i.to(j);
    const V r2 = fusedMultiplyAdd(r.x, r.x, fusedMultiplyAdd(r.y, r.y, fusedMultiplyAdd(r.z, r.z, V(softening2))));
    m.inverse = Math::inverseSquareRoot(r2);
    V rv(S(0));
    if constexpr (Jerk) rv = fusedMultiplyAdd(r.x, m.v.x, fusedMultiplyAdd(r.y, m.v.y, r.z * m.v.z));
    m.inverse2 = m.inverse * m.inverse, m.turn = (rv * m.inverse2) * V(S(-3));
    return m;
  }
  template <class V, class Sums>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const At<V>& i, const Body& j, Sums& sums) const {
    const Terms<V> t(meet(i, j));
    const V a = V(j.weight) * t.inverse3;
    for (int c = 0; c < channels; ++c) sums.add(c, a, t.of[c]);
  }
  // The same, and what i does to j: sums.add(a of i, a of j, b of all channels).
  template <class V, class Sums>
  KOKKOS_FORCEINLINE_FUNCTION void both(const Meeting<V>& m, const At<V>& i, const Body& j, Sums& sums) const {
    const Terms<V> t(m);
    sums.add(V(j.weight) * t.inverse3, -(i.weight * t.inverse3), t.of);
  }

private:
  template <class V>
  struct Terms {
    V of[channels], inverse3;
    KOKKOS_FORCEINLINE_FUNCTION explicit Terms(const Meeting<V>& m) {
      using math::fusedMultiplyAdd;
      of[0] = m.r.x, of[1] = m.r.y, of[2] = m.r.z;
      if constexpr (Jerk) {
        of[3] = fusedMultiplyAdd(m.turn, m.r.x, m.v.x);
        of[4] = fusedMultiplyAdd(m.turn, m.r.y, m.v.y);
        of[5] = fusedMultiplyAdd(m.turn, m.r.z, m.v.z);
      }
      inverse3 = m.inverse * m.inverse2;
    }
  };
};

// The potential -G sum_j m_j / sqrt(r^2 + eps^2) at each body, in double precision.
template <class M>
struct GravityPotential : Gravity<double, false, false, M> {
  using Base = Gravity<double, false, false, M>;
  static constexpr int channels = 1;
  static constexpr bool skipSelf = true, paired = false, neverAfterwards = true;
  static constexpr bool seldomAsked = std::is_same_v<M, math::Portable>;
  template <template <class> class SumOf>
  static constexpr int perThread = 2;
  static constexpr const char* label = "gravity, potential";
  template <class V, class Sums>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const typename Base::template At<V>& i, const typename Base::Body& j,
                                              Sums& sums) const {
    using math::fusedMultiplyAdd;
    const Vec3<V> r = i.to(j);
    const V r2 =
        fusedMultiplyAdd(r.x, r.x, fusedMultiplyAdd(r.y, r.y, fusedMultiplyAdd(r.z, r.z, V(this->softening2))));
    sums.add(0, V(-j.weight), M::inverseSquareRoot(r2));
  }
};

}  // namespace mesowarp::nbody
