// Memory for what goes each way and for what comes from there, way by way, where messages carry it.
#pragma once

#include "comm/transport.hpp"
#include "core/types.hpp"

namespace mesowarp::comm {

template <class Space>
class WayBuffers {
 public:
  // Grows as needed; never shrinks.
  void prepare(const WayBytes& send, const WayBytes& receive) {
    sendBytes_ = send, receiveBytes_ = receive;
    reserve(send_, send.total());
    reserve(receive_, receive.total());
  }
  WayTargets targets() const {
    WayTargets targets;
    for (int way = 0; way < direction::count; ++way) targets.to[way] = send_.data() + sendBytes_.first[way];
    return targets;
  }
  WaySources sources() const {
    WaySources sources;
    for (int way = 0; way < direction::count; ++way) sources.from[way] = receive_.data() + receiveBytes_.first[way];
    return sources;
  }
  const char* send() const { return send_.data(); }
  char* receive() const { return receive_.data(); }
  const WayBytes& sendBytes() const { return sendBytes_; }
  const WayBytes& receiveBytes() const { return receiveBytes_; }

 private:
  using Buffer = Kokkos::View<char*, Space>;
  static void reserve(Buffer& buffer, std::size_t bytes) {
    if (bytes > buffer.extent(0)) buffer = Buffer(Kokkos::view_alloc("halo messages", Kokkos::WithoutInitializing), bytes + bytes / 8);
  }
  WayBytes sendBytes_, receiveBytes_;
  Buffer send_, receive_;
};

}  // namespace mesowarp::comm
