// Transport DPD (Blumers et al., Comput. Phys. Commun. 2017, Eqs. 3-10): DPD, and fluxes of dissolved species between
// pairs,
//   Q^D_ij = -kappa w_DC (C_i - C_j),                          w_DC = (1 - r/r_cc)^s_c
//   Q^R_ij = m_s sqrt(kappa rho (C_i + C_j) / dt) w_RC zeta,   w_RC = w_DC^(1/2),  zeta_ij = -zeta_ji.
// Of a pair, what one particle gets the other loses to the bit: both compute the same weight, and differences change
// their sign exactly.
#pragma once

#include "kernels/pairs/for_each.hpp"
#include "physics/pair/dpd.hpp"
#include "physics/transport/transport_fields.hpp"

namespace mesowarp::transport {

// Of fluxes in fixed point.
inline double ownRange(const input::Deck& deck) { return transportOf(deck).fluxRange; }

// Whether all weights of the deck are the square, s_c = 2, which needs no power.
struct FluxWeight {
  bool square = false;

  static FluxWeight of(const input::Deck& deck) {
    FluxWeight weight{true};
    for (const auto& i : deck.interactions)
      if (isTransport(i)) weight.square = weight.square && i.own.get<FluxKeys>().exponent == 2.0;
    return weight;
  }
  // w_DC at r.
  template <class Math, class V>
  KOKKOS_FORCEINLINE_FUNCTION V operator()(V r, V inverseCutoff, V exponent) const {
    using math::fusedMultiplyAdd, math::larger, math::select;
    const V w = larger(fusedMultiplyAdd(-r, inverseCutoff, V(1)), V(0));
    if (square) return w * w;
    return select(w > V(0), math::power<Math>(larger(w, V(1e-18)), exponent), V(0));
  }
  // Its root.
  template <class Math, class V>
  KOKKOS_FORCEINLINE_FUNCTION V root(V r, V inverseCutoff, V halfExponent) const {
    using math::fusedMultiplyAdd, math::larger, math::select;
    const V w = larger(fusedMultiplyAdd(-r, inverseCutoff, V(1)), V(0));
    if (square) return w;
    return select(w > V(0), math::power<Math>(larger(w, V(1e-18)), halfExponent), V(0));
  }
};

template <class V, int Width>
struct FluxCoefficients {
  V kappa[Width] = {};       // 1 / time
  V inverseCutoff = V(1e9);  // 1 / r_cc; this default acts on nothing
  V exponent = V(1);         // s_c
};

template <class Math, int Width, class V>
KOKKOS_FORCEINLINE_FUNCTION void fluxes(const FluxCoefficients<V, Width>& c, const FluxWeight& weight, V r,
                                        const V* ownI, const V* ownJ, V* flux) {
  const V w = weight.template operator()<Math>(r, c.inverseCutoff, c.exponent);
  forEach<Width>([&](int s) { flux[s] = c.kappa[s] * w * (ownJ[s] - ownI[s]); });
}

template <class Real, int Width, class Settings>
FluxCoefficients<Real, Width> fluxCoefficients(const Settings& in, int first) {
  const auto& keys = in.interaction.own.template get<FluxKeys>();
  const std::size_t solutes = transportOf(in.deck).solutes.size();
  FluxCoefficients<Real, Width> c;
  for (int s = 0; s < Width; ++s) {
    const auto k = static_cast<std::size_t>(first + s);
    c.kappa[s] = k < solutes ? Real(in.ownScale * numberOf(keys.kappa, k)) : Real(0);
  }
  c.inverseCutoff = Real(1.0 / keys.cutoff), c.exponent = Real(keys.exponent);
  return c;
}

// Forces, and the fluxes of the first solutes.
template <class R, int Width, class Math>
struct TransportForce {
  using Real = R;
  using Dpd = DpdForce<R, false, TeaMixing, Math>;
  using Reads = PairReads<Velocity, Noise, Concentration<Width>>;
  using Sums = PairSums<Flux<Width>>;
  using Uniform = FluxWeight;

  template <class V>
  struct CoefficientsOf {
    typename Dpd::template CoefficientsOf<V> dpd;
    FluxCoefficients<V, Width> flux;
  };
  using Coefficients = CoefficientsOf<Real>;

  static constexpr const char* label = forceLabel;
  static bool handles(const input::Interaction& interaction, const input::Deck& deck) {
    return isTransport(interaction) && layoutOf(deck).width == Width;
  }
  static double ownRange(const input::Deck& deck) { return transport::ownRange(deck); }
  static Uniform uniform(const input::Deck& deck, int) { return FluxWeight::of(deck); }
  template <class Settings>
  static Coefficients coefficients(const Settings& in) {
    return {Dpd::coefficients(in.interaction, in.deck.run.timestep, in.scale), fluxCoefficients<Real, Width>(in, 0)};
  }

  template <class V>
  KOKKOS_FORCEINLINE_FUNCTION static PairTermOf<TransportForce, V>
  evaluate(const CoefficientsOf<V>& c, const PairInputOf<TransportForce, V>& in, const Uniform& weight) {
    PairTermOf<TransportForce, V> term{Dpd::evaluate(c.dpd, in), {}};
    const V r = in.distance2 * Math::inverseSquareRoot(in.distance2);
    fluxes<Math>(c.flux, weight, r, in.ownI, in.ownJ, term.own);
    return term;
  }
};

// The fluxes of a further dozen of solutes.
template <class R, class Math>
struct FluxForce {
  using Real = R;
  static constexpr int width = FurtherFlux::width;
  using Reads = PairReads<Concentration<width, width>>;
  using Sums = PairSums<FurtherFlux>;
  using Uniform = FluxWeight;

  template <class V>
  struct CoefficientsOf : FluxCoefficients<V, width> {};
  using Coefficients = CoefficientsOf<Real>;

  static constexpr const char* label = fluxLabel;
  static constexpr bool alwaysFollowed = true;  // by TransportForce
  static int instances(const input::Deck& deck) { return layoutOf(deck).furtherDozens; }
  static bool handles(const input::Interaction& interaction, const input::Deck&) { return isTransport(interaction); }
  static double ownRange(const input::Deck& deck) { return transport::ownRange(deck); }
  static Uniform uniform(const input::Deck& deck, int) { return FluxWeight::of(deck); }
  template <class Settings>
  static Coefficients coefficients(const Settings& in) {
    return {fluxCoefficients<Real, width>(in, width * (in.instance + 1))};
  }

  template <class V>
  KOKKOS_FORCEINLINE_FUNCTION static PairTermOf<FluxForce, V>
  evaluate(const CoefficientsOf<V>& c, const PairInputOf<FluxForce, V>& in, const Uniform& weight) {
    PairTermOf<FluxForce, V> term{{V(0), V(0)}, {}};
    const V r = in.distance2 * Math::inverseSquareRoot(in.distance2);
    fluxes<Math, width, V>(c, weight, r, in.ownI, in.ownJ, term.own);
    return term;
  }
};

// The random fluxes of four solutes. Where C_i + C_j is not positive there is none.
template <class R, class Math>
struct RandomFlux {
  using Real = R;
  static constexpr int width = RandomSum::width;
  using Reads = PairReads<Noise, Concentration<width>>;
  using Sums = PairSums<RandomSum>;
  struct Uniform {
    FluxWeight weight;
    u32 stream = PairStream::transport;  // of the first of the four
  };

  template <class V>
  struct CoefficientsOf {
    V noise[width] = {};       // m_s sqrt(kappa rho / dt)
    V inverseCutoff = V(1e9);  // 1 / r_cc
    V halfExponent = V(1);     // s_c / 2
  };
  using Coefficients = CoefficientsOf<Real>;

  static constexpr const char* label = randomLabel;
  static constexpr bool alwaysFollowed = true;  // by TransportForce
  static int instances(const input::Deck& deck) { return layoutOf(deck).randomFours; }
  static bool handles(const input::Interaction& interaction, const input::Deck&) { return isTransport(interaction); }
  static double ownRange(const input::Deck& deck) { return transport::ownRange(deck); }
  static Uniform uniform(const input::Deck& deck, int instance) {
    return {FluxWeight::of(deck), PairStream::transport + static_cast<u32>(width * instance)};
  }
  template <class Settings>
  static Coefficients coefficients(const Settings& in) {
    const auto& keys = in.interaction.own.template get<FluxKeys>();
    const TransportKeys& transport = transportOf(in.deck);
    Coefficients c;
    for (int s = 0; s < width; ++s) {
      const auto k = static_cast<std::size_t>(width * in.instance + s);
      if (k >= transport.solutes.size()) continue;
      const double kappa = numberOf(keys.kappa, k), mass = numberOf(transport.soluteMass, k);
      c.noise[s] = Real(in.ownScale * mass * std::sqrt(kappa * transport.density / in.deck.run.timestep));
    }
    c.inverseCutoff = Real(1.0 / keys.cutoff), c.halfExponent = Real(0.5 * keys.exponent);
    return c;
  }

  template <class V>
  KOKKOS_FORCEINLINE_FUNCTION static PairTermOf<RandomFlux, V>
  evaluate(const CoefficientsOf<V>& c, const PairInputOf<RandomFlux, V>& in, const Uniform& uniform) {
    using math::larger, math::select;
    PairTermOf<RandomFlux, V> term{{V(0), V(0)}, {}};
    const V r = in.distance2 * Math::inverseSquareRoot(in.distance2);
    const V w = uniform.weight.template root<Math>(r, c.inverseCutoff, c.halfExponent);
    const V signedWeight = w * pairSign<V>(in.signatureI, in.signatureJ);
    forEach<width>([&](int s) __attribute__((always_inline)) {
      const V zeta =
          gaussian<V, Math>(pairWords<TeaMixing>(in.signatureI, in.signatureJ, uniform.stream + static_cast<u32>(s)));
      const V both = in.ownI[s] + in.ownJ[s];
      const V root = select(both > V(0), Math::squareRootPositive(larger(both, V(1e-30))), V(0));
      term.own[s] = c.noise[s] * signedWeight * (root * zeta);
    });
    return term;
  }
};

}  // namespace mesowarp::transport
