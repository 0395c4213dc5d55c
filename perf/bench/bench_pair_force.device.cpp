#include "perf/bench/bench_pair_force.hpp"

#include "core/error.hpp"
#include "physics/fluid/pair_phase.hpp"
#include "physics/pair/dpd.hpp"

namespace mesowarp {
namespace {

template <class P, class Force, class Sum>
PairForceAlone<P> withForce(const input::Deck& deck, i64 particles) {
  using Total = typename Sum::Total;
  const SumUnits units = sumUnits<Sum>(deck, particles);
  const auto table = pairTable<Force>(deck, units.scale);
  if (!table) throw InputError("the parts of a step are timed with DPD of exponent 1");
  return [units, table](const PairState<P>& state, const SummedForces& force, int count) {
    using Kernel = PairKernel<P, Force, true, Sum, AddToForce<Total>>;
    const AddToForce<Total> add{force.as<Total>()};
    backend::runPairs("pair force alone", {count}, Kernel{state, *table, add, units.unit, units.grid, {}, {}});
  };
}

template <class P, template <class> class Sum, class Math>
PairForceAlone<P> withSum(const input::Deck& deck, i64 particles) {
  using Real = typename P::Real;
  return deck.run.pair_noise == input::PairNoise::tea
             ? withForce<P, DpdForce<Real, true, TeaMixing, Math>, Sum<Real>>(deck, particles)
             : withForce<P, DpdForce<Real, true, MultiplyMixing, Math>, Sum<Real>>(deck, particles);
}

}  // namespace

template <class P>
PairForceAlone<P> pairForceAlone(const input::Deck& deck, i64 particles) {
  return deck.sums.accumulator == input::Accumulator::narumi ? withSum<P, FixedSum, math::Portable>(deck, particles)
                                                             : withSum<P, PlainSum, math::Hardware>(deck, particles);
}

template PairForceAlone<SinglePrecision> pairForceAlone(const input::Deck&, i64);
template PairForceAlone<MixedPrecision> pairForceAlone(const input::Deck&, i64);
template PairForceAlone<DoublePrecision> pairForceAlone(const input::Deck&, i64);

}  // namespace mesowarp
