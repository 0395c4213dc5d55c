// How bytes get from a rank to its neighbours. Kernels write what goes each way into memory that the transport names, and
// read from memory that it names; whether that is the host's, the device's or the neighbour's own is its business.
#pragma once

#include <array>
#include <memory>
#include <string>

#include "backend/side_stream.hpp"
#include "comm/communicator.hpp"
#include "core/domain.hpp"

namespace mesowarp::comm {

// Bytes for, or from, each way; those of one way follow those of the way before.
struct WayBytes {
  std::array<std::size_t, direction::count + 1> first{};
  std::size_t total() const { return first[direction::count]; }
  std::size_t of(int way) const { return first[way + 1] - first[way]; }
};

// Where kernels write what goes each way, and where they read what came from there.
struct WayTargets {
  char* to[direction::count] = {};
};
struct WaySources {
  const char* from[direction::count] = {};
};

class Transport {
 public:
  virtual ~Transport() = default;
  virtual const char* name() const = 0;
  // At a rebuild, by all ranks together: the sizes of all exchanges from here on. None is under way.
  virtual void prepare(const WayBytes& send, const WayBytes& receive) = 0;
  // For the next exchange; kernels on the side stream write there.
  virtual WayTargets targets() = 0;
  // Sends what kernels on the side stream have written or are about to. May wait for them.
  virtual void start(backend::SideStream& side) = 0;
  // What came, as `receive` says: for kernels launched on the side stream from now on. May wait.
  virtual WaySources finish(backend::SideStream& side) = 0;
};

}  // namespace mesowarp::comm
