// How large clusters are: particles joined by pairs that are close to each other, directly or by others.
#pragma once

#include "physics/observables/measured_particles.hpp"

namespace mesowarp::observables {

// Bins of sizes 1, 2, 3 to 4, 5 to 8, …
struct ClusterSizes {
  static constexpr int bins = 33;
  std::array<double, bins> clusters{}, particles{};
  double squares = 0.0;  // sum over clusters of size^2
  double largest = 0.0;
};

// Of the first set, joined by pairs of both sets that are closer than `distance`. Exact, so that no order of threads or
// ranks shows. Collective.
ClusterSizes clusterSizes(const MeasuredParticles& particles, const MeasuredBox& box, const DeviceArray<u32>& sets,
                          double distance);

}  // namespace mesowarp::observables
