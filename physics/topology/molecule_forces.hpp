// Angles and dihedrals of a deck's particles, with one way of computing and adding up, compiled once for each
// (molecule_forces_*.device.cpp). They add to what bonds and pair forces sum.
#pragma once

#include <memory>

#include "input/deck.hpp"
#include "kernels/pairs/summed_forces.hpp"
#include "physics/topology/angles.hpp"
#include "physics/topology/dihedrals.hpp"

namespace mesowarp {

template <class P>
class MoleculeForces {
public:
  virtual ~MoleculeForces() = default;
  // Takes over the stiffness of a deck that differs in nothing else.
  virtual void follow(const input::Deck& deck) = 0;
  // Both add to `force`; with sums, they add energy and virial.
  virtual void addAngles(const TermState<P>& state, const SummedForces& force, int particles,
                         ThermoSums* sums) const = 0;
  virtual void addDihedrals(const TermState<P>& state, const SummedForces& force, int particles,
                            ThermoSums* sums) const = 0;
};

// As the deck's accumulator says. grid: of what particles add to a step's sums.
template <class P>
std::unique_ptr<MoleculeForces<P>> makeMoleculeForces(const input::Deck& deck, const SumGrid& grid);

// Of a deck's block; scale: of energies.
template <class Real>
AngleCoefficients<Real> coefficientsOf(const input::Angle& angle, double scale);
template <class Real>
DihedralCoefficients<Real> coefficientsOf(const input::Dihedral& dihedral, double scale);

}  // namespace mesowarp
