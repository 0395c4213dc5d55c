// How many pairs are how far apart.
#pragma once

#include "physics/observables/measured_particles.hpp"

namespace mesowarp::observables {

// Pairs (i, j), i of the first set and j of the second and another particle, by their distance: bins of equal width up
// to `distance`. Integers, of all ranks. Collective.
std::vector<i64> pairDistances(const MeasuredParticles& particles, const MeasuredBox& box, const DeviceArray<u32>& sets,
                               double distance, int bins);

}  // namespace mesowarp::observables
