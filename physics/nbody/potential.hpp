// The potential energy of all bodies, in double precision.
#pragma once

#include <limits>

#include "core/portable_math.hpp"
#include "physics/nbody/exact_sums.hpp"
#include "physics/nbody/largest_sums.hpp"

namespace mesowarp::nbody {

struct PotentialQuestion {
  const BodyView& bodies;  // of this rank
  BodyShare share;
  const backend::Exclusions& exclusions;
  backend::PairsWorkspace& workspace;
};

struct OneNumber {
  double value;
};
struct WeightedSum {
  DeviceArray<backend::BodySums> sums;
  DeviceArray<double> weight;  // empty: 1
  KOKKOS_INLINE_FUNCTION OneNumber operator()(int i) const {
    return {(weight.data() != nullptr ? weight(i) : 1.0) * sums(i).value[0]};
  }
};

// What a potential law gives each body, over all others.
template <class Law, template <class> class SumOf, class LawAt, class WeightAt>
DeviceArray<backend::BodySums> potentialSums(const LawAt& lawAt, const WeightAt& weightAt, double scale,
                                             SharedBodies<typename Law::Body>& shared, const PotentialQuestion& question) {
  const int n = question.bodies.count();
  backend::PairsTask<Law> task;
  task.law = lawAt(scale);
  task.activeCount = n;
  task.onTheFly = question.exclusions;
  task.unit = 1.0 / scale;
  task.sums = DeviceArray<backend::BodySums>(Kokkos::view_alloc("potentials", Kokkos::WithoutInitializing), n);
  task.overflow = Kokkos::View<int, backend::SharedSpace>("overflow");
  shared.template load<Law>(question.bodies, weightAt(scale));
  shared.template sum<Law, SumOf>(Law::label, task, question.workspace);
  return task.sums;
}

// Sum over the bodies of all ranks of ownWeight (empty: 1) times what the law gives them. lawAt(scale), weightAt(scale): the
// law and what it weighs bodies by, with terms times `scale`. A law of portable math is summed in fixed point, at a power of
// two from its largest term, so that the bits do not depend on an order. Collective.
template <class Law, class LawAt, class WeightAt>
double sumPotential(const LawAt& lawAt, const WeightAt& weightAt, const PotentialQuestion& question,
                    const DeviceArray<double>& ownWeight) {
  SharedBodies<typename Law::Body> shared(question.share);
  DeviceArray<backend::BodySums> sums;
  if constexpr (std::is_same_v<typename Law::Math, math::Portable>) {
    const auto terms = potentialSums<Law, LargestTerm>(lawAt, weightAt, 1.0, shared, question);
    const double term = largestOf(terms, 1, question.share.ranks());
    if (!(term > 0.0)) return 0.0;
    if (!std::isfinite(term)) return std::numeric_limits<double>::quiet_NaN();
    const double scale = scaleOfSums<double>(term, question.share.total());
    sums = potentialSums<Law, FixedSum>(lawAt, weightAt, scale, shared, question);
  } else {
    sums = potentialSums<Law, PlainSum>(lawAt, weightAt, 1.0, shared, question);
  }
  return exactSums<OneNumber>("potential energy", question.bodies.count(), WeightedSum{sums, ownWeight}, question.share.ranks()).value;
}

}  // namespace mesowarp::nbody
