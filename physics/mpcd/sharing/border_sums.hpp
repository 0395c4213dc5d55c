// Cells that several ranks have particles in: each sends its own sums of them to all others that have the cell, one of
// 26 neighbours each, and adds what comes. Sums are integers, so all of them get the same, and no rank needs to own a
// cell. They travel as ghosts do (comm/transport.hpp); what comes alternates between two buffers, so a neighbour may
// send the next sums while these are still being added.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>

#include "comm/transports.hpp"
#include "kernels/bricks/brick_sums.hpp"
#include "kernels/bricks/cell_parts.hpp"
#include "physics/mpcd/deck/mpcd_margin.hpp"
#include "state/fields.hpp"

namespace mesowarp::mpcd {

// What of the box a rank keeps cells of: its domain, and a margin of so many cells on either side of an axis that is
// cut, and one more for the grid's shift.
BrickGrid spanOf(const Domain& domain, const std::array<int, 3>& cells, int margin);

// Cells that a rank's particles are in, as long as none of them is further from its domain than it should be.
struct Reach {
  BrickGrid grid;
  InnerCells cells;
  int* beyond = nullptr;  // set to 1 when one is elsewhere; null: nobody asks
};
// distance: from the domain that a particle may be, in cells.
Reach reachAround(const Domain& domain, const BrickGrid& grid, const GridShift& shift, int margin, double distance);

class BorderSums {
public:
  // Sums of 64 bits, of a cell. The last two: of rules that keep angular momentum
  // (physics/mpcd/angular/angular_sums.hpp).
  static constexpr int ofSolvent = 4, ofGuests = 6, ofTurning = 16, ofTurningTensor = 22;
  // sums: how many a cell has, one of these. Collective.
  BorderSums(const comm::Communicator& ranks, const Domain& domain, const BrickGrid& grid, int margin,
             TransportStyle style, int sums = ofSolvent);

  // Packs and sends; then adds what has come, before what the main stream is given next. Between the two, kernels may
  // run that do not touch the sums of border cells. Collective.
  // when: behind what the main stream has been given; or behind so many blocks of its kernel, which pass the gate of
  // side(). read(cell, sums): the sums of a cell, as many as it was made for. reach: where all particles should be.
  struct When {
    int blocks = 0;  // none: behind all
  };
  template <int sums, class Read>
  void send(const Read& read, When when = {}, const Reach& reach = {});
  // strayed: bits that say which cells have something in their sums; null: nobody asks.
  void add(u64* sum, u32* strayed = nullptr);
  backend::SideStream& side() { return side_; }
  const comm::Transport& transport() const { return *chosen_.transport; }
  const std::string& reason() const { return chosen_.reason; }
  int cells() const { return count_; }
  // Those that no neighbour has.
  const InnerCells& inner() const { return inner_; }
  std::size_t bytes() const;

private:
  // Fewer wait for their loads one after the other, more take the pass's multiprocessors while they wait for the link
  // (perf/log/mpcd.md).
  static constexpr int mostThreads = 65536;
  template <class Functor>
  void runBeside(const char* label, const Functor& functor) const {
    const int threads = backend::onGpu ? std::min(count_, mostThreads) : count_;
    Kokkos::parallel_for(label, Range(side_.instance(), 0, threads),
                         backend::Strided<Functor>{functor, count_, threads});
  }
  template <int sums>
  void addCome(u64* sum, u32* strayed, const std::optional<comm::WaySources>& came);

  comm::ChosenTransport chosen_;
  int sums_;
  bool sparse_;  // cells in which there is nothing are not sent: what neighbours store to has been cleared
  backend::SideStream side_;
  FieldRegistry fields_;
  std::shared_ptr<Field<u64>> came_;  // two buffers
  DeviceArray<int> cell_;             // of each entry, way by way
  comm::GhostPlan plan_;
  InnerCells inner_;
  int count_ = 0;
};

// Entry k of those sent: to its place behind the first one of its way.
template <int sums, class Read>
struct PackSums {
  Read read;
  DeviceArray<int> cell;
  comm::BorderTargets targets;
  Reach reach;
  bool sparse;  // where nothing is sent there are zeros
  int first[direction::count + 1];
  KOKKOS_INLINE_FUNCTION void operator()(int k) const {
    int way = 0;
    while (first[way + 1] <= k) ++way;
    u64 from[sums];
    read(cell(k), from);
    u64 any = 0;
    for (int s = 0; s < sums; ++s) any |= from[s];
    if (any == 0 && sparse) return;
    u32* const to = targets.to[way][0] + static_cast<std::size_t>(k - first[way]) * targets.pitch[0];
    for (int s = 0; s < sums; ++s) reinterpret_cast<u64*>(to)[s] = from[s];
    if (reach.beyond != nullptr && any != 0 && !reach.cells.has(reach.grid, cell(k))) *reach.beyond = 1;
  }
};

template <int sums, class Read>
void BorderSums::send(const Read& read, When when, const Reach& reach) {
  when.blocks > 0 ? side_.afterGate(when.blocks) : side_.afterMain();
  const FieldRows rows = fields_.rows(ghosted);
  PackSums<sums, Read> pack{read, cell_, chosen_.transport->targets(rows), reach, sparse_, {}};
  for (int way = 0; way <= direction::count; ++way) pack.first[way] = plan_.firstSend[way];
  runBeside("pack border sums", pack);
  chosen_.transport->start(side_);
}

// The sums of a cell, of who has them (kernels/bricks/brick_sums.hpp).
template <class Sums, class Join>
struct ReadSums {
  Sums sums;
  Join join;
  template <int count>
  KOKKOS_INLINE_FUNCTION void operator()(int cell, u64 (&to)[count]) const {
    sums.read(join, cell, to);
  }
};

}  // namespace mesowarp::mpcd
