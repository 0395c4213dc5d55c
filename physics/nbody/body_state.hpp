// Bodies between two steps, in double precision whatever the forces' precision; index = tag.
#pragma once

#include "physics/nbody/body_force.hpp"

namespace mesowarp::nbody {

using Vectors = DeviceArray<Vec3<double>>;

struct BodyState {
  BodyView bodies;  // at the same time, all of them
  Vectors acceleration, jerk;
  DeviceArray<i64> ticks;  // hermite-block: the body's step, in units of the shortest
  backend::Exclusions exclusions;
  bool ready = false;  // acceleration, jerk and ticks are there

  explicit BodyState(int count)
      : bodies{Vectors("position", count), Vectors("velocity", count), DeviceArray<double>("mass", count),
               DeviceArray<double>("charge", count), DeviceArray<u32>("type", count)},
        acceleration("acceleration", count), jerk("jerk", count), ticks("ticks", count) {}
  int count() const { return bodies.count(); }
  std::size_t bytes() const {
    return static_cast<std::size_t>(count()) * (4 * sizeof(Vec3<double>) + 2 * sizeof(double) + sizeof(u32) + sizeof(i64)) +
           (exclusions.start.extent(0) + exclusions.partner.extent(0)) * sizeof(int);
  }
};

}  // namespace mesowarp::nbody
