// Bodies of a rank between two steps, in double precision whatever the forces' precision; tag = share.first() + index.
#pragma once

#include "physics/nbody/body_force.hpp"
#include "physics/nbody/body_share.hpp"

namespace mesowarp::nbody {

using Vectors = DeviceArray<Vec3<double>>;

struct BodyState {
  BodyShare share;
  BodyView bodies;  // at the same time, all of them
  Vectors acceleration, jerk;
  DeviceArray<i64> ticks;                // hermite-block: the body's step, in units of the shortest
  backend::ExcludedPartners exclusions;  // of all ranks, by tags
  bool ready = false;                    // acceleration, jerk and ticks are there

  explicit BodyState(const BodyShare& s) : BodyState(s, s.count()) {}
  int count() const { return bodies.count(); }
  std::size_t bytes() const {
    return static_cast<std::size_t>(count()) *
               (4 * sizeof(Vec3<double>) + 2 * sizeof(double) + sizeof(u32) + sizeof(i64)) +
           (exclusions.start.extent(0) + exclusions.partner.extent(0)) * sizeof(int);
  }

private:
  BodyState(const BodyShare& s, int count)
      : share(s), bodies{Vectors("position", count), Vectors("velocity", count), DeviceArray<double>("mass", count),
                         DeviceArray<double>("charge", count), DeviceArray<u32>("type", count)},
        acceleration("acceleration", count), jerk("jerk", count), ticks("ticks", count) {}
};

}  // namespace mesowarp::nbody
