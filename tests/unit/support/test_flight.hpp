// Free flight of a particle between walls from event to event, in long double: the analytic path.
#pragma once

#include <array>

#include "tests/unit/support/test_systems.hpp"

namespace mesowarp::test {

struct Flight {
  std::array<long double, 3> position, velocity;

  // Flies for `time`; bounce-forward reverses the normal velocity, bounce-back the whole.
  void advance(const input::Deck& deck, long double time) {
    for (;;) {
      int hitAxis = -1;
      long double first = time;
      for (int axis = 0; axis < 3; ++axis) {
        if (deck.box.periodic[axis] || velocity[axis] == 0.0L) continue;
        const long double wall = velocity[axis] > 0.0L ? deck.box.size[axis] : 0.0L;
        const long double t = (wall - position[axis]) / velocity[axis];
        if (t < first) first = t > 0.0L ? t : 0.0L, hitAxis = axis;
      }
      for (int axis = 0; axis < 3; ++axis) position[axis] += first * velocity[axis];
      if (hitAxis < 0) return;
      const bool high = velocity[hitAxis] > 0.0L;
      position[hitAxis] = high ? deck.box.size[hitAxis] : 0.0L;
      if (deck.faces[hitAxis][high ? 1 : 0] == input::FaceStyle::bounce_back)
        for (auto& v : velocity) v = -v;
      else
        velocity[hitAxis] = -velocity[hitAxis];
      time -= first;
    }
  }
};

}  // namespace mesowarp::test
