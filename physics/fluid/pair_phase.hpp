// A pair force with one way of adding up as a phase of a step. Included by box_forces_impl.hpp, and so by the sources
// alone that compile it.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>

#include "input/species.hpp"
#include "physics/fluid/box_forces.hpp"

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
  using Real = typename P::Real;
  using Total = typename Sum::Total;
  PairPhaseOf(PairTable<Force> table, const SumUnits& units, double timestep)
      : table_(std::move(table)), units_(units), timestep_(timestep) {}

  const char* label() const override { return Force::label; }
  double cutoff() const override { return table_.cutoff; }
  bool readsVelocities() const override { return Force::Reads::velocity || table_.species > 1; }
  std::vector<FieldRequest> fields() const override {
    std::vector<FieldRequest> all;
    addReads(all, std::make_index_sequence<Force::Reads::Own::count>());
    addSums(all, std::make_index_sequence<Force::Sums::Own::count>());
    return all;
  }
  void storeAfter(std::set<std::string>& stored) override {
    storeAfter(stored, std::make_index_sequence<Force::Sums::Own::count>());
  }
  void bind(const FieldRegistry& fields, const StepFlags& flags) override {
    bindReads(fields, std::make_index_sequence<Force::Reads::Own::count>());
    if constexpr (Force::Sums::Own::count > 0) {
      sums_.timestep = static_cast<Real>(timestep_);
      sums_.tag = static_cast<const u32*>(fieldOf(fields, "tag").data(false));
      sums_.errors = flags.errors();
      bindSums(fields, std::make_index_sequence<Force::Sums::Own::count>());
    }
  }

  // Not in the class, where they would be inline, and a source that says `extern template` would compile them all the
  // same.
  void accumulate(const PairState<P>& state, const SummedForces& force, int particles, ThermoSums* sums) const override;
  void finish(const PairState<P>& state, const SummedForces& force, const Epilogue<P>& integrator,
              const backend::ParticleBlocks& blocks, ThermoSums* sums) const override;

private:
  // The usual sums have a variant that looks no coefficients up where there is one species, for most steps alone: those
  // that are observed, or taken apart, do without.
  static constexpr bool usual = std::is_same_v<Sum, PlainSum<Real>> || summedInTiles<Sum>;
  template <bool OneSpecies, class E>
  PairKernel<P, Force, OneSpecies, Sum, E> kernel(const PairState<P>& state, const E& epilogue) const {
    auto sums = sums_;
    if constexpr (Force::Sums::Own::count > 0) sums.step = state.guard.step;
    return {state, table_, epilogue, units_.unit, units_.grid, reads_, sums};
  }
  template <bool OneSpecies, class E>
  void run(const PairState<P>& state, const E& epilogue, const backend::ParticleBlocks& blocks) const {
    backend::runPairs(Force::label, blocks, kernel<OneSpecies>(state, epilogue));
  }
  template <bool OneSpecies, class E>
  void run(const PairState<P>& state, const E& epilogue, const backend::ParticleBlocks& blocks,
           ThermoSums* sums) const {
    if (sums)
      backend::observePairs(Force::label, blocks, kernel<OneSpecies>(state, epilogue), *sums);
    else
      run<OneSpecies>(state, epilogue, blocks);
  }

  template <std::size_t... F>
  static void addReads(std::vector<FieldRequest>& all, std::index_sequence<F...>) {
    using Own = typename Force::Reads::Own;
    (addRequest(all, {Own::template Of<F>::name, Own::template Of<F>::width, sizeof(Real),
                      moves | checkpointed | ghosted | hashed, false}),
     ...);
  }
  template <std::size_t... S>
  static void addSums(std::vector<FieldRequest>& all, std::index_sequence<S...>) {
    (addSum<typename Force::Sums::Own::template Of<S>>(all), ...);
  }
  template <class S>
  static void addSum(std::vector<FieldRequest>& all) {
    if constexpr (changesAField<S>)
      addRequest(
          all, {S::Changes::name, S::width, sizeof(Real), moves | checkpointed | stepwise | rewritten | hashed, true});
    if constexpr (storedSum<S>()) addRequest(all, {S::name, S::width, sizeof(Real), traitsOfSum<S>(), false});
  }
  template <std::size_t... F>
  void bindReads(const FieldRegistry& fields, std::index_sequence<F...>) {
    ((reads_.field[F] = static_cast<const Real*>(fieldOf(fields, Force::Reads::Own::template Of<F>::name).data(false))),
     ...);
  }
  template <std::size_t... S>
  void bindSums(const FieldRegistry& fields, std::index_sequence<S...>) {
    (bindSum<typename Force::Sums::Own::template Of<S>>(fields, sums_.places[S]), ...);
  }
  template <class S, class Places>
  static void bindSum(const FieldRegistry& fields, Places& places) {
    if constexpr (changesAField<S>) {
      FieldBase& field = fieldOf(fields, S::Changes::name);
      places.now = static_cast<const Real*>(field.data(false)), places.next = static_cast<Real*>(field.data(true));
    }
    if constexpr (storedSum<S>()) places.stored = static_cast<Real*>(fieldOf(fields, S::name).data(false));
  }
  template <std::size_t... S>
  void storeAfter(std::set<std::string>& stored, std::index_sequence<S...>) {
    ((sums_.places[S].adds = storedSum<typename Force::Sums::Own::template Of<S>>() &&
                             !stored.insert(Force::Sums::Own::template Of<S>::name).second),
     ...);
  }

  PairTable<Force> table_;
  SumUnits units_;
  double timestep_;
  OwnReads<Force> reads_;
  OwnSums<Force> sums_;
};

template <class P, class Force, class Sum>
void PairPhaseOf<P, Force, Sum>::accumulate(const PairState<P>& state, const SummedForces& force, int particles,
                                            ThermoSums* sums) const {
  run<false>(state, AddToForce<Total>{force.as<Total>()}, {particles}, sums);
}

template <class P, class Force, class Sum>
void PairPhaseOf<P, Force, Sum>::finish(const PairState<P>& state, const SummedForces& force,
                                        const Epilogue<P>& integrator, const backend::ParticleBlocks& blocks,
                                        ThermoSums* sums) const {
  const CloseForce<Real, Total, Epilogue<P>> close{integrator, force.as<Total>(), units_.unit};
  if constexpr (usual)
    if (table_.species == 1 && sums == nullptr) return run<true>(state, close, blocks);
  run<false>(state, close, blocks, sums);
}

// Nothing unless an interaction of the deck is this force's.
template <class Force>
std::optional<PairTable<Force>> pairTable(const input::Deck& deck, double scale) {
  const std::size_t n = deck.species.size();
  std::vector<typename Force::Coefficients> coefficients(n * n);
  double cutoff = 0.0;
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = 0; j < n; ++j) {
      const auto* interaction = input::pairInteraction(deck, deck.species[i], deck.species[j]);
      if (!interaction || !Force::handles(*interaction, deck)) continue;
      coefficients[i * n + j] = Force::coefficients(*interaction, deck.run.timestep, scale);
      cutoff = std::max(cutoff, interaction->cutoff);
    }
  }
  if (cutoff == 0.0) return std::nullopt;
  return PairTable<Force>::make(coefficients, static_cast<int>(n), cutoff);
}

// Null unless an interaction of the deck is this force's.
template <class P, class Force, class Sum>
std::unique_ptr<PairPhase<P>> makePairPhase(const input::Deck& deck, const SumUnits& units) {
  auto table = pairTable<Force>(deck, units.scale);
  if (!table) return nullptr;
  return std::make_unique<PairPhaseOf<P, Force, Sum>>(std::move(*table), units, deck.run.timestep);
}

}  // namespace mesowarp
