// What particles were at earlier times: unwrapped coordinates or velocities, kept in a field of theirs (three words for
// each of some levels), so that sums over particles need no word of another rank.
#pragma once

#include "physics/observables/measured_particles.hpp"

namespace mesowarp::observables {

// Sums over the chosen particles; of two components' order x, y, z.
struct MovedSums {
  double squared[3] = {};   // displacements, length^2
  double moved[3] = {};     // their sum
  double weighted[3] = {};  // the same, each times the mass
};
struct VelocitySums {
  double product[3] = {};  // v(then) v(now)
};

// One measure's field and the particles that it is of.
struct Origins {
  MeasuredField field;  // 3 levels words of each particle
  int levels = 0;
  DeviceArray<u32> sets;  // bit 0 of a species' word: it is measured
  DeviceArray<double> mass;
  double fast = 0.0;  // a speed along an axis that hardly any particle has; 0: not known
};

// Stores what particles are now as the origin of a level. velocities: these, or unwrapped coordinates.
void storeOrigins(const Origins& origins, const MeasuredParticles& particles, int level, bool velocities);
// Collective; the same bits for any number of ranks and threads.
MovedSums movedSince(const Origins& origins, const MeasuredParticles& particles, const MeasuredBox& box, int level);
VelocitySums correlatedWith(const Origins& origins, const MeasuredParticles& particles, const MeasuredBox& box,
                            int level);
// v(now) v(now)
VelocitySums correlatedNow(const Origins& origins, const MeasuredParticles& particles, const MeasuredBox& box);

}  // namespace mesowarp::observables
