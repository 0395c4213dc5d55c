// Fields of transport: the concentrations that particles carry, and their fluxes. A force has some solutes of all, so
// where its part lies in a particle's numbers a deck says (deck/transport_deck.hpp: Layout).
#pragma once

#include "kernels/pairs/pair_fields.hpp"
#include "physics/transport/concentration_change.hpp"
#include "physics/transport/deck/transport_deck.hpp"

namespace mesowarp::transport {

// C_{k-1/2} of `Width` solutes; instance n of a force has those from First + n Width on.
template <int Width, int First = 0>
struct Concentration {
  static constexpr const char* name = concentrationField;
  static constexpr int width = Width;
  static constexpr bool slotted = true;
  static FieldSlot slot(const input::Deck& deck, int instance) {
    return {layoutOf(deck).stride, First + Width * instance};
  }
};

// Q of the first solutes, summed with the forces: changes the concentrations of all.
template <int Width>
struct Flux : Concentration<Width> {
  static constexpr bool stored = false;
  using Changes = Concentration<Width>;
  template <class Real>
  using Change = ConcentrationChange<Real>;
  template <class Real>
  static Change<Real> change(const input::Deck& deck) {
    return makeChange<Real>(deck);
  }
  static std::vector<FieldRequest> changeNeeds(const input::Deck& deck, std::size_t bytes) {
    return concentrationNeeds(deck, bytes);
  }
};

// Q of a further dozen.
struct FurtherFlux {
  static constexpr const char* name = furtherFluxField;
  static constexpr int width = 12;
  static constexpr bool slotted = true;
  static FieldSlot slot(const input::Deck& deck, int instance) {
    return {12 * layoutOf(deck).furtherDozens, 12 * instance};
  }
};

// Q^R of four.
struct RandomSum {
  static constexpr const char* name = randomFluxField;
  static constexpr int width = 4;
  static constexpr bool slotted = true;
  static FieldSlot slot(const input::Deck& deck, int instance) { return {layoutOf(deck).stride, 4 * instance}; }
};

}  // namespace mesowarp::transport
