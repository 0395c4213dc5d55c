// Concentrations in time, with the velocities' scheme: what is stored between steps is C_{k-1/2}, which fluxes of step
// k read,
//   C_k = C_{k-1/2} + dt/2 Q_k,   C_{k+1/2} = C_k + dt/2 Q_k   (step 0: C_0 is given, C_{1/2} = C_0 + dt/2 Q_0).
// Sources and reactions R(C) are taken at the middle of the interval h that a step covers,
//   C* = C + h/2 (Q + R(C)),   C' = C + h (Q + R(C*)),
// so they have second order. Run by the thread that has summed a particle's fluxes.
//
// In single precision what C' loses by rounding is kept in a second number and added in the next step: the total of a
// solute does not wander (as of the velocity, physics/integrate/verlet.hpp).
#pragma once

#include <type_traits>

#include "core/box.hpp"
#include "physics/transport/source_table.hpp"
#include "state/field_request.hpp"

namespace mesowarp::transport {

constexpr const char *concentrationField = "concentration", *lowField = "concentration_low",
                     *observedField = "observed_concentration", *furtherFluxField = "further_flux",
                     *randomFluxField = "random_flux";

template <class Real>
struct ConcentrationChange {
  static constexpr bool compensated = std::is_same_v<Real, float>;
  int solutes = 0, stride = 0, furtherStride = 0;
  const Real* now = nullptr;
  Real* next = nullptr;
  Real* low = nullptr;                // compensated; updated in place
  Real* observed = nullptr;           // C_k; null: nobody looks
  const Real* randomFlux = nullptr;   // null: there is none
  const Real* furtherFlux = nullptr;  // of the solutes behind those of the sum
  DeviceArray<u32> frozen;  // of each species of particles: whether they keep their concentrations; empty: none
  SourceTable<Real> sources;

  void bind(const FieldRegistry& fields, bool watched) {
    const auto find = [&](const char* name, bool ofNext = false) {
      const auto field = fields.find(name);
      return field ? static_cast<Real*>(field->data(ofNext)) : nullptr;
    };
    now = find(concentrationField), next = find(concentrationField, true);
    low = find(lowField), observed = watched ? find(observedField) : nullptr;
    randomFlux = find(randomFluxField), furtherFlux = find(furtherFluxField);
  }
  // Sources and reactions have the rates of another deck from now on, that differs in nothing else.
  void follow(const input::Deck& deck) { followRates(sources, deck); }

  template <class State, int Width>
  KOKKOS_INLINE_FUNCTION void operator()(int i, const State& state, const Real (&sum)[Width], Real closing, Real half,
                                         i64) const {
    const bool keeps = frozen.data() != nullptr && frozen(state.velocity(i).species) != 0;
    if (sources.any() && !keeps) return react(i, state, sum, Width, closing, half);
    const std::size_t at = static_cast<std::size_t>(i) * stride;
    for (int c = 0; c < Width; ++c) advance(at + c, keeps ? Real(0) : withRandom(at + c, sum[c]), closing, half);
    for (int c = Width; c < solutes; ++c)
      advance(at + c, keeps ? Real(0) : withRandom(at + c, further(i, c - Width)), closing, half);
  }

private:
  KOKKOS_INLINE_FUNCTION Real withRandom(std::size_t k, Real flux) const {
    return randomFlux != nullptr ? flux + randomFlux[k] : flux;
  }
  KOKKOS_INLINE_FUNCTION Real further(int i, int c) const {
    return furtherFlux[static_cast<std::size_t>(i) * furtherStride + c];
  }

  // q: dC/dt
  KOKKOS_INLINE_FUNCTION void advance(std::size_t k, Real q, Real closing, Real half) const {
    using math::fusedMultiplyAdd;
    const Real before = now[k];
    if constexpr (compensated) {
      const Real rest = low[k], more = fusedMultiplyAdd(closing + half, q, rest);
      const Real after = before + more, got = after - before;
      next[k] = after;
      low[k] = (before - (after - got)) + (more - got);
      if (observed != nullptr) observed[k] = before + fusedMultiplyAdd(closing, q, rest);
    } else {
      next[k] = fusedMultiplyAdd(closing + half, q, before);
      if (observed != nullptr) observed[k] = fusedMultiplyAdd(closing, q, before);
    }
  }

  template <class State>
  KOKKOS_FUNCTION __attribute__((noinline)) void react(int i, const State& state, const Real* sum, int width,
                                                       Real closing, Real half) const {
    const auto p = state.position(i);
    const double x[3] = {static_cast<double>(p.x) * static_cast<double>(state.tick.x),
                         static_cast<double>(p.y) * static_cast<double>(state.tick.y),
                         static_cast<double>(p.z) * static_cast<double>(state.tick.z)};
    const u64 acting = sources.actingAt(x, static_cast<int>(state.velocity(i).species));
    const std::size_t at = static_cast<std::size_t>(i) * stride;
    const Real middle = Real(0.5) * (closing + half);
    Real rate[mostReactions];
    sources.ratesAt(now + at, rate);
    const auto flux = [&](int c) { return withRandom(at + c, c < width ? sum[c] : further(i, c - width)); };
    for (int c = 0; c < solutes; ++c) {  // C*, where C' will be
      const Real before = now[at + c];
      next[at + c] = math::fusedMultiplyAdd(middle, flux(c) + sources.change(c, before, acting, rate), before);
    }
    sources.ratesAt(next + at, rate);
    for (int c = 0; c < solutes; ++c)
      advance(at + c, flux(c) + sources.change(c, next[at + c], acting, rate), closing, half);
  }
};

// Of a deck, not bound yet; the fields that it needs beside the concentrations.
template <class Real>
ConcentrationChange<Real> makeChange(const input::Deck& deck);
std::vector<FieldRequest> concentrationNeeds(const input::Deck& deck, std::size_t bytes);

extern template ConcentrationChange<float> makeChange<float>(const input::Deck&);
extern template ConcentrationChange<double> makeChange<double>(const input::Deck&);

}  // namespace mesowarp::transport
