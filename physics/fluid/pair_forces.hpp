// The list of pair forces. A translation unit may add one: a constant of its own, `static const AddPairForce<MyForce>
// added;`, compiles it for all ways of adding up. (In a library that is linked only as far as it is called, something
// of that translation unit must be called.)
#pragma once

#include "physics/fluid/pair_phase.hpp"
#include "physics/pair/dpd.hpp"
#include "physics/pair/lennard_jones.hpp"

namespace mesowarp {

template <class P, class Sum>
using PairPhaseMaker = void (*)(std::vector<std::unique_ptr<PairPhase<P>>>&, const input::Deck&, const SumUnits&);

// Those that are compiled apart, each in sources of its own (variants.cmake), with the usual sums alone.
template <class P, class Sum>
constexpr bool compiledApart =
    std::is_same_v<Sum, PlainSum<typename P::Real>> || std::is_same_v<Sum, FixedSum<typename P::Real>>;
template <class P, class Sum, class Math>
void addConservativeApart(std::vector<std::unique_ptr<PairPhase<P>>>& forces, const input::Deck& deck,
                          const SumUnits& units);
template <class P, class Sum, class Math>
void addForcesApart(std::vector<std::unique_ptr<PairPhase<P>>>& forces, const input::Deck& deck, const SumUnits& units);

// Those of other translation units.
template <class P, class Sum>
std::vector<PairPhaseMaker<P, Sum>>& furtherPairForces() {
  static std::vector<PairPhaseMaker<P, Sum>> makers;
  return makers;
}

// All that a deck uses, in the order of the list.
template <class P, class Sum, class Math>
std::vector<std::unique_ptr<PairPhase<P>>> pairForcesOf(const input::Deck& deck, const SumUnits& units) {
  using Real = typename P::Real;
  std::vector<PairPhaseMaker<P, Sum>> makers = {
      // All pair forces that mesowarp has: a new one is one more line here.
      addPairPhases<P, LennardJonesForce<Real, Math>, Sum>,
      addPairPhases<P, DpdForce<Real, true, TeaMixing, Math>, Sum>,
      addPairPhases<P, DpdForce<Real, false, TeaMixing, Math>, Sum>,
      addPairPhases<P, DpdForce<Real, true, MultiplyMixing, Math>, Sum>,
      addPairPhases<P, DpdForce<Real, false, MultiplyMixing, Math>, Sum>,
  };
  const auto& further = furtherPairForces<P, Sum>();
  makers.insert(makers.end(), further.begin(), further.end());
  std::vector<std::unique_ptr<PairPhase<P>>> forces;
  std::set<std::string> stored;
  if constexpr (compiledApart<P, Sum>) addConservativeApart<P, Sum, Math>(forces, deck, units);
  for (const auto add : makers) add(forces, deck, units);
  if constexpr (compiledApart<P, Sum>) addForcesApart<P, Sum, Math>(forces, deck, units);
  for (const auto& force : forces) force->storeAfter(stored);
  return forces;
}

// Force: template <class Real, class Math>.
template <template <class, class> class Force>
class AddPairForce {
public:
  AddPairForce() {
    addUsual<SinglePrecision>(), addUsual<MixedPrecision>(), addUsual<DoublePrecision>();
    add<SinglePrecision, WideSum<float>, math::Hardware>();
    add<SinglePrecision, TakahashiIitakaSum<float>, math::Hardware>();
    add<SinglePrecision, NitadoriSum<float>, math::Hardware>();
    add<SinglePrecision, ModifiedNitadoriSum<float>, math::Hardware>();
  }

private:
  template <class P>
  void addUsual() {
    add<P, PlainSum<typename P::Real>, math::Hardware>(), add<P, FixedSum<typename P::Real>, math::Portable>();
  }
  template <class P, class Sum, class Math>
  void add() {
    furtherPairForces<P, Sum>().push_back(addPairPhases<P, Force<typename P::Real, Math>, Sum>);
  }
};

}  // namespace mesowarp
