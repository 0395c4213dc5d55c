// Fourier components of the density: sums over particles of exp(i k r).
#pragma once

#include <complex>

#include "physics/observables/measured_particles.hpp"

namespace mesowarp::observables {

using Wave = std::array<int, 3>;  // periods of the box along each axis: k = 2 pi (n_x / L_x, …)

struct WaveSums {
  std::vector<std::complex<double>> first, second;  // of the two sets, a number for each wave
};
// Of all ranks; the same bits for any number of ranks and threads. A wave along a walled axis has n = 0. Collective.
WaveSums waveSums(const MeasuredParticles& particles, const MeasuredBox& box, const DeviceArray<u32>& sets,
                  const std::vector<Wave>& waves);

}  // namespace mesowarp::observables
