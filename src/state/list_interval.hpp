// How many steps a neighbour list is to be used for, where the host does not wait for each step to see whether that was
// one too many (ListedPopulation::looksLate). Kernels stop when a particle has left its half skin, so a list is never
// used for too long; the interval only says when the next build is launched without looking. It follows from the
// particles' motion alone, never from timing: the same run rebuilds at the same steps, and a checkpoint carries it on.
//
// A list that is cut short costs little (a step or two that did nothing), one that is given up a step early costs a
// share of a build. So an interval grows until it is cut, gives way when that happens twice running, and is tried
// longer again from time to time, the more seldom the more often that was in vain.
#pragma once

#include <algorithm>
#include <array>

#include "core/types.hpp"

namespace mesowarp {

class ListInterval {
public:
  int steps() const { return steps_; }

  // The list was good for all its steps.
  void lasted() {
    cuts_ = 0;
    if (trial_) trial_ = false, patience_ = 1;  // one more was fine: another is tried at once
    if (++clean_ < patience_) return;
    clean_ = 0, trial_ = true;
    ++steps_;
  }
  // It was good for fewer: 1 to steps() - 1.
  void cut(int good) {
    clean_ = 0;
    if (trial_) {
      patience_ = std::clamp(2 * patience_, shortest, longest);
      steps_ = good, trial_ = false, cuts_ = 0;
    } else if (++cuts_ == 2) {
      steps_ = std::max(good, before_), cuts_ = 0;
      patience_ = shortest;
    }
    before_ = good;
    steps_ = std::max(steps_, 1);
  }

  std::array<i64, 6> state() const { return {steps_, clean_, patience_, trial_ ? 1 : 0, cuts_, before_}; }
  void restore(const std::array<i64, 6>& s) {
    steps_ = static_cast<int>(s[0]), clean_ = static_cast<int>(s[1]), patience_ = static_cast<int>(s[2]);
    trial_ = s[3] != 0, cuts_ = static_cast<int>(s[4]), before_ = static_cast<int>(s[5]);
  }

private:
  static constexpr int shortest = 8, longest = 256;  // lists between two trials
  int steps_ = 2;
  int clean_ = 0;      // lists in a row that lasted
  int patience_ = 1;   // so many of those before a longer one is tried
  bool trial_ = true;  // this interval has not lasted yet
  int cuts_ = 0;       // in a row
  int before_ = 1;     // steps of the last list that was cut
};

}  // namespace mesowarp
