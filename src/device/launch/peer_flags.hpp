// Flags in memory of GPUs, one each way, by which kernels of one tell those of another what they have stored
// (flags_gpu.hpp).
#pragma once

#include <array>

#include "core/direction.hpp"
#include "core/types.hpp"

namespace mesowarp::backend {

struct PeerFlags {
  std::array<u32*, direction::count> flag{};  // null: none that way
  u32 value = 0;
};

// Raised by a kernel itself, as its last block is done: a kernel of its own for that takes 13 microseconds
// (perf/log/mpcd.md).
struct RaiseFlags {
  PeerFlags flags{};
  u32* done = nullptr;  // counts blocks, and is zero behind them; null: it raises none
};

// Awaited by some blocks of a kernel, fewer than the GPU has room for: else those that pack, here and on the other
// side, might find none.
struct AwaitFlags {
  PeerFlags flags{};
  int first = 0, number = 0;  // of these blocks; none wait, and the first one reports
  int* word = nullptr;        // of the host's: set to `end`, behind the wait; null: nobody asks
  int end = 0;
};

}  // namespace mesowarp::backend
