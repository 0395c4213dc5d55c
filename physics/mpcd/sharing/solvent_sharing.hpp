// What a rank does in a collision for its neighbours. Its particles may be beyond its domain for a while: its span of
// cells is as much wider, and sums of cells that others have, too, go to them. They migrate when one of them is so far
// that it might leave the span with the collision after the next, or faster than is usual; a report of the pass says
// so, one collision late, and the ranks agree. Where domains are too narrow for that, the speed limit says how many
// collisions may pass.
//
// On a GPU the bricks near shared cells come first in a pass, and their sums travel while the others are at work; the
// pass ends when the neighbours' have come, so that nothing stands between it and the kernel that makes records. There
// ranks sort at the same steps, each time behind a migration: bricks outside a domain are empty then.
#pragma once

#include <cmath>

#include "comm/rank_part.hpp"
#include "device/tuning.hpp"
#include "kernels/bricks/brick_order.hpp"
#include "physics/mpcd/sharing/border_sums.hpp"
#include "physics/mpcd/sharing/pass_watch.hpp"
#include "physics/mpcd/sharing/solvent_migration.hpp"

namespace mesowarp::mpcd {

class SolventSharing {
public:
  // words: of a row of sums. particles: of this rank, about. inOrder: nobody but the pass adds to sums. Collective.
  SolventSharing(const RankPart& part, const BrickGrid& grid, const Margin& margin, int words, int particles,
                 bool inOrder)
      : ranks_(*part.ranks), domain_(part.domain), grid_(grid), margin_(margin),
        border_(ranks_, domain_, grid, margin.cells, part.transport, words), parts_(grid, border_.inner()),
        migration_(ranks_, domain_, particles, mailOf(border_.transport())), asked_(margin.lasting() >= 1.0) {
    if (backend::onGpu && inOrder && asked_)
      first_ = SharedFirst(grid, border_.inner(), static_cast<int>(std::ceil(passesTillSorted * margin.moved)) + 2,
                           cellsToGo);
  }

  // From now on the kernels that pack and that make records raise and await flags themselves, and no event stands
  // between the pass and the records, where that works. blocksAtOnce: of the records that a GPU has room for.
  // With more bricks the pass waits itself for what comes, which mostly is there before it is done: so there is no
  // event either, and the kernel that makes records comes early, as on one GPU.
  void signalIfRoom(int blocksAtOnce) {
    if (!first_.any() || !border_.canSignal()) return;
    if (grid_.bricksInAll() < tuning::signalsBelow && parts_.number(CellPart::border) < blocksAtOnce)
      waits_ = usual_ = Waits::readers;
    else if (first_.share() <= shareOfLateSums && backend::SideStream::canReport())
      usual_ = Waits::pass, border_.loadTurns();
  }
  // Before a pass: whether it has to be sorted first.
  bool mustSort() const { return near_; }
  // So many of the reports that come are of the order before: of the pass before, and of one that sorts by the way.
  void sorted(int passes) { near_ = false, old_ = passes; }
  // Behind a sort without a migration before it: SharedFirst::expectNoneBeyond.
  void expectNoneBeyond(const DeviceArray<int>& start) const {
    if (first_.any()) first_.expectNoneBeyond(start);
  }
  BrickOrder beginPass() {
    watch_.begin();
    if (!first_.any()) return {};
    BrickOrder order = first_.order(border_.side().gate(), watch_.near());
    if (waits_ == Waits::pass) {
      const auto of = border_.toPass();
      order.come = of.word, order.turn = of.turn;
    }
    return order;
  }
  // Where a particle that is faster than usual is to be reported in that pass; null: nowhere.
  int* fast() const { return asked_ ? watch_.far() : nullptr; }
  // Bricks whose particles may come to shared cells; none: of all.
  BrickOrder nearShared() const { return first_.any() ? first_.order(nullptr, nullptr) : BrickOrder{}; }
  // Sums of the cells of that shift, as soon as the pass has them. look: BorderSums::send.
  template <class Row, class Look>
  void send(const Row& form, const Look& look, const GridShift& shift) {
    Reach reach;
    if (asked_) {
      reach = reachAround(domain_, grid_, shift, margin_.lasting());
      reach.beyond = watch_.far();
    }
    border_.send(form, look, {first_.any() ? first_.first() : 0}, reach, waits_);
  }
  // What has come, and what has to be awaited before it is read.
  template <class Row>
  struct Come {
    ComeSums<Row> of;
    backend::AwaitFlags when;
  };
  template <class Row>
  Come<Row> receive(const Row& form) {
    Come<Row> come{border_.receive(form, waits_), {}};
    if (waits_ == Waits::between) return come;
    const auto end = watch_.endByKernel();
    if (waits_ == Waits::readers)
      come.when = {border_.awaited(), parts_.firstShared(), parts_.number(CellPart::border)};
    come.when.word = end.word, come.when.end = end.value;
    return come;
  }
  // Behind the pass, whether particles have to migrate. sortDue: before the next pass, on all ranks. Collective.
  bool mustMigrate(bool sortDue) {
    const bool sorted = old_ > 0, migrated = std::exchange(migrated_, false);
    if (sorted) --old_;
    ++passes_;
    if (asked_) {  // of any rank: a sort of one makes all others wait
      const auto seen = watch_.before();
      double any[2] = {seen && seen->far && !migrated ? 1.0 : 0.0, seen && seen->near && !sorted ? 1.0 : 0.0};
      ranks_.largest(any, 2);
      const bool far = any[0] > 0.0, near = any[1] > 0.0;
      migrated_ = far || (first_.any() && (near || sortDue));
      near_ = first_.any() && migrated_;
    } else {
      migrated_ = passes_ >= margin_.collisions;
    }
    if (migrated_) passes_ = 0;
    return migrated_;
  }
  // Behind all that is reported of it.
  void endPass() {
    if (waits_ == Waits::between && asked_) watch_.end();
    waits_ = usual_;
  }
  // All particles are in their domains, and nothing is under way.
  void restart() {
    watch_.forget();
    near_ = migrated_ = false, old_ = 0, passes_ = 0;
  }

  // While the pass is at work.
  bool sendsEarly() const { return first_.any(); }
  // Whether records of the cells inside are best made while border cells' sums are under way. They are not where these
  // sums come before the pass is done: one kernel for all cells ends sooner than two.
  bool insideFirst() const { return waits_ == Waits::between && first_.share() > shareOfLateSums; }
  BorderSums& border() { return border_; }
  const CellParts& parts() const { return parts_; }
  SolventMigration& migration() { return migration_; }
  std::size_t bytes() const { return border_.bytes() + parts_.bytes() + migration_.bytes() + first_.bytes(); }

private:
  using Waits = BorderSums::Waits;
  // One that sees a particle that is near, one until its report is there, and one that sorts by the way.
  static constexpr double passesTillSorted = 3.0;
  // Of particles that come last, until there must be a sort, if it is not due before: in some 23 collisions.
  static constexpr int cellsToGo = 3;
  // Of bricks that come first. On two H200s, 0.4, sums came 11 microseconds before the pass was done; on four, 0.8, 30
  // behind (perf/log/mpcd.md).
  static constexpr double shareOfLateSums = 0.6;
  // Where GPUs store into each other's memory. Elsewhere messages are shorter than the room there would have to be.
  static std::optional<TransportStyle> mailOf(const comm::Transport& transport) {
    return transport.direct() ? std::optional(TransportStyle::peer) : std::nullopt;
  }
  const comm::Communicator& ranks_;
  Domain domain_;
  BrickGrid grid_;
  Margin margin_;
  BorderSums border_;
  CellParts parts_;
  SolventMigration migration_;
  SharedFirst first_;
  PassWatch watch_;
  bool asked_;  // how far particles are
  // In the first step nobody waits beside others: a kernel that has not been loaded yet may wait for all that runs.
  Waits waits_ = Waits::between, usual_ = Waits::between;
  bool near_ = false, migrated_ = false;
  int old_ = 0;     // reports that are of the order before
  i64 passes_ = 0;  // since they migrated
};

}  // namespace mesowarp::mpcd
