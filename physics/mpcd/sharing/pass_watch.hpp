// What the passes over a solvent report to the host, which reads it one pass later, while the next is at work: so it
// waits for nothing that the device has not long done. Where particles are after pass k - 1 says how far they can be
// after pass k + 1: so far as two collisions take them.
#pragma once

#include <limits>
#include <optional>
#include <utility>

#include "device/config.hpp"
#include "device/launch/host_word.hpp"
#include "device/stream_event.hpp"

namespace mesowarp::mpcd {

class PassWatch {
public:
  // Words of the host's that kernels set to 1: a particle is that far from its domain that it must migrate before two
  // more collisions; one of a brick that comes last is near cells that are shared.
  int* far() const { return words_.data() + 2 * turn_; }
  int* near() const { return far() + 1; }

  void begin() { turn_ = 1 - turn_; }
  // Behind all that the main stream has been given of a pass.
  void end() { event_[turn_].record(), ended_[turn_] = true, value_[turn_] = 0; }
  // Or a word of the host's and what a kernel stores there, behind all that is reported of it.
  struct End {
    int *word, value;
  };
  End endByKernel() {
    ended_[turn_] = true, value_[turn_] = passes_ = passes_ % std::numeric_limits<int>::max() + 1;
    return {words_.data() + 4 + turn_, value_[turn_]};
  }
  struct Seen {
    bool far, near;
  };
  // Of the pass before the one that has begun: waits for it. None: there was none.
  std::optional<Seen> before() {
    const int turn = 1 - turn_;
    if (!std::exchange(ended_[turn], false)) return std::nullopt;
    if (value_[turn] != 0)
      backend::awaitStored(words_.data() + 4 + turn, value_[turn]);
    else
      event_[turn].wait();
    int* const words = words_.data() + 2 * turn;
    return Seen{std::exchange(words[0], 0) != 0, std::exchange(words[1], 0) != 0};
  }
  // Nothing is known of what was.
  void forget() {
    for (int k = 0; k < 2; ++k) begin(), before();
  }

private:
  Kokkos::View<int*, backend::SharedSpace> words_{"reports of passes", 6};
  backend::StreamEvent event_[2];
  bool ended_[2] = {};
  int value_[2] = {}, passes_ = 0;  // 0: an event says when it has ended
  int turn_ = 0;
};

}  // namespace mesowarp::mpcd
