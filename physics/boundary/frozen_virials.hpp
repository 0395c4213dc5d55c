// The pressure beside walls is that of the fluid: its particles' halves of the virial, over the volume that walls
// leave. A solid that is full of frozen particles of the fluid's density adds the other halves, and pairs of its own,
// which are of the volume of the solid: these are taken off.
#pragma once

#include "kernels/pairs/pair_traversal.hpp"
#include "state/box_population.hpp"
#include "state/exact_sums.hpp"

namespace mesowarp::boundary {

struct SummedVirial {
  double of[6];
};
template <class P>
struct VirialOfFrozen {
  DeviceArray<PairVelocity<typename P::Store>> velocity;  // species
  DeviceArray<typename P::Real> inverseMass;
  const double* virial;
  KOKKOS_INLINE_FUNCTION SummedVirial operator()(int i) const {
    SummedVirial sum{};
    if (inverseMass(velocity(i).species) > 0) return sum;
    for (int c = 0; c < 6; ++c) sum.of[c] = virial[6 * static_cast<std::size_t>(i) + static_cast<std::size_t>(c)];
    return sum;
  }
};

// Behind a step in which somebody wanted the virials of particles. Collective.
template <class P>
void takeFrozenVirials(BoxPopulation<P>& population, ThermoSums& sums) {
  const auto frozen = exactSums<SummedVirial>(
      "virial of frozen particles", population.count(),
      VirialOfFrozen<P>{population.arrays().velocity->current, population.inverseMass(), population.summed().virial()},
      population.ranks());
  for (int c = 0; c < 6; ++c) sums.virial[c] -= frozen.of[c];
}

}  // namespace mesowarp::boundary
