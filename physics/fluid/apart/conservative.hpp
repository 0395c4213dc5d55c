// Pair forces that are compiled apart (physics/variants.cmake). Included by the sources made of
// physics/fluid/apart/conservative.device.cpp.in alone.
#pragma once

#include "physics/fluid/pair_phase.hpp"
#include "physics/pair/between_molecules.hpp"
#include "physics/pair/flow_friction.hpp"
#include "physics/pair/lennard_jones.hpp"
#include "physics/pair/many_body.hpp"
#include "physics/pair/morse.hpp"
#include "physics/pair/soft.hpp"
#include "physics/pair/table.hpp"

namespace mesowarp {

template <class P, class Sum, class Math>
void addConservativeApart(std::vector<std::unique_ptr<PairPhase<P>>>& forces, const input::Deck& deck,
                          const SumUnits& units) {
  using Real = typename P::Real;
  addPairPhases<P, DensitySum<Real, Math>, Sum>(forces, deck, units);
  addPairPhases<P, FlowFriction<Real, Math>, Sum>(forces, deck, units);
  addPairPhases<P, SoftForce<Real, Math>, Sum>(forces, deck, units);
  addPairPhases<P, TableForce<Real, Math>, Sum>(forces, deck, units);
  addPairPhases<P, MorseForce<Real, Math>, Sum>(forces, deck, units);
  addPairPhases<P, BetweenMolecules<SoftForce<Real, Math>>, Sum>(forces, deck, units);
  addPairPhases<P, BetweenMolecules<LennardJonesForce<Real, Math>>, Sum>(forces, deck, units);
  addPairPhases<P, BetweenMolecules<MorseForce<Real, Math>>, Sum>(forces, deck, units);
  addPairPhases<P, ManyBodyForce<Real, Math>, Sum>(forces, deck, units);
}

}  // namespace mesowarp
