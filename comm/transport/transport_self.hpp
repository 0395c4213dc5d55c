// Of a rank that is its own neighbour, as in a sheared box on one rank: what goes one way lies where what comes from
// the opposite one is read.
#pragma once

#include "comm/transport/transport.hpp"

namespace mesowarp::comm {

class SelfTransport final : public Transport {
public:
  const char* name() const override { return "self"; }
  void prepare(const GhostPlan& plan, const std::vector<FieldPlace>&) override { plan_ = plan; }
  BorderTargets targets(const FieldRows& rows) override {
    const std::size_t bytes = plan_.firstGhost[direction::count] * rows.bytes();
    if (bytes > rows_.extent(0))
      rows_ = Buffer(Kokkos::view_alloc("own ghosts' rows", Kokkos::WithoutInitializing), bytes + bytes / 8);
    BorderTargets targets;
    for (int c = 0; c < rows.count; ++c) targets.pitch[c] = rows.words;
    for (int way = 0; way < direction::count; ++way) {
      from_.from[way] = rows_.data() + plan_.firstGhost[way] * rows.bytes();
      char* const to = rows_.data() + plan_.firstGhost[direction::opposite(way)] * rows.bytes();
      for (int c = 0; c < rows.count; ++c) targets.to[way][c] = reinterpret_cast<u32*>(to) + rows.column[c].at;
    }
    return targets;
  }
  void start(backend::SideStream&) override {}
  std::optional<WaySources> finish(backend::SideStream&) override { return from_; }

private:
  using Buffer = Kokkos::View<char*, Memory>;
  GhostPlan plan_;
  Buffer rows_;
  WaySources from_;
};

}  // namespace mesowarp::comm
