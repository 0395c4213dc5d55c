// The potential energy of all bodies, in double precision.
#pragma once

#include <any>
#include <limits>
#include <memory>

#include "core/portable_math.hpp"
#include "physics/nbody/largest_sums.hpp"
#include "state/exact_sums.hpp"

namespace mesowarp::nbody {

// Kept from one question to the next: to take and give back memory lasts longer than the sum over a few thousand
// bodies.
struct PotentialMemory {
  std::any bodies;  // a std::shared_ptr<SharedBodies> of what the law reads
  DeviceArray<backend::BodySums> sums;
  Kokkos::View<int, backend::SharedSpace> overflow;
  std::size_t bytes = 0;
};

struct PotentialQuestion {
  const BodyView& bodies;  // of this rank
  BodyShare share;
  const backend::ExcludedPartners& exclusions;
  backend::PairsWorkspace& workspace;
  PotentialMemory& memory;
};

template <class Body>
SharedBodies<Body>& bodiesFor(const PotentialQuestion& question) {
  using Shared = std::shared_ptr<SharedBodies<Body>>;
  PotentialMemory& memory = question.memory;
  const Shared* kept = std::any_cast<Shared>(&memory.bodies);
  if (kept && static_cast<int>((*kept)->all().extent(0)) == question.share.total()) return **kept;
  memory.bodies = std::make_shared<SharedBodies<Body>>(question.share);
  memory.sums = DeviceArray<backend::BodySums>(Kokkos::view_alloc("potentials", Kokkos::WithoutInitializing),
                                               question.bodies.count());
  memory.overflow = Kokkos::View<int, backend::SharedSpace>("overflow");
  SharedBodies<Body>& made = **std::any_cast<Shared>(&memory.bodies);
  memory.bytes = made.bytes() + memory.sums.extent(0) * sizeof(backend::BodySums);
  return made;
}

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
const DeviceArray<backend::BodySums>& potentialSums(const LawAt& lawAt, const WeightAt& weightAt, double scale,
                                                    const PotentialQuestion& question) {
  SharedBodies<typename Law::Body>& shared = bodiesFor<typename Law::Body>(question);
  backend::PairsTask<Law> task;
  task.law = lawAt(scale);
  task.activeCount = question.bodies.count();
  task.onTheFly = question.exclusions;
  task.unit = 1.0 / scale;
  task.sums = question.memory.sums, task.overflow = question.memory.overflow;
  shared.template load<Law>(question.bodies, weightAt(scale));
  shared.template sum<Law, SumOf>(Law::label, task, question.workspace);
  return question.memory.sums;
}

// Sum over the bodies of all ranks of ownWeight (empty: 1) times what the law gives them. lawAt(scale),
// weightAt(scale): the law and what it weighs bodies by, with terms times `scale`. A law of portable math is summed in
// fixed point, at a power of two from its largest term, so that the bits do not depend on an order. Collective.
template <class Law, class LawAt, class WeightAt>
double sumPotential(const LawAt& lawAt, const WeightAt& weightAt, const PotentialQuestion& question,
                    const DeviceArray<double>& ownWeight) {
  if constexpr (std::is_same_v<typename Law::Math, math::Portable>) {
    const auto& terms = potentialSums<Law, LargestTerm>(lawAt, weightAt, 1.0, question);
    const double term = largestOf(terms, 1, question.share.ranks());
    if (!(term > 0.0)) return 0.0;
    if (!std::isfinite(term)) return std::numeric_limits<double>::quiet_NaN();
    const double scale = scaleOfSums<double>(term, question.share.total());
    potentialSums<Law, FixedSum>(lawAt, weightAt, scale, question);
  } else {
    potentialSums<Law, PlainSum>(lawAt, weightAt, 1.0, question);
  }
  return exactSums<OneNumber>("potential energy", question.bodies.count(), WeightedSum{question.memory.sums, ownWeight},
                              question.share.ranks())
      .value;
}

}  // namespace mesowarp::nbody
