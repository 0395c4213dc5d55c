// Included by molecule_forces_*.device.cpp.
#pragma once

#include <cmath>

#include "device/host_copy.hpp"
#include "kernels/terms/run_terms.hpp"
#include "physics/topology/molecule_forces.hpp"

namespace mesowarp {

constexpr double radians = math::pi / 180.0;

template <class Real>
AngleCoefficients<Real> coefficientsOf(const input::Angle& angle, double scale) {
  AngleCoefficients<Real> c;
  c.kind = static_cast<AngleKind>(angle.style);
  c.k = Real(scale * angle.k);
  c.theta0 = Real(radians * angle.theta0), c.cos0 = Real(std::cos(radians * angle.theta0));
  return c;
}

template <class Real>
DihedralCoefficients<Real> coefficientsOf(const input::Dihedral& dihedral, double scale) {
  DihedralCoefficients<Real> c;
  c.kind = static_cast<DihedralKind>(dihedral.style);
  c.k = Real(scale * dihedral.k), c.n = dihedral.n;
  const double phi0 = radians * dihedral.phi0;
  c.phi0 = Real(phi0), c.cos0 = Real(std::cos(phi0)), c.sin0 = Real(std::sin(phi0));
  return c;
}

template <class P, class Sum, class Math>
class MoleculeForcesOf final : public MoleculeForces<P> {
public:
  using Real = typename P::Real;
  using Angles = AngleTerm<Math>;
  using Dihedrals = DihedralTerm<Math>;

  MoleculeForcesOf(const input::Deck& deck, const SumGrid& grid) : grid_(grid) {
    if (Sum::scaled) unit_ = std::exp2(std::ceil(std::log2(deck.sums.range)));
    angles_ = DeviceArray<AngleCoefficients<Real>>("angle coefficients", deck.angles.size());
    dihedrals_ = DeviceArray<DihedralCoefficients<Real>>("dihedral coefficients", deck.dihedrals.size());
    MoleculeForcesOf::follow(deck);
  }
  void follow(const input::Deck& deck) override {
    fill(deck.angles, angles_);
    fill(deck.dihedrals, dihedrals_);
  }
  void addAngles(const TermState<P>& state, const SummedForces& force, int particles, ThermoSums* sums) const override {
    add<Angles>(state, angles_, force, particles, sums);
  }
  void addDihedrals(const TermState<P>& state, const SummedForces& force, int particles,
                    ThermoSums* sums) const override {
    add<Dihedrals>(state, dihedrals_, force, particles, sums);
  }

private:
  template <class Blocks, class Coefficients>
  void fill(const Blocks& blocks, const DeviceArray<Coefficients>& array) const {
    std::vector<Coefficients> all;
    for (const auto& block : blocks) all.push_back(coefficientsOf<Real>(block, 1.0 / unit_));
    refill(array, all);
  }
  template <class Term>
  void add(const TermState<P>& state, const DeviceArray<typename Term::template Coefficients<Real>>& coefficients,
           const SummedForces& force, int particles, ThermoSums* sums) const {
    using Total = typename Sum::Total;
    backend::runTerms(Term::label, particles,
                      TermKernel<P, Sum, Term>{state, coefficients, force.as<Total>(), unit_, grid_, force.virial()},
                      sums);
  }

  double unit_ = 1.0;  // of a total: as pair forces have it
  SumGrid grid_;
  DeviceArray<AngleCoefficients<Real>> angles_;
  DeviceArray<DihedralCoefficients<Real>> dihedrals_;
};

}  // namespace mesowarp
