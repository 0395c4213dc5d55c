// Between GPUs of one host: kernels that pack store straight into memory of the neighbour's GPU, and flags there tell it when
// all has come. The host waits for nothing.
//
// A neighbour stores of exchange s into half s % 2 of a buffer. It does so only after it has all of exchange s - 1, which this
// rank sent after it had read exchange s - 2, so nothing is overwritten before it has been read.
#pragma once

#include <algorithm>
#include <vector>

#include "backend/peer_memory.hpp"
#include "comm/transport.hpp"
#include "core/error.hpp"

namespace mesowarp::comm {

template <class Peer>
class PeerTransport final : public Transport {
 public:
  PeerTransport(const Communicator& ranks, const Domain& domain) : ranks_(ranks.handle()) {
    for (int way = 0; way < direction::count; ++way) neighbor_[way] = domain.hasNeighbor(way) ? domain.neighbor(way) : -1;
  }
  ~PeerTransport() override {
    Kokkos::fence();
    for (const Buffer& buffer : out_)
      if (buffer.data) Peer::close(buffer.data);
    MPI_Barrier(ranks_);  // a buffer may go once nobody has it open
    freeOld();
    for (const Buffer& buffer : in_)
      if (buffer.data) Peer::free(buffer.data);
  }

  const char* name() const override { return "peer"; }

  // Both sides of a buffer know its size and what is to come, so both know when it must grow.
  void prepare(const WayBytes& send, const WayBytes& receive) override {
    freeOld();  // of the prepare() before: all neighbours have long closed it
    std::vector<MPI_Request> open;
    std::array<typename Peer::Handle, direction::count> mine{}, theirs{};
    for (int way = 0; way < direction::count; ++way) {
      if (neighbor_[way] < 0) continue;
      if (grows(out_[way], send.of(way))) {
        if (out_[way].data) Peer::close(out_[way].data);
        open.emplace_back();
        MPI_Irecv(&theirs[way], sizeof theirs[way], MPI_BYTE, neighbor_[way], tag + direction::opposite(way), ranks_, &open.back());
      }
    }
    for (int way = 0; way < direction::count; ++way) {
      if (neighbor_[way] < 0 || !grows(in_[way], receive.of(way))) continue;
      old_.push_back(in_[way].data);
      in_[way] = {nullptr, capacityFor(receive.of(way))};
      in_[way].data = Peer::allocate(in_[way].bytes());
      mine[way] = Peer::handleOf(in_[way].data);
      open.emplace_back();
      MPI_Isend(&mine[way], sizeof mine[way], MPI_BYTE, neighbor_[way], tag + way, ranks_, &open.back());
    }
    MPI_Waitall(static_cast<int>(open.size()), open.data(), MPI_STATUSES_IGNORE);
    for (int way = 0; way < direction::count; ++way)
      if (neighbor_[way] >= 0 && grows(out_[way], send.of(way)))
        out_[way] = {Peer::open(theirs[way]), capacityFor(send.of(way))};
  }

  WayTargets targets() override {
    WayTargets targets;
    for (int way = 0; way < direction::count; ++way)
      if (neighbor_[way] >= 0) targets.to[way] = out_[way].half(exchanges_ + 1);
    return targets;
  }

  void start(backend::SideStream& side) override {
    ++exchanges_;
    Peer::raise(side, flags(out_));
  }

  WaySources finish(backend::SideStream& side) override {
    Peer::await(side, flags(in_));
    WaySources sources;
    for (int way = 0; way < direction::count; ++way)
      if (neighbor_[way] >= 0) sources.from[way] = in_[way].half(exchanges_);
    return sources;
  }

 private:
  static constexpr int tag = 96;
  static constexpr std::size_t header = 256, page = std::size_t{1} << 21;  // of device memory: allocations do not share one

  struct Buffer {
    char* data = nullptr;
    std::size_t capacity = 0;  // of a half
    std::size_t bytes() const { return (header + 2 * capacity + page - 1) / page * page; }
    char* half(u32 exchange) const { return data + header + (exchange & 1) * capacity; }
  };
  static bool grows(const Buffer& buffer, std::size_t bytes) { return buffer.data == nullptr || bytes > buffer.capacity; }
  static std::size_t capacityFor(std::size_t bytes) { return (bytes + bytes / 4 + 4096) / 256 * 256; }

  auto flags(const std::array<Buffer, direction::count>& buffers) const {
    typename Peer::Flags flags{};
    for (int way = 0; way < direction::count; ++way)
      flags.flag[way] = neighbor_[way] < 0 ? nullptr : reinterpret_cast<u32*>(buffers[way].data);
    flags.value = exchanges_;
    return flags;
  }
  void freeOld() {
    for (char* data : old_)
      if (data) Peer::free(data);
    old_.clear();
  }

  MPI_Comm ranks_;
  std::array<int, direction::count> neighbor_;  // -1: none
  std::array<Buffer, direction::count> in_, out_;
  std::vector<char*> old_;
  u32 exchanges_ = 0;
};

// A first exchange in a ring: each rank raises a flag in the next one's memory. Throws on all ranks if that does not work.
template <class Peer>
void tryPeerMemory(const Communicator& ranks) {
  constexpr std::size_t bytes = std::size_t{1} << 21;
  constexpr int tag = 98;
  const int next = (ranks.rank() + 1) % ranks.size(), before = (ranks.rank() + ranks.size() - 1) % ranks.size();
  char *mine = nullptr, *theirs = nullptr;
  typename Peer::Handle handle{}, nexts{};
  ranks.onAll([&] { mine = Peer::allocate(bytes), handle = Peer::handleOf(mine); });
  MPI_Sendrecv(&handle, sizeof handle, MPI_BYTE, before, tag, &nexts, sizeof nexts, MPI_BYTE, next, tag, ranks.handle(),
               MPI_STATUS_IGNORE);
  u32 seen = 0;
  ranks.onAll([&] {
    theirs = Peer::open(nexts);
    backend::SideStream side;
    typename Peer::Flags flags{};
    flags.flag[0] = reinterpret_cast<u32*>(theirs), flags.value = 1;
    Peer::raise(side, flags);
    side.wait();
  });
  ranks.onAll([&] { seen = Peer::read(mine), Peer::close(theirs); });
  Peer::free(mine);
  ranks.onAll([&] {
    if (seen != 1) throw std::runtime_error("what a neighbour's GPU stored did not arrive");
  });
}

}  // namespace mesowarp::comm
