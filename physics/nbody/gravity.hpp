// Gravity among bodies (N-body paper, Eq. 1 and Table 1), softened by epsilon:
//
//   a_i = G sum_j m_j r_ij / (r_ij^2 + eps^2)^(3/2),   r_ij = x_j - x_i
//   j_i = da_i/dt = G sum_j m_j [ v_ij / (r^2 + eps^2)^(3/2) - 3 (r_ij v_ij) r_ij / (r^2 + eps^2)^(5/2) ]
//
// A body's own term is exactly zero. Single precision counts 13 instructions an interaction (3 differences, 3 for r^2, the
// root, 3 for m / r^3, 3 for the sum), 28 with the jerk, 17 in double, where the root takes five.
#pragma once

#include "core/lanes.hpp"
#include "physics/nbody/body.hpp"

namespace mesowarp::nbody {

// Sums that take registers of their own leave room for fewer i a thread.
template <template <class> class SumOf, class S>
constexpr bool plainSum = sizeof(SumOf<S>) == sizeof(S);

// S: float or double. Split: positions as a float and its rest, so that differences of near bodies keep their bits. M: roots,
// HardwareLanes or Portable (core/lanes.hpp, core/portable_math.hpp).
template <class S, bool Split, bool Jerk, class M = math::HardwareLanes>
struct Gravity {
  using Scalar = S;
  using Math = M;
  static constexpr int channels = Jerk ? 6 : 3;
  static constexpr bool skipSelf = false, givesForce = false;
  static constexpr int unroll = 16;
  template <template <class> class SumOf>
  static constexpr int perThread = plainSum<SumOf, S> && !Jerk && sizeof(S) == 4 ? 4 : 2;
  static constexpr const char* label = Jerk ? "gravity and jerk, all pairs" : "gravity, all pairs";

  struct alignas(16) Body : Place<S, Split>, Motion<S, Jerk> {};  // weight: G m, times the sums' scale
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
  KOKKOS_FORCEINLINE_FUNCTION void stage(char*, int, int) {}

  template <class V>
  struct At : PlaceAt<V, Split>, MotionAt<V, Jerk> {
    KOKKOS_FORCEINLINE_FUNCTION void set(int lane, const Body& body, const Gravity&) {
      this->setPlace(lane, body);
      this->setMotion(lane, body);
    }
  };

  template <class V, class Sums>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const At<V>& i, const Body& j, Sums& sums) const {
    using math::fusedMultiplyAdd;
    const Vec3<V> r = i.to(j);
    const V r2 = fusedMultiplyAdd(r.x, r.x, fusedMultiplyAdd(r.y, r.y, fusedMultiplyAdd(r.z, r.z, V(softening2))));
    const V inverse = Math::inverseSquareRoot(r2), inverse2 = inverse * inverse;
    const V s = (V(j.weight) * inverse) * inverse2;
    sums.add(0, s, r.x), sums.add(1, s, r.y), sums.add(2, s, r.z);
    if constexpr (Jerk) {
      const Vec3<V> v = i.relativeVelocity(j);
      const V rv = fusedMultiplyAdd(r.x, v.x, fusedMultiplyAdd(r.y, v.y, r.z * v.z));
      const V turn = (rv * inverse2) * V(S(-3));
      sums.add(3, s, fusedMultiplyAdd(turn, r.x, v.x));
      sums.add(4, s, fusedMultiplyAdd(turn, r.y, v.y));
      sums.add(5, s, fusedMultiplyAdd(turn, r.z, v.z));
    }
  }
};

// The potential -G sum_j m_j / sqrt(r^2 + eps^2) at each body, in double precision.
template <class M>
struct GravityPotential : Gravity<double, false, false, M> {
  using Base = Gravity<double, false, false, M>;
  static constexpr int channels = 1;
  static constexpr bool skipSelf = true;
  template <template <class> class SumOf>
  static constexpr int perThread = 2;
  static constexpr const char* label = "gravity, potential";
  template <class V, class Sums>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const typename Base::template At<V>& i, const typename Base::Body& j,
                                              Sums& sums) const {
    using math::fusedMultiplyAdd;
    const Vec3<V> r = i.to(j);
    const V r2 = fusedMultiplyAdd(r.x, r.x, fusedMultiplyAdd(r.y, r.y, fusedMultiplyAdd(r.z, r.z, V(this->softening2))));
    sums.add(0, V(-j.weight), M::inverseSquareRoot(r2));
  }
};

}  // namespace mesowarp::nbody
