// A pair force of the tests' own, which names fields of its own: DPD, and with it three dissolved substances that
// particles carry and exchange (as in transport DPD), and a density that pairs give both their particles. All that the
// program must know of it is in this file; a constant AddPairForce<ExchangeForce> (tests/shared/exchange_force.cpp)
// compiles it and adds it to the pair forces.
#pragma once

#include "grid/field_rows.hpp"
#include "kernels/pairs/for_each.hpp"
#include "physics/pair/dpd.hpp"

namespace mesowarp::test {

constexpr int substances = 3;

struct Carried {
  static constexpr const char* name = "carried";
  static constexpr int width = substances;
};
// Constant; each particle's part in a pair's density.
struct Weight {
  static constexpr const char* name = "weight";
  static constexpr int width = 1;
};
struct Exchanged {
  static constexpr const char* name = "exchanged";
  static constexpr int width = substances;
  static constexpr bool stored = true;
  static constexpr unsigned traits = checkpointed | moves;  // for the test to read
  using Changes = Carried;
  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION static void next(const Real* now, const Real* sum, Real timestep, Real* next) {
    for (int s = 0; s < substances; ++s) next[s] = math::fusedMultiplyAdd(timestep, sum[s], now[s]);
  }
};
struct Crowding {
  static constexpr const char* name = "crowding";
  static constexpr int width = 1;
  static constexpr unsigned traits = checkpointed | moves;
};

// No word of the grammar: decks of the tests are made by hand.
constexpr const char* exchangeStyle = "exchange";
struct ExchangeKeys {
  double kappa = 0.0;
};

// Q_s = -kappa_s w (c_i - c_j) + epsilon w^(1/2) zeta_s, kappa_s = (1 + s) kappa; kappa is its own key, epsilon
// the deck's.
template <class R, class Math>
struct ExchangeForce {
  using Real = R;
  using Dpd = DpdForce<R, true, TeaMixing, Math>;
  using Reads = PairReads<Velocity, Weight, Noise, Carried>;
  using Sums = PairSums<Exchanged, Crowding>;

  template <class V>
  struct CoefficientsOf {
    typename Dpd::template CoefficientsOf<V> dpd;
    V kappa = 0, epsilon = 0;
    V density = 0;
  };
  using Coefficients = CoefficientsOf<Real>;

  static constexpr const char* label = "pair exchange";
  static bool handles(const input::Interaction& interaction, const input::Deck&) {
    return interaction.style == exchangeStyle;
  }
  static Coefficients coefficients(const input::Interaction& in, double timestep, double scale) {
    return {Dpd::coefficients(in, timestep, scale), Real(scale * in.own.get<ExchangeKeys>().kappa),
            Real(scale * in.epsilon), Real(scale)};
  }

  template <class V>
  KOKKOS_FORCEINLINE_FUNCTION static PairTermOf<ExchangeForce, V> evaluate(const CoefficientsOf<V>& c,
                                                                           const PairInputOf<ExchangeForce, V>& in) {
    using math::fusedMultiplyAdd, math::larger;
    constexpr int weight = Reads::Own::template at<Weight>(), carried = Reads::Own::template at<Carried>();
    constexpr int exchanged = Sums::Own::template at<Exchanged>(), crowding = Sums::Own::template at<Crowding>();
    PairTermOf<ExchangeForce, V> term{Dpd::evaluate(c.dpd, in), {}};
    const V r = in.distance2 * Math::inverseSquareRoot(in.distance2);
    const V w = larger(fusedMultiplyAdd(-r, c.dpd.inverseCutoff, V(1)), V(0));
    const V sign = pairSign<V>(in.signatureI, in.signatureJ);
    forEach<substances>([&](int s) __attribute__((always_inline)) {
      const V zeta = gaussian<V, Math>(pairWords<TeaMixing>(in.signatureI, in.signatureJ, PairStream::transport + s));
      const V flow = c.kappa * V(Real(1 + s)) * w * (in.ownI[carried + s] - in.ownJ[carried + s]);
      term.own[exchanged + s] = fusedMultiplyAdd(c.epsilon * w * sign, zeta, -flow);
    });
    term.own[crowding] = c.density * w * in.ownI[weight] * in.ownJ[weight];
    return term;
  }
};

}  // namespace mesowarp::test
