// [relaxation]: steps before the run proper in which particles that overlap part.
#pragma once

#include <cstdint>

namespace mesowarp {

struct RelaxationKeys {
  bool on = false;
  std::int64_t steps = 2000;   // of each part: with the push-off, with the deck's forces
  double displacement = 0.02;  // the longest in one step, length
  double pushOff = -1.0;       // amplitude of a soft force in place of those that have no bound, energy; filled in
  bool running = false;        // this deck is that of the relaxation itself
};

}  // namespace mesowarp
