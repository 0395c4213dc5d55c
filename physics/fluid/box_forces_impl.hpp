// Forces of particles in a box with one way of adding them up. Included by the sources made of
// box_forces.device.cpp.in alone.
#pragma once

#include "device/host_copy.hpp"
#include "kernels/terms/run_terms.hpp"
#include "physics/fluid/pair_forces.hpp"

namespace mesowarp {

template <class P, class Sum, class Math>
class BoxForcesOf final : public BoxForces<P> {
public:
  using Real = typename P::Real;
  BoxForcesOf(const input::Deck& deck, i64 particles) : units_(sumUnits<Sum>(deck, particles)) {
    this->pairs = pairForcesOf<P, Sum, Math>(deck, units_);
    followBonds(deck);
  }
  void sumBonds(const BondState<P>& state, const SummedForces& force, int particles, ThermoSums* sums) const override {
    backend::runTerms("bonds", particles,
                      BondKernel<P, Sum, Math>{state, bonds_, force.as<typename Sum::Total>(), units_.unit, units_.grid,
                                               force.virial()},
                      sums);
  }
  void close(const SummedForces& force, const Epilogue<P>& integrator, const StepGuard& guard, int particles,
             ThermoSums* sums) const override {
    using Total = typename Sum::Total;
    const CloseForce<Real, Total, Epilogue<P>> close{integrator, force.as<Total>(), units_.unit};
    backend::runKernel("close step", particles, CloseStep<Real, Total, Epilogue<P>>{close, guard}, sums);
  }
  void open(const Epilogue<P>& integrator, const StepGuard& guard, const backend::ParticleBlocks& blocks,
            ThermoSums* sums) const override {
    const int size = backend::blockSizeFor(blocks.particles);
    backend::runKernel("open step", backend::preparedIndices(blocks, size),
                       OpenStep<Epilogue<P>>{integrator, blocks, size, guard}, sums);
  }
  std::size_t summedBytes() const override { return sizeof(Vec3<typename Sum::Total>); }
  double fixedUnit() const override {
    if constexpr (summedInTiles<Sum>) return units_.unit * Sum::Total::unit;
    return 0.0;
  }
  SumGrid grid() const override { return units_.grid; }

  void followBonds(const input::Deck& deck) override {
    std::vector<BondCoefficients<Real>> all;
    for (const input::Bond& bond : deck.bonds) {
      const bool fene = bond.style == input::BondStyle::fene;
      const double rMax2 = fene ? bond.r_max * bond.r_max : 1.0;
      all.push_back({fene ? BondKind::fene : BondKind::harmonic, Real(units_.scale * bond.k), Real(bond.r0),
                     Real(rMax2), Real(1.0 / rMax2)});
    }
    if (bonds_.extent(0) == all.size())
      refill(bonds_, all);
    else
      bonds_ = toDevice<BondCoefficients<Real>>("bond coefficients", all);
  }

private:
  SumUnits units_;
  DeviceArray<BondCoefficients<Real>> bonds_;
};

template <class P, class Sum, class Math>
std::unique_ptr<BoxForces<P>> makeBoxForcesOf(const input::Deck& deck, i64 particles) {
  return std::make_unique<BoxForcesOf<P, Sum, Math>>(deck, particles);
}

}  // namespace mesowarp
