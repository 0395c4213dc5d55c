// Which particles are close to each other, for clusters.
#pragma once

#include "physics/observables/measured_particles.hpp"

namespace mesowarp::observables {

// Pairs of tags, the lower one first, of particles of both sets closer than `distance`; of this rank those that it
// finds, so that all ranks' together are all, in any order. Collective.
std::vector<std::array<u32, 2>> closePairs(const MeasuredParticles& particles, const MeasuredBox& box,
                                           const DeviceArray<u32>& sets, double distance);
// Tags of this rank's particles of the first set, in ascending order.
std::vector<u32> tagsOf(const MeasuredParticles& particles, const DeviceArray<u32>& sets);

}  // namespace mesowarp::observables
