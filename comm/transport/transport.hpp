// How ghosts get from a rank to its neighbours. Kernels write what goes each way to where the transport says; whether
// that is memory of the host, of the device, or the neighbour's own ghosts is its business. The interface is: sizes at
// a rebuild, addresses to pack each column of a row to, start, finish, addresses to unpack from, if there is something
// to unpack. A user's view of the four transports is in docs/clusters.md.
#pragma once

#include <array>
#include <optional>
#include <stdexcept>
#include <vector>

#include "comm/communicator.hpp"
#include "core/domain.hpp"
#include "device/launch/peer_flags.hpp"
#include "device/side_stream.hpp"
#include "grid/field_rows.hpp"

namespace mesowarp::comm {

// Bytes for, or from, each way; those of one way follow those of the way before.
struct WayBytes {
  std::array<std::size_t, direction::count + 1> first{};
  std::size_t total() const { return first[direction::count]; }
  std::size_t of(int way) const { return first[way + 1] - first[way]; }
};

// What stays the same from one rebuild to the next.
struct GhostPlan {
  using Ways = std::array<int, direction::count + 1>;
  Ways firstSend{}, firstGhost{};  // rows: of those sent, and of the ghosts, the first of each way
  int particles = 0;               // ghosts are stored behind so many
};

// Where kernels put rows: column c of the first that goes some way, and how many words further that of the next one.
struct BorderTargets {
  static constexpr int most = 8;  // columns
  u32* to[direction::count][most] = {};
  int pitch[most] = {};
};

// Where rows are that came.
struct WaySources {
  const char* from[direction::count] = {};
};

class Transport {
public:
  virtual ~Transport() = default;
  virtual const char* name() const = 0;
  // At a rebuild, by all ranks together, while none is under way. fields: those that ghosts have; rows have some of
  // them.
  virtual void prepare(const GhostPlan& plan, const std::vector<FieldPlace>& fields) = 0;
  // For the next exchange, of these rows; kernels on the side stream write there. Buffers of the rows: as they will be
  // read, so those that the neighbours are writing, if this rank is.
  virtual BorderTargets targets(const FieldRows& rows) = 0;
  // Sends what kernels on the side stream have written or are about to. May wait for them.
  virtual void start(backend::SideStream& side) = 0;
  // What came, for kernels launched on the side stream from now on; nothing, where it is in its place already. May
  // wait.
  virtual std::optional<WaySources> finish(backend::SideStream& side) = 0;

  // Whether kernels that pack store into the neighbours' memory. Then they may raise the flags of an exchange
  // themselves, in place of start, and who reads what came may await those that neighbours raise, in place of finish.
  virtual bool direct() const { return false; }
  virtual backend::PeerFlags raised() { throw std::logic_error("a transport without flags"); }
  virtual backend::PeerFlags awaited() { throw std::logic_error("a transport without flags"); }
};

}  // namespace mesowarp::comm
