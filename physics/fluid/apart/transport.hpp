// The pair forces of dissolved species, which are compiled apart (physics/variants.cmake). Included by the sources made
// of physics/fluid/apart/transport.device.cpp.in alone.
#pragma once

#include "physics/fluid/pair_phase.hpp"
#include "physics/transport/transport_force.hpp"

namespace mesowarp {

template <class P, class Sum, class Math>
void addForcesApart(std::vector<std::unique_ptr<PairPhase<P>>>& forces, const input::Deck& deck,
                    const SumUnits& units) {
  using Real = typename P::Real;
  addPairPhases<P, transport::RandomFlux<Real, Math>, Sum>(forces, deck, units);
  addPairPhases<P, transport::FluxForce<Real, Math>, Sum>(forces, deck, units);
  addPairPhases<P, transport::TransportForce<Real, 1, Math>, Sum>(forces, deck, units);
  addPairPhases<P, transport::TransportForce<Real, 4, Math>, Sum>(forces, deck, units);
  addPairPhases<P, transport::TransportForce<Real, 12, Math>, Sum>(forces, deck, units);
}

}  // namespace mesowarp
