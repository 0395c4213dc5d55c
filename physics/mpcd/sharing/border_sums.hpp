// Cells that several ranks have particles in: each sends its own sums of them to all others that have the cell, one of
// 26 neighbours each; who makes a cell's record adds what comes. Sums are integers, so all of them get the same, and no
// rank needs to own a cell. They travel as ghosts do (comm/transport/transport.hpp); what comes alternates between two
// buffers, so a neighbour may send the next sums while these are still being read.
#pragma once

#include <memory>

#include "comm/transport/transports.hpp"
#include "kernels/bricks/cell_look.hpp"
#include "kernels/bricks/cell_parts.hpp"
#include "physics/mpcd/deck/mpcd_margin.hpp"
#include "physics/mpcd/sharing/shared_cells.hpp"
#include "state/fields.hpp"

namespace mesowarp::mpcd {

// What of the box a rank keeps cells of: its domain, and a margin of so many cells on either side of an axis that is
// cut, and one more for the grid's shift.
BrickGrid spanOf(const Domain& domain, const std::array<int, 3>& cells, int margin);

// Cells that a rank's particles are in, as long as none of them is further from its domain than it should be.
struct Reach {
  InnerCells cells;
  int* beyond = nullptr;  // set to 1 when one is elsewhere; null: nobody asks
};
// distance: from the domain that a particle may be, in cells.
Reach reachAround(const Domain& domain, const BrickGrid& grid, const GridShift& shift, double distance);

class BorderSums {
public:
  // Sums of 64 bits, of a cell. The last two: of rules that keep angular momentum
  // (physics/mpcd/angular/angular_sums.hpp).
  static constexpr int ofSolvent = 4, ofGuests = 6, ofTurning = 16, ofTurningTensor = 22;
  // sums: how many a cell has, one of these. Collective.
  BorderSums(const comm::Communicator& ranks, const Domain& domain, const BrickGrid& grid, int margin,
             TransportStyle style, int sums = ofSolvent);

  // look(where, pack): gives the side stream of `where` a kernel that calls pack(cell, sums) for at least all cells
  // of where.cells, whose sums stay (kernels/bricks/cell_look.hpp). Collective.
  // when: behind what the main stream has been given; or behind so many blocks of its kernel, which pass the gate of
  // side(). reach: where all particles should be. signals: that kernel raises where.raise, and there is no other behind
  // it; then receive() waits for nothing, but who reads what came awaits awaited() (only where canSignal()).
  struct When {
    int blocks;  // 0: behind all
  };
  struct Where {
    const backend::SideStream& side;
    const DeviceArray<int>& cells;
    const backend::RaiseFlags& raise;
  };
  bool canSignal() const { return chosen_.transport->direct(); }
  template <int sums, class Look>
  void send(const Look& look, When when = {}, const Reach& reach = {}, bool signals = false);
  // What has come, for one kernel that the main stream is given next. Collective.
  template <int sums>
  ComeSums<sums> receive(bool signals = false);
  // Of all neighbours, and of this rank's own kernel that packs.
  backend::PeerFlags awaited();
  backend::SideStream& side() { return side_; }
  const comm::Transport& transport() const { return *chosen_.transport; }
  const std::string& reason() const { return chosen_.reason; }
  // Those that no neighbour has.
  const InnerCells& inner() const { return shared_.inner; }
  const SharedCells& shared() const { return shared_; }
  std::size_t bytes() const;

private:
  comm::ChosenTransport chosen_;
  BrickGrid grid_;
  backend::SideStream side_;
  FieldRegistry fields_;
  std::shared_ptr<Field<u64>> came_;  // two buffers
  SharedCells shared_;
  DeviceArray<int> cells_;                              // that some neighbour has
  DeviceArray<u32> packed_{"sums that are packed", 2};  // blocks that are done; an exchange that is
};

// Of a cell: to its rows.
template <int sums>
struct PackSums {
  SharedCells shared;
  u64* to[direction::count];  // the first row of each way
  Reach reach;
  KOKKOS_FORCEINLINE_FUNCTION const InnerCells& none() const { return shared.inner; }  // of what looks at cells
  bool sparse;  // zeros of cells beyond the domain are not sent: what neighbours store to has been cleared
  template <class Cell>
  KOKKOS_INLINE_FUNCTION void operator()(const Cell& cell, const u64 (&of)[sums]) const {
    u64 any = 0;
    for (int s = 0; s < sums; ++s) any |= of[s];
    const auto at = shared.at(cell);
    if (shared.inner.has(at.of) || (any == 0 && sparse && !shared.own.has(at.of))) return;
    bool is = false;
    for (int b = 0; b < shared.number; ++b) {
      const SharedBox& box = shared.boxes[b];
      const int row = SharedCells::rowOf(box, at);
      if (row < 0) continue;
      is = true;
      auto* const words = reinterpret_cast<TwoSums*>(to[box.way] + static_cast<std::size_t>(row - box.first) * sums);
      for (int s = 0; s < sums / 2; ++s) words[s] = {{of[2 * s], of[2 * s + 1]}};
    }
    if (is && reach.beyond != nullptr && any != 0 && !reach.cells.has(at.of)) *reach.beyond = 1;
  }
};

template <int sums, class Look>
void BorderSums::send(const Look& look, When when, const Reach& reach, bool signals) {
  static_assert(sums % 2 == 0);
  when.blocks > 0 ? side_.afterGate(when.blocks) : side_.afterMain();
  PackSums<sums> pack{shared_, {}, reach, chosen_.transport->direct()};
  const comm::BorderTargets targets = chosen_.transport->targets(fields_.rows(ghosted));
  for (int way = 0; way < direction::count; ++way) pack.to[way] = reinterpret_cast<u64*>(targets.to[way][0]);
  backend::RaiseFlags raise;
  if (signals) {
    raise = {chosen_.transport->raised(), packed_.data()};
    raise.flags.flag[direction::here] = packed_.data() + 1;
  }
  look(Where{side_, cells_, raise}, pack);
  if (!signals) chosen_.transport->start(side_);
}

template <int sums>
ComeSums<sums> BorderSums::receive(bool signals) {
  const auto came = signals ? std::nullopt : chosen_.transport->finish(side_);
  auto* const rows = came ? reinterpret_cast<u64*>(const_cast<char*>(came->from[0])) : came_->current.data();
  if (!signals) side_.beforeMain();
  fields_.swapState();
  return {rows, chosen_.transport->direct()};
}

}  // namespace mesowarp::mpcd
