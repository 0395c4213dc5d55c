// Memory for what goes each way and for what comes from there, way by way, where messages carry it.
#pragma once

#include "comm/transport/transport.hpp"

namespace mesowarp::comm {

template <class Space>
class WayBuffers {
public:
  void prepare(const GhostPlan& plan) { plan_ = plan; }
  // Of the next exchange. Buffers grow as needed, and never shrink.
  BorderTargets targets(const FieldRows& rows) {
    for (int way = 0; way <= direction::count; ++way)
      sendBytes_.first[way] = plan_.firstSend[way] * rows.bytes(),
      receiveBytes_.first[way] = plan_.firstGhost[way] * rows.bytes();
    reserve(send_, sendBytes_.total());
    reserve(receive_, receiveBytes_.total());
    BorderTargets targets;
    for (int c = 0; c < rows.count; ++c) targets.pitch[c] = rows.words;
    for (int way = 0; way < direction::count; ++way)
      for (int c = 0; c < rows.count; ++c)
        targets.to[way][c] = reinterpret_cast<u32*>(send_.data() + sendBytes_.first[way]) + rows.column[c].at;
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
    if (bytes > buffer.extent(0))
      buffer = Buffer(Kokkos::view_alloc("halo messages", Kokkos::WithoutInitializing), bytes + bytes / 8);
  }
  GhostPlan plan_;
  WayBytes sendBytes_, receiveBytes_;
  Buffer send_, receive_;
};

}  // namespace mesowarp::comm
