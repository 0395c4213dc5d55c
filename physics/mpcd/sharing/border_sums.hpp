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
  // words: of a row (sum_rows.hpp). Collective.
  BorderSums(const comm::Communicator& ranks, const Domain& domain, const BrickGrid& grid, int margin,
             TransportStyle style, int words);

  // look(where, pack): gives the side stream of `where` a kernel that calls pack(cell, sums) for at least all cells
  // of where.cells, whose sums stay (kernels/bricks/cell_look.hpp). Collective.
  // when: behind what the main stream has been given; or behind so many blocks of its kernel, which pass the gate of
  // side(). reach: where all particles should be.
  struct When {
    int blocks;  // 0: behind all
  };
  struct Where {
    const backend::SideStream& side;
    const DeviceArray<int>& cells;
    const backend::RaiseFlags& raise;
  };
  // Not where ranks share a GPU, which goes from one to the other while kernels of both wait: 4 ranks hung there.
  bool canSignal() const { return chosen_.transport->direct() && !shareGpus_; }
  // Who waits for what comes; the same for send and receive. between: the main stream, in receive(). Or, only where
  // canSignal(): readers: the kernel of `look` raises where.raise, and there is no other behind it; who reads what came
  // awaits awaited(). pass: the main stream's kernel before, by toPass(), and ends behind it.
  enum class Waits { between, readers, pass };
  template <class Row, class Look>
  void send(const Row& form, const Look& look, When when = {}, const Reach& reach = {}, Waits waits = Waits::between);
  // What has come, for one kernel that the main stream is given next. Collective.
  template <class Row>
  ComeSums<Row> receive(const Row& form, Waits waits = Waits::between);
  // Before the kernel that is to wait; the host waits for nothing of the main stream until sums have been sent.
  struct Turn {
    const int* word;
    int turn;
  };
  Turn toPass() { return {come_.data(), ++turn_}; }
  // Once, before the first turn.
  void loadTurns() { side_.reportTurn(come_.data(), turn_); }
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
  FieldRegistry fields_;  // the columns of what comes, two buffers each
  bool shareGpus_;
  SharedCells shared_;
  DeviceArray<int> cells_;                              // that some neighbour has
  DeviceArray<u32> packed_{"sums that are packed", 2};  // blocks that are done; an exchange that is
  DeviceArray<int> come_{"sums that have come", 1};     // which turn
  int turn_ = 0;
};

// Of a cell: to its rows.
template <class Row>
struct PackSums {
  static constexpr int sums = Row::sums;
  Row form;
  SharedCells shared;
  RowColumns<Row::words> to[direction::count];  // from the first row of each way
  Reach reach;
  KOKKOS_FORCEINLINE_FUNCTION const InnerCells& none() const { return shared.inner; }  // of what looks at cells
  bool sparse;  // zeros of cells beyond the domain are not sent: what neighbours store to has been cleared
  template <class Cell>
  KOKKOS_INLINE_FUNCTION void operator()(const Cell& cell, const u64 (&of)[sums]) const {
    u64 any = 0;
    for (int s = 0; s < sums; ++s) any |= of[s];
    const auto at = shared.at(cell);
    if (shared.inner.has(at.of) || (any == 0 && sparse && !shared.own.has(at.of))) return;
    u32 word[Row::words];
    form.pack(of, word);
    bool is = false;
    for (int b = 0; b < shared.number; ++b) {
      const SharedBox& box = shared.boxes[b];
      const int row = SharedCells::rowOf(box, at);
      if (row < 0) continue;
      is = true;
      to[box.way].store(row - box.first, word);
    }
    if (is && reach.beyond != nullptr && any != 0 && !reach.cells.has(at.of)) *reach.beyond = 1;
  }
};

template <class Row, class Look>
void BorderSums::send(const Row& form, const Look& look, When when, const Reach& reach, Waits waits) {
  when.blocks > 0 ? side_.afterGate(when.blocks) : side_.afterMain();
  PackSums<Row> pack{form, shared_, {}, reach, chosen_.transport->direct()};
  const comm::BorderTargets targets = chosen_.transport->targets(fields_.rows(ghosted));
  for (int way = 0; way < direction::count; ++way)
    for (int c = 0; c < RowColumns<Row::words>::number; ++c)
      pack.to[way].place(c, targets.to[way][c], targets.pitch[c]);
  backend::RaiseFlags raise;
  if (waits == Waits::readers) {
    raise = {chosen_.transport->raised(), packed_.data()};
    raise.flags.flag[direction::here] = packed_.data() + 1;
  }
  look(Where{side_, cells_, raise}, pack);
  if (waits != Waits::readers) chosen_.transport->start(side_);
  if (waits == Waits::pass) chosen_.transport->finish(side_), side_.reportTurn(come_.data(), turn_);
}

template <class Row>
ComeSums<Row> BorderSums::receive(const Row& form, Waits waits) {
  const bool between = waits == Waits::between;
  const auto came = between ? chosen_.transport->finish(side_) : std::nullopt;
  ComeSums<Row> sums{form, {}, chosen_.transport->direct()};
  const FieldRows rows = fields_.rows(ghosted);
  for (int c = 0; c < rows.count; ++c) {
    const FieldRows::Column& column = rows.column[c];
    if (came)
      sums.rows.place(c, reinterpret_cast<u32*>(const_cast<char*>(came->from[0])) + column.at, rows.words);
    else
      sums.rows.place(c, column.data, column.words);
  }
  if (between) side_.beforeMain();
  fields_.swapState();
  return sums;
}

}  // namespace mesowarp::mpcd
