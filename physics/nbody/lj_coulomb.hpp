// Lennard-Jones with Coulomb forces in a continuous solvent (N-body paper, Table 1), without a cutoff:
//
//   F_i = sum_j { [ 48 eps s^12 / r^12 - 24 eps s^6 / r^6 ] / r^2  +  C q_i q_j / (D(r) r^3) } r_ij,   r_ij = x_i - x_j
//
// with eps, s of the pair of types, C Coulomb's constant, and the dielectric D: none (no charges), constant D = d,
// linear D = d r, sigmoidal D = zeta(r) = exp(alpha r^3 + beta r^2 + gamma r + delta). (The paper prints "gamma +
// delta" in the exponent; with gamma = 0 that is covered.) D stands in the force as it does in the paper; the energy is
// the integral of that force from infinity. Terms are antisymmetric to the last bit, so a fixed-point sum of all forces
// is exactly zero.
#pragma once

#include "device/tuning.hpp"
#include "physics/nbody/deck/body_deck.hpp"
#include "physics/nbody/gravity.hpp"

namespace mesowarp::nbody {

// 48 eps s^12 and 24 eps s^6 of a pair of types, times the sums' scale.
template <class S>
struct alignas(2 * sizeof(S)) LennardJonesPair {  // one load on a GPU
  S repulsion{}, attraction{};
};

// A body's row of pairs, by the other's type. On a GPU each thread looks up a table; a CPU's lanes have it laid out as
// vectors, one for each type.
constexpr int mostTypes = 64;
template <class V>
struct TypeRow {
  V repulsion[mostTypes], attraction[mostTypes];
  template <class Law>
  void set(int lane, u32 type, const Law& law) {
    for (u32 other = 0; other < law.types; ++other) {
      const auto pair = law.table[other * law.rowLength() + type];
      Lanes<V>::set(repulsion[other], lane, pair.repulsion), Lanes<V>::set(attraction[other], lane, pair.attraction);
    }
  }
  template <class Law>
  LennardJonesPair<V> at(const Law&, u32 other) const {
    return {repulsion[other], attraction[other]};
  }
};
template <class S>
struct TypeOfBody {
  const LennardJonesPair<S>* column;  // of the table
  template <class Law>
  KOKKOS_FORCEINLINE_FUNCTION void set(int, u32 own, const Law& law) {
    column = law.table + own * law.copies;
  }
  // The offset in bytes, so that the address is one multiplication and addition.
  template <class Law>
  KOKKOS_FORCEINLINE_FUNCTION LennardJonesPair<S> at(const Law& law, u32 other) const {
    return *reinterpret_cast<const LennardJonesPair<S>*>(reinterpret_cast<const char*>(column) +
                                                         other * law.rowBytes());
  }
};
template <>
struct TypeRow<float> : TypeOfBody<float> {};
template <>
struct TypeRow<double> : TypeOfBody<double> {};

// 1 / D(r) = 2^(d0 + d1 r + d2 r^2 + d3 r^3)
template <class S>
struct Sigmoid {
  S d0{}, d1{}, d2{}, d3{};
};

template <class S, bool Split, Dielectric D, class M = math::HardwareLanes>
struct LennardJonesCoulomb {
  using Scalar = S;
  using Math = M;
  static constexpr int channels = 3;
  static constexpr bool skipSelf = true, givesForce = true, paired = true, opposite = true, looksUp = true;
  static constexpr int unroll = 8, leastNarrow = tuning::narrowFrom;  // see gravity.hpp
  template <template <class> class SumOf>
  static constexpr int perThread = plainSum<SumOf, S> && sizeof(S) == 4 ? 4 : 2;
  template <template <class> class SumOf>
  static constexpr int perWarp = bodiesAWarp<SumOf, S>(8);
  static constexpr const char* label = "lj-coulomb, all pairs";

  // weight: the charge times sqrt(C / d), and the root of the sums' scale
  struct alignas(16) Body : Place<S, Split> {
    u32 type = 0;
  };
  static constexpr std::size_t readBytes = sizeof(Place<S, Split>) + sizeof(u32);  // of a body, from its start
  const LennardJonesPair<S>* table;                                                // [types][rowLength()][copies]
  u32 types, copies = 1;
  Sigmoid<S> sigmoid;

  // Far away and without charge: forces over such a distance vanish.
  KOKKOS_INLINE_FUNCTION static Body padding() {
    Body body;
    body.x = body.y = body.z = S(1e9);
    return body;
  }
  KOKKOS_INLINE_FUNCTION static Body pack(const BodyView& view, int i, double factor) {
    Body body;
    setPlace(body, view.position(i), view.charge(i) * factor);
    body.type = view.type(i);
    return body;
  }
  // Odd, so that threads meet few banks of shared memory twice, be it their own bodies' types that differ or the
  // others'.
  KOKKOS_INLINE_FUNCTION u32 rowLength() const { return types | 1u; }
  KOKKOS_INLINE_FUNCTION u32 rowBytes() const {
    return rowLength() * copies * static_cast<u32>(sizeof(LennardJonesPair<S>));
  }
  KOKKOS_INLINE_FUNCTION std::size_t tableBytes() const { return types * rowBytes(); }
  // How many copies, a power of two, fit in so many bytes: with one of its own a thread meets no other's bank, whatever
  // the types.
  u32 copiesWithin(std::size_t bytes) const {
    constexpr u32 most = 128 / sizeof(LennardJonesPair<S>);  // what the banks give at once
    u32 count = 1;
    while (count < most && 2 * count * tableBytes() <= bytes) count *= 2;
    return count;
  }
  // Copies the table to `at`, by several threads, so many times, and reads from there.
  KOKKOS_FORCEINLINE_FUNCTION void stage(char* at, int thread, int threads, u32 count = 1) {
    auto* staged = reinterpret_cast<LennardJonesPair<S>*>(at);
    const u32 own = static_cast<u32>(thread) & (count - 1);
    for (u32 k = static_cast<u32>(thread); k < types * rowLength(); k += static_cast<u32>(threads)) {
      const auto pair = table[k];
      for (u32 c = 0; c < count; ++c) staged[k * count + ((c + own) & (count - 1))] = pair;
    }
    table = staged + own, copies = count;
#ifdef __CUDA_ARCH__
    __syncthreads();
#endif
  }

  template <class V>
  struct At : PlaceAt<V, Split> {
    V charge;
    TypeRow<V> row;
    KOKKOS_FORCEINLINE_FUNCTION void set(int lane, const Body& body, const LennardJonesCoulomb& law) {
      this->setPlace(lane, body);
      Lanes<V>::set(charge, lane, body.weight);
      row.set(lane, body.type, law);
    }
  };

  // What the terms of a pair are made of.
  template <class V>
  struct Meeting {
    Vec3<V> r;
    V over;  // force over distance
  };
  template <class V>
  KOKKOS_FORCEINLINE_FUNCTION Meeting<V> meet(const At<V>& i, const Body& j) const {
    const Vec3<V> r = i.to(j);
    return {r, forceOverR(i, j, r)};
  }
  template <class V, class Sums>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const At<V>& i, const Body& j, Sums& sums) const {
    const Meeting<V> m = meet(i, j);
    sums.add(0, m.over, m.r.x), sums.add(1, m.over, m.r.y), sums.add(2, m.over, m.r.z);
  }
  // The same, and what i does to j, which is the opposite.
  template <class V, class Sums>
  KOKKOS_FORCEINLINE_FUNCTION void both(const Meeting<V>& m, const At<V>&, const Body&, Sums& sums) const {
    sums.addOpposite(m.over, {m.r.x, m.r.y, m.r.z});
  }

private:
  template <class V>
  KOKKOS_FORCEINLINE_FUNCTION V forceOverR(const At<V>& i, const Body& j, const Vec3<V>& r) const {
    using math::fusedMultiplyAdd;
    const V r2 = fusedMultiplyAdd(r.x, r.x, fusedMultiplyAdd(r.y, r.y, r.z * r.z));
    const LennardJonesPair<V> pair = i.row.at(*this, j.type);
    V inverse2, coulomb;
    if constexpr (D == Dielectric::none) {
      inverse2 = Math::reciprocal(r2);
    } else {
      const V inverse = Math::inverseSquareRoot(r2);
      inverse2 = inverse * inverse;
      const V charges = i.charge * V(j.weight);
      if constexpr (D == Dielectric::constant) coulomb = charges * inverse;
      if constexpr (D == Dielectric::linear) coulomb = charges * inverse2;
      if constexpr (D == Dielectric::sigmoidal) {
        const V distance = r2 * inverse;
        const V power = fusedMultiplyAdd(
            fusedMultiplyAdd(fusedMultiplyAdd(V(sigmoid.d3), distance, V(sigmoid.d2)), distance, V(sigmoid.d1)),
            distance, V(sigmoid.d0));
        coulomb = (charges * inverse) * Math::exp2Of(power);
      }
    }
    const V inverse6 = inverse2 * inverse2 * inverse2;
    const V steep = fusedMultiplyAdd(pair.repulsion, inverse6, -pair.attraction);
    V over;
    if constexpr (D == Dielectric::none)
      over = (steep * inverse6) * inverse2;
    else
      over = fusedMultiplyAdd(steep, inverse6, coulomb) * inverse2;
    return -over;  // r points from i to j
  }
};

// The energy of the sigmoidal dielectric's force between two unit charges, U(r) = int_r^inf ds / (zeta(s) s^2),
// tabulated over x = ln r: at each node U and dU/dx = -1 / (zeta r), between them cubic.
struct SigmoidNodes {
  const double* nodes = nullptr;  // two numbers for each node
  double first = 0.0, step = 1.0;
  int intervals = 0;
};
template <class M>
struct SigmoidEnergy : SigmoidNodes {
  KOKKOS_INLINE_FUNCTION double operator()(double r) const {
    const double at = (math::logUnit<M>(r) - first) / step;
    const int k = at > 0.0 ? (at < intervals - 1 ? static_cast<int>(at) : intervals - 1) : 0;
    const double t = at - k, u = 1.0 - t;
    const double* n = this->nodes + 2 * k;
    return (1.0 + 2.0 * t) * u * u * n[0] + t * u * u * step * n[1] + t * t * (3.0 - 2.0 * t) * n[2] -
           t * t * u * step * n[3];
  }
  template <class V>
  KOKKOS_INLINE_FUNCTION V of(V r) const {
    V energy = r;
    for (int l = 0; l < Lanes<V>::width; ++l) Lanes<V>::set(energy, l, (*this)(Lanes<V>::get(r, l)));
    return energy;
  }
};

// The energy of all pairs of each body, in double precision.
template <Dielectric D, class M>
struct LennardJonesCoulombPotential : LennardJonesCoulomb<double, false, D, M> {
  using Base = LennardJonesCoulomb<double, false, D, M>;
  using Body = typename Base::Body;
  static constexpr int channels = 1;
  static constexpr bool paired = false, neverAfterwards = true;
  static constexpr bool seldomAsked = std::is_same_v<M, math::Portable>;
  template <template <class> class SumOf>
  static constexpr int perThread = 2;
  static constexpr const char* label = "lj-coulomb, potential";
  SigmoidEnergy<M> sigmoidEnergy;

  template <class V, class Sums>
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const typename Base::template At<V>& i, const Body& j, Sums& sums) const {
    using math::fusedMultiplyAdd;
    const Vec3<V> r = i.to(j);
    const V r2 = fusedMultiplyAdd(r.x, r.x, fusedMultiplyAdd(r.y, r.y, r.z * r.z));
    const LennardJonesPair<V> pair = i.row.at(*this, j.type);
    const V inverse = M::inverseSquareRoot(r2), inverse2 = inverse * inverse, inverse6 = inverse2 * inverse2 * inverse2;
    const V steep = fusedMultiplyAdd(pair.repulsion * V(1.0 / 12.0), inverse6, -(pair.attraction * V(1.0 / 6.0)));
    sums.add(0, steep, inverse6);
    const V charges = i.charge * V(j.weight);
    if constexpr (D == Dielectric::constant) sums.add(0, charges, inverse);
    if constexpr (D == Dielectric::linear) sums.add(0, charges, inverse2 * V(0.5));
    if constexpr (D == Dielectric::sigmoidal) sums.add(0, charges, sigmoidEnergy.of(r2 * inverse));
  }
};

}  // namespace mesowarp::nbody
