// Through MPI: from memory of the host that kernels write and read (`host`), which works everywhere, or straight from
// the device's (`mpi`). One class over two kinds of memory.
#pragma once

#include <vector>

#include "comm/transport/way_buffers.hpp"

namespace mesowarp::comm {

// Nonblocking messages with each neighbour, way by way; where the bytes lie is the caller's.
class WayMessages {
public:
  WayMessages(const Communicator& ranks, const Domain& domain);
  void start(const char* send, const WayBytes& sendBytes, char* receive, const WayBytes& receiveBytes);
  void finish();
  // Before the memory goes, with messages under way: all ranks end alike, so they will come. While an exception is on
  // its way, which others may not have, they are not waited for, and nothing is stored any more.
  void end();

private:
  MPI_Comm ranks_;
  std::size_t receives_ = 0;                    // of the open ones, the first
  std::array<int, direction::count> neighbor_;  // -1: none
  std::vector<MPI_Request> open_;
};

// Space: of the buffers. SharedSpace: staged through the host; Memory: device buffers straight into MPI.
template <class Space>
class MessageTransport final : public Transport {
public:
  MessageTransport(const Communicator& ranks, const Domain& domain, const char* name)
      : messages_(ranks, domain), name_(name) {}
  ~MessageTransport() override { messages_.end(); }
  const char* name() const override { return name_; }
  void prepare(const GhostPlan& plan, const std::vector<FieldPlace>&) override { buffers_.prepare(plan); }
  BorderTargets targets(const FieldRows& rows) override { return buffers_.targets(rows); }
  void start(backend::SideStream& side) override {
    side.wait();
    messages_.start(buffers_.send(), buffers_.sendBytes(), buffers_.receive(), buffers_.receiveBytes());
  }
  std::optional<WaySources> finish(backend::SideStream&) override {
    messages_.finish();
    return buffers_.sources();
  }

private:
  WayMessages messages_;
  const char* name_;
  WayBuffers<Space> buffers_;
};

}  // namespace mesowarp::comm
