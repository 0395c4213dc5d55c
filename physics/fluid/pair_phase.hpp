// A pair force with one way of adding up as a phase of a step. Included by box_forces_impl.hpp, and so by the sources
// alone that compile it.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>

#include "input/species.hpp"
#include "physics/fluid/box_forces.hpp"

namespace mesowarp {

// How totals become forces, and what goes into a step's sums.
struct SumUnits {
  double scale = 1.0;  // of all terms: totals in fixed point, or at an offset, must stay below 1
  double unit = 1.0;   // 1 / scale
  SumGrid grid;
};

// What a force's coefficients of a pair of species follow from, where that is more than the pair's block of the deck:
// Force::coefficients(PairSettings). ownScale: of the terms of its own sums, whose range Force::ownRange(deck) says;
// instance: several of the force may act in a deck, Force::instances(deck).
struct PairSettings {
  const input::Interaction& interaction;
  const input::Deck& deck;
  double scale, ownScale;
  int instance;
};
template <class Force>
constexpr bool takesSettings = requires(const PairSettings& settings) {
  Force::coefficients(settings);
};

// Whether every deck that has the force has another one behind it, so that none of its kernels ends a step.
template <class Force>
constexpr bool alwaysFollowed = requires {
  Force::alwaysFollowed;
};

// Whether a force has no kernel of its own for one species, which would not look coefficients up: a force that is
// seldom what most particles of a fluid have among each other.
template <class Force>
constexpr bool alwaysLooksUp = requires {
  Force::alwaysLooksUp;
};

// Whether its numbers for all pairs are those of the step.
template <class Force>
constexpr bool uniformChanges = requires(const input::Deck& deck) {
  Force::uniformOfStep(deck);
};
template <class Force>
struct UniformOfStep {
  struct Type {};
};
template <class Force>
requires uniformChanges<Force>
struct UniformOfStep<Force> {
  using Type = std::function<typename Force::Uniform(i64)>;
};

template <class Sum>
SumUnits sumUnits(const input::Deck& deck, i64 particles) {
  SumUnits units;
  if (Sum::scaled) units.scale = std::exp2(-std::ceil(std::log2(deck.sums.range))), units.unit = 1.0 / units.scale;
  if (deck.run.reproducibility == input::Reproducibility::bitwise)
    units.grid = SumGrid::of(static_cast<double>(particles));
  return units;
}

// A power of two that brings terms below `range` below 1, for sums that need it.
template <class Sum>
double scaleOf(double range) {
  return Sum::scaled ? std::exp2(-std::ceil(std::log2(range))) : 1.0;
}

// Of every pair of species; those on which the force does not act have the default, which gives nothing.
template <class Force>
struct PairCoefficientsOfDeck {
  std::vector<typename Force::Coefficients> coefficients;
  double cutoff = 0.0;  // the largest, length; 0: it acts nowhere
};
template <class Force>
PairCoefficientsOfDeck<Force> pairCoefficients(const input::Deck& deck, double scale, [[maybe_unused]] double ownScale,
                                               [[maybe_unused]] int instance) {
  const std::size_t n = deck.species.size();
  PairCoefficientsOfDeck<Force> all{std::vector<typename Force::Coefficients>(n * n)};
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j)
      for (const auto* interaction : input::interactionsOf(deck, deck.species[i], deck.species[j])) {
        if (!Force::handles(*interaction, deck)) continue;
        if constexpr (takesSettings<Force>)
          all.coefficients[i * n + j] =
              Force::coefficients(PairSettings{*interaction, deck, scale, ownScale, instance});
        else
          all.coefficients[i * n + j] = Force::coefficients(*interaction, deck.run.timestep, scale);
        all.cutoff = std::max(all.cutoff, input::reachOf(*interaction));
      }
  return all;
}

template <class P, class Force, class Sum>
class PairPhaseOf final : public PairPhase<P> {
public:
  using Real = typename P::Real;
  using Total = typename Sum::Total;
  PairPhaseOf(CoefficientTable<Force> table, const SumUnits& units, double ownUnit, const input::Deck& deck,
              int instance)
      : table_(std::move(table)), units_(units), timestep_(deck.run.timestep), ownScale_(1.0 / ownUnit),
        instance_(instance) {
    if constexpr (Force::Sums::Own::count > 0) sums_.unit = ownUnit;
    if constexpr (uniformChanges<Force>) uniform_ = Force::uniformOfStep(deck);
    findSlots(deck, instance, std::make_index_sequence<Force::Reads::Own::count>(),
              std::make_index_sequence<Force::Sums::Own::count>());
  }

  const char* label() const override { return Force::label; }
  double cutoff() const override { return table_.cutoff; }
  bool sumsForces() const override { return Force::Sums::force; }
  bool readsVelocities() const override { return Force::Reads::velocity || table_.species > 1; }
  std::vector<FieldRequest> fields() const override {
    std::vector<FieldRequest> all;
    addReads(all, std::make_index_sequence<Force::Reads::Own::count>());
    addSums(all, std::make_index_sequence<Force::Sums::Own::count>());
    for (const FieldRequest& more : changeNeeds_) addRequest(all, more);
    return all;
  }
  void follow(const input::Deck& deck) override {
    table_.set(pairCoefficients<Force>(deck, units_.scale, ownScale_, instance_).coefficients);
    if constexpr (Force::Sums::Own::count > 0)
      if constexpr (requires { sums_.change.follow(deck); }) sums_.change.follow(deck);
  }
  void storeAfter(std::set<std::string>& stored) override {
    storeAfter(stored, std::make_index_sequence<Force::Sums::Own::count>());
  }
  void bind(const FieldRegistry& fields, const StepFlags& flags, bool watched) override {
    bindReads(fields, std::make_index_sequence<Force::Reads::Own::count>());
    if constexpr (Force::Sums::Own::count > 0) {
      sums_.timestep = static_cast<Real>(timestep_);
      sums_.tag = static_cast<const u32*>(fieldOf(fields, "tag").data(false));
      sums_.errors = flags.errors();
      if constexpr (!std::is_same_v<decltype(sums_.change), detail::NoChange>) sums_.change.bind(fields, watched);
      bindSums(fields, std::make_index_sequence<Force::Sums::Own::count>());
    }
  }

  // Not in the class, where they would be inline, and a source that says `extern template` would compile them all the
  // same.
  void accumulate(const PairState<P>& state, const SummedForces& force, int particles, ThermoSums* sums) const override;
  void finish(const PairState<P>& state, const SummedForces& force, const Epilogue<P>& integrator,
              const backend::ParticleBlocks& blocks, ThermoSums* sums) const override;

private:
  // The usual sums have a variant that looks no coefficients up where all pairs have the same, for most steps alone:
  // those that are observed do without, and of those that are taken apart forces that read velocities anyway.
  static constexpr bool usual = !alwaysLooksUp<Force> && (std::is_same_v<Sum, PlainSum<Real>> || summedInTiles<Sum>);
  template <bool OneSpecies, class E>
  PairKernel<P, Force, OneSpecies, Sum, E> kernel(const PairState<P>& state, const E& epilogue) const {
    auto sums = sums_;
    if constexpr (Force::Sums::Own::count > 0) {
      sums.step = state.guard.step;
      sums.half = static_cast<Real>(0.5 * timestep_);
      sums.closing = sums.step == 0 ? Real(0) : sums.half;
    }
    PairKernel<P, Force, OneSpecies, Sum, E> kernel{{state, table_, reads_, sums}, epilogue, units_.unit, units_.grid};
    if constexpr (uniformChanges<Force>) kernel.pairs.uniform = uniform_(state.guard.step);
    return kernel;
  }
  template <bool OneSpecies, class E>
  void run(const PairState<P>& state, const E& epilogue, const backend::ParticleBlocks& blocks) const {
    backend::runPairs(Force::label, blocks, kernel<OneSpecies>(state, epilogue));
  }
  template <bool OneSpecies, class E>
  void run(const PairState<P>& state, const E& epilogue, const backend::ParticleBlocks& blocks, ThermoSums* sums,
           double* virial) const {
    if (sums)
      backend::observePairs(Force::label, blocks, kernel<OneSpecies>(state, epilogue), *sums, virial);
    else
      run<OneSpecies>(state, epilogue, blocks);
  }

  // Of this instance.
  template <std::size_t... F, std::size_t... S>
  void findSlots([[maybe_unused]] const input::Deck& deck, [[maybe_unused]] int instance, std::index_sequence<F...>,
                 std::index_sequence<S...>) {
    ((readSlot_[F] = slotOf<typename Force::Reads::Own::template Of<F>>(deck, instance)), ...);
    ((sumSlot_[S] = slotOf<typename Force::Sums::Own::template Of<S>>(deck, instance)), ...);
    (prepareChange<typename Force::Sums::Own::template Of<S>>(deck), ...);
  }
  template <class Field>
  static FieldSlot slotOf([[maybe_unused]] const input::Deck& deck, [[maybe_unused]] int instance) {
    if constexpr (slotted<Field>)
      return Field::slot(deck, instance);
    else
      return {Field::width, 0};
  }
  template <class S>
  void prepareChange([[maybe_unused]] const input::Deck& deck) {
    if constexpr (hasChange<S>)
      sums_.change = S::template change<Real>(deck), changeNeeds_ = S::changeNeeds(deck, sizeof(Real));
  }

  template <std::size_t... F>
  void addReads(std::vector<FieldRequest>& all, std::index_sequence<F...>) const {
    using Own = typename Force::Reads::Own;
    (addRequest(all, {Own::template Of<F>::name, static_cast<std::size_t>(readSlot_[F].stride), sizeof(Real),
                      traitsOfRead<typename Own::template Of<F>>(), false}),
     ...);
  }
  template <std::size_t... S>
  void addSums(std::vector<FieldRequest>& all, std::index_sequence<S...>) const {
    (addSum<typename Force::Sums::Own::template Of<S>>(all, static_cast<std::size_t>(sumSlot_[S].stride)), ...);
  }
  template <class F>
  static constexpr unsigned traitsOfRead() {
    if constexpr (summedFirst<F>)
      return F::traits;
    else
      return moves | checkpointed | ghosted | hashed;
  }
  template <class S>
  static void addSum(std::vector<FieldRequest>& all, std::size_t width) {
    if constexpr (changesAField<S>)
      addRequest(all,
                 {S::Changes::name, width, sizeof(Real), moves | checkpointed | stepwise | rewritten | hashed, true});
    if constexpr (storedSum<S>()) addRequest(all, {S::name, width, sizeof(Real), traitsOfSum<S>(), false});
  }
  template <std::size_t... F>
  void bindReads(const FieldRegistry& fields, std::index_sequence<F...>) {
    ((reads_.field[F] = static_cast<const Real*>(fieldOf(fields, Force::Reads::Own::template Of<F>::name).data(false)) +
                        readSlot_[F].offset,
      reads_.stride[F] = readSlot_[F].stride),
     ...);
  }
  template <std::size_t... S>
  void bindSums(const FieldRegistry& fields, std::index_sequence<S...>) {
    (bindSum<typename Force::Sums::Own::template Of<S>>(fields, sums_.places[S], sumSlot_[S]), ...);
  }
  template <class S, class Places>
  static void bindSum(const FieldRegistry& fields, Places& places, const FieldSlot& slot) {
    places.stride = slot.stride;
    if constexpr (changesAField<S> && !hasChange<S>) {
      FieldBase& field = fieldOf(fields, S::Changes::name);
      places.now = static_cast<const Real*>(field.data(false)), places.next = static_cast<Real*>(field.data(true));
    }
    if constexpr (storedSum<S>())
      places.stored = static_cast<Real*>(fieldOf(fields, S::name).data(false)) + slot.offset;
  }
  template <std::size_t... S>
  void storeAfter(std::set<std::string>& stored, std::index_sequence<S...>) {
    ((sums_.places[S].adds =
          storedSum<typename Force::Sums::Own::template Of<S>>() && !stored.insert(placeOf<S>()).second),
     ...);
  }
  template <std::size_t S>
  std::string placeOf() const {
    return std::string(Force::Sums::Own::template Of<S>::name) + "+" + std::to_string(sumSlot_[S].offset);
  }

  CoefficientTable<Force> table_;
  SumUnits units_;
  double timestep_, ownScale_;
  int instance_;
  OwnReads<Force> reads_;
  OwnSums<Force> sums_;
  std::array<FieldSlot, Force::Reads::Own::count> readSlot_;
  std::array<FieldSlot, Force::Sums::Own::count> sumSlot_;
  std::vector<FieldRequest> changeNeeds_;
  typename UniformOfStep<Force>::Type uniform_;
};

template <class P, class Force, class Sum>
void PairPhaseOf<P, Force, Sum>::accumulate(const PairState<P>& state, [[maybe_unused]] const SummedForces& force,
                                            int particles, [[maybe_unused]] ThermoSums* sums) const {
  if constexpr (!Force::Sums::force) {
    const NoForce<Total> none;
    table_.same ? run<true>(state, none, {particles}) : run<false>(state, none, {particles});
  } else {
    const AddToForce<Total> add{force.as<Total>()};
    if constexpr (usual && !Force::Reads::velocity)
      if (table_.same && sums == nullptr) return run<true>(state, add, {particles});
    run<false>(state, add, {particles}, sums, force.virial());
  }
}

template <class P, class Force, class Sum>
void PairPhaseOf<P, Force, Sum>::finish([[maybe_unused]] const PairState<P>& state,
                                        [[maybe_unused]] const SummedForces& force,
                                        [[maybe_unused]] const Epilogue<P>& integrator,
                                        [[maybe_unused]] const backend::ParticleBlocks& blocks,
                                        [[maybe_unused]] ThermoSums* sums) const {
  if constexpr (alwaysFollowed<Force> || !Force::Sums::force) {
    throw std::logic_error(std::string(Force::label) + " is never the last force of a step");
  } else {
    const CloseForce<Real, Total, Epilogue<P>> close{integrator, force.as<Total>(), units_.unit};
    if constexpr (usual)
      if (table_.same && sums == nullptr) return run<true>(state, close, blocks);
    run<false>(state, close, blocks, sums, force.virial());
  }
}

// Nothing unless an interaction of the deck is this force's.
template <class Force>
std::optional<CoefficientTable<Force>> pairTable(const input::Deck& deck, double scale, double ownScale, int instance) {
  const auto all = pairCoefficients<Force>(deck, scale, ownScale, instance);
  if (all.cutoff == 0.0) return std::nullopt;
  auto table = CoefficientTable<Force>::make(all.coefficients, static_cast<int>(deck.species.size()), all.cutoff);
  if constexpr (hasUniform<Force> && !uniformChanges<Force>) table.uniform = Force::uniform(deck, instance);
  return table;
}

// Null unless an interaction of the deck is this force's.
template <class P, class Force, class Sum>
std::unique_ptr<PairPhase<P>> makePairPhase(const input::Deck& deck, const SumUnits& units, int instance) {
  double ownScale = units.scale;
  if constexpr (requires { Force::ownRange(deck); }) ownScale = scaleOf<Sum>(Force::ownRange(deck));
  auto table = pairTable<Force>(deck, units.scale, ownScale, instance);
  if (!table) return nullptr;
  return std::make_unique<PairPhaseOf<P, Force, Sum>>(std::move(*table), units, 1.0 / ownScale, deck, instance);
}
// All that a deck has of a force, behind those that are there.
template <class P, class Force, class Sum>
void addPairPhases(std::vector<std::unique_ptr<PairPhase<P>>>& forces, const input::Deck& deck, const SumUnits& units) {
  int instances = 1;
  if constexpr (requires { Force::instances(deck); }) instances = Force::instances(deck);
  for (int k = 0; k < instances; ++k)
    if (auto force = makePairPhase<P, Force, Sum>(deck, units, k)) forces.push_back(std::move(force));
}

}  // namespace mesowarp
