// Through memory of the host that kernels write and read, and MPI: works everywhere.
#pragma once

#include <vector>

#include "comm/transport.hpp"
#include "core/types.hpp"

namespace mesowarp::comm {

// Nonblocking messages with each neighbour, way by way; where the bytes lie is the caller's.
class WayMessages {
 public:
  WayMessages(const Communicator& ranks, const Domain& domain);
  void start(const char* send, const WayBytes& sendBytes, char* receive, const WayBytes& receiveBytes);
  void finish();

 private:
  MPI_Comm ranks_;
  std::array<int, direction::count> neighbor_;  // -1: none
  std::vector<MPI_Request> open_;
};

// Space: of the buffers. SharedSpace: staged through the host; Memory: device buffers straight into MPI.
template <class Space>
class MessageTransport final : public Transport {
 public:
  MessageTransport(const Communicator& ranks, const Domain& domain, const char* name) : messages_(ranks, domain), name_(name) {}
  const char* name() const override { return name_; }
  void prepare(const WayBytes& send, const WayBytes& receive) override {
    sendBytes_ = send, receiveBytes_ = receive;
    reserve(send_, send.total());
    reserve(receive_, receive.total());
  }
  WayTargets targets() override {
    WayTargets targets;
    for (int way = 0; way < direction::count; ++way) targets.to[way] = send_.data() + sendBytes_.first[way];
    return targets;
  }
  void start(backend::SideStream& side) override {
    side.wait();
    messages_.start(send_.data(), sendBytes_, receive_.data(), receiveBytes_);
  }
  WaySources finish(backend::SideStream&) override {
    messages_.finish();
    WaySources sources;
    for (int way = 0; way < direction::count; ++way) sources.from[way] = receive_.data() + receiveBytes_.first[way];
    return sources;
  }

 private:
  using Buffer = Kokkos::View<char*, Space>;
  static void reserve(Buffer& buffer, std::size_t bytes) {
    if (bytes > buffer.extent(0)) buffer = Buffer(Kokkos::view_alloc("halo messages", Kokkos::WithoutInitializing), bytes + bytes / 8);
  }
  WayMessages messages_;
  const char* name_;
  WayBytes sendBytes_, receiveBytes_;
  Buffer send_, receive_;
};

}  // namespace mesowarp::comm
