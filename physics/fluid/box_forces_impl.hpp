// Forces of particles in a box with one way of adding them up. Included by box_forces_*.device.cpp alone.
#pragma once

#include <algorithm>
#include <cmath>

#include "physics/fluid/box_forces.hpp"
#include "input/species.hpp"
#include "physics/pair/dpd.hpp"
#include "physics/pair/lennard_jones.hpp"

namespace mesowarp {

// How totals become forces, and what goes into a step's sums.
struct SumUnits {
  double scale = 1.0;  // of all terms: totals in fixed point, or at an offset, must stay below 1
  double unit = 1.0;   // 1 / scale
  SumGrid grid;
};

template <class Sum>
SumUnits sumUnits(const input::Deck& deck, i64 particles) {
  SumUnits units;
  if (Sum::scaled) units.scale = std::exp2(-std::ceil(std::log2(deck.sums.range))), units.unit = 1.0 / units.scale;
  if (deck.run.reproducibility == input::Reproducibility::bitwise)
    units.grid = SumGrid::of(static_cast<double>(particles));
  return units;
}

template <class P, class Force, class Sum>
class PairPhaseOf final : public PairPhase<P> {
public:
  using Total = typename Sum::Total;
  PairPhaseOf(PairTable<Force> table, const SumUnits& units) : table_(std::move(table)), units_(units) {}
  const char* label() const override { return Force::label; }
  double cutoff() const override { return table_.cutoff; }
  bool readsVelocities() const override { return Force::usesVelocity || table_.species > 1; }
  void accumulate(const PairState<P>& state, const SummedForces& force, int particles,
                  ThermoSums* sums) const override {
    run(state, AddToForce<Total>{force.as<Total>()}, {particles}, sums);
  }
  void finish(const PairState<P>& state, const SummedForces& force, const Epilogue<P>& integrator,
              const backend::ParticleBlocks& blocks, ThermoSums* sums) const override {
    run(state, CloseForce<typename P::Real, Total, Epilogue<P>>{integrator, force.as<Total>(), units_.unit}, blocks,
        sums);
  }

private:
  // The usual sums have a variant that looks no coefficients up where there is one species.
  static constexpr bool usual = std::is_same_v<Sum, PlainSum<typename P::Real>> || summedInTiles<Sum>;
  template <class E>
  void run(const PairState<P>& state, const E& epilogue, const backend::ParticleBlocks& blocks,
           ThermoSums* sums) const {
    if constexpr (usual)
      if (table_.species == 1) return runAs<true>(state, epilogue, blocks, sums);
    runAs<false>(state, epilogue, blocks, sums);
  }
  template <bool OneSpecies, class E>
  void runAs(const PairState<P>& state, const E& epilogue, const backend::ParticleBlocks& blocks,
             ThermoSums* sums) const {
    backend::runPairs(Force::label, blocks,
                      PairKernel<P, Force, OneSpecies, Sum, E>{state, table_, epilogue, units_.unit, units_.grid},
                      sums);
  }
  PairTable<Force> table_;
  SumUnits units_;
};

template <class P, class Sum, class Math>
class BoxForcesOf final : public BoxForces<P> {
public:
  using Real = typename P::Real;
  BoxForcesOf(const input::Deck& deck, i64 particles) : units_(sumUnits<Sum>(deck, particles)) {
    // All pair forces that mesowarp has: a new one is one more line here.
    add<LennardJonesForce<Real, Math>>(deck);
    add<DpdForce<Real, true, TeaMixing, Math>>(deck);
    add<DpdForce<Real, false, TeaMixing, Math>>(deck);
    add<DpdForce<Real, true, MultiplyMixing, Math>>(deck);
    add<DpdForce<Real, false, MultiplyMixing, Math>>(deck);
    makeBonds(deck);
  }
  void sumBonds(const BondState<P>& state, const SummedForces& force, int particles, ThermoSums* sums) const override {
    backend::runKernel(
        "bonds", particles,
        BondKernel<P, Sum, Math>{state, bonds_, force.as<typename Sum::Total>(), units_.unit, units_.grid}, sums);
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
    backend::runKernel("open step", blocks.toDo(size) * size, OpenStep<Epilogue<P>>{integrator, blocks, size, guard},
                       sums);
  }
  std::size_t summedBytes() const override { return sizeof(Vec3<typename Sum::Total>); }
  double fixedUnit() const override {
    if constexpr (summedInTiles<Sum>) return units_.unit * Sum::Total::unit;
    return 0.0;
  }
  SumGrid grid() const override { return units_.grid; }

private:
  // If an interaction of the deck is this force's.
  template <class Force>
  void add(const input::Deck& deck) {
    const std::size_t n = deck.species.size();
    std::vector<typename Force::Coefficients> coefficients(n * n);
    double cutoff = 0.0;
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        const auto* interaction = input::pairInteraction(deck, deck.species[i], deck.species[j]);
        if (!interaction || !Force::handles(*interaction, deck)) continue;
        coefficients[i * n + j] = Force::coefficients(*interaction, deck.run.timestep, units_.scale);
        cutoff = std::max(cutoff, interaction->cutoff);
      }
    }
    if (cutoff == 0.0) return;
    auto table = PairTable<Force>::make(coefficients, static_cast<int>(n), cutoff);
    this->pairs.push_back(std::make_unique<PairPhaseOf<P, Force, Sum>>(std::move(table), units_));
  }
  void makeBonds(const input::Deck& deck) {
    bonds_ = DeviceArray<BondCoefficients<Real>>("bond coefficients", deck.bonds.size());
    auto host = Kokkos::create_mirror_view(bonds_);
    for (std::size_t b = 0; b < deck.bonds.size(); ++b) {
      const input::Bond& bond = deck.bonds[b];
      const bool fene = bond.style == input::BondStyle::fene;
      const double rMax2 = fene ? bond.r_max * bond.r_max : 1.0;
      host(b) = {fene ? BondKind::fene : BondKind::harmonic, Real(units_.scale * bond.k), Real(bond.r0), Real(rMax2),
                 Real(1.0 / rMax2)};
    }
    Kokkos::deep_copy(bonds_, host);
  }

  SumUnits units_;
  DeviceArray<BondCoefficients<Real>> bonds_;
};

}  // namespace mesowarp
