// What a deck's [flow_rate] says (flow_rate.hpp).
#pragma once

namespace mesowarp {

struct FlowRateKeys {
  bool on = false;
  int along = 0;              // axis
  double velocity = 0.0;      // mean of all particles that move and are not held, length / time
  double proportional = 0.2;  // 1 / time
  double integral = 0.01;     // 1 / time^2
  double start = 0.0;         // length / time^2
  int every = 20;             // steps between looks
};

}  // namespace mesowarp
