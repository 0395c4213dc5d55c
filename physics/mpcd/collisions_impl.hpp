// Steps for a rule and a precision. Included by collisions_*.device.cpp.
//
// Step k: the particles are sorted, if due, on a GPU by the pass itself; the pass (solvent_pass.hpp); on several ranks
// the sums of border cells travel, and leavers (sharing/solvent_sharing.hpp); the records of all cells.
#pragma once

#include <cmath>
#include <limits>
#include <numbers>
#include <optional>
#include <stdexcept>
#include <utility>

#include "grid/leavers.hpp"
#include "kernels/bricks/brick_pass.hpp"
#include "kernels/bricks/brick_shape.hpp"
#include "kernels/bricks/cell_pass.hpp"
#include "physics/integrate/schedule.hpp"
#include "physics/mpcd/boundary/solvent_walls.hpp"
#include "physics/mpcd/collision_settings.hpp"
#include "physics/mpcd/collisions.hpp"
#include "physics/mpcd/deck/mpcd_walls.hpp"
#include "physics/mpcd/sharing/solvent_sharing.hpp"
#include "physics/mpcd/solutes/solutes.hpp"

namespace mesowarp::mpcd {

template <class P>
struct FindSolventLeavers {
  SolventArrays<P> solvent;
  DomainBounds bounds;
  Leavers leavers;
  KOKKOS_INLINE_FUNCTION int way(int i) const {
    int side[3] = {};
    u32 at[3];
    solvent.places.leading(i, at);
    for (int a = 0; a < 3; ++a)
      if (bounds.cut[a]) side[a] = bounds.side(at[a], a);
    return direction::of(side[0], side[1], side[2]);
  }
  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    const int to = way(i);
    if (to != direction::here) leavers.add(i, to);
  }
};

// Those of bricks, in parts, a team for each, which counts its own first: they would wait for each other at one
// counter.
template <class P>
struct FindLeaversInBricks {
  using Team = Kokkos::TeamPolicy<Execution>::member_type;
  using Counts = Kokkos::View<int*, Execution::scratch_memory_space, Kokkos::MemoryUnmanaged>;
  static constexpr int counts = 1 + direction::count;  // of all, then of each way
  static constexpr int parts = 4;                      // of a brick
  FindSolventLeavers<P> find;
  const int *bricks, *start;
  int last, particles;  // the last brick of all has all particles behind its first

  static int scratch() { return static_cast<int>(Counts::shmem_size(2 * counts)); }
  KOKKOS_INLINE_FUNCTION void operator()(const Team& team) const {
    const int brick = bricks[team.league_rank() / parts], part = team.league_rank() % parts, first = start[brick];
    const int end = brick < last && start[brick + 1] < particles ? start[brick + 1] : particles;
    if (first >= end) return;
    const int most = (end - first + parts - 1) / parts, from = first + part * most;
    const Counts found(team.team_scratch(0), 2 * counts);
    const auto each = Kokkos::TeamThreadRange(team, from, from + most < end ? from + most : end);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, 2 * counts), [&](int k) { found(k) = 0; });
    team.team_barrier();
    Kokkos::parallel_for(each, [&](int i) {
      const int way = find.way(i);
      if (way != direction::here) Kokkos::atomic_add(&found(0), 1), Kokkos::atomic_add(&found(1 + way), 1);
    });
    team.team_barrier();
    if (found(0) == 0) return;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, counts), [&](int k) {
      if (found(k) > 0) found(counts + k) = Kokkos::atomic_fetch_add(&find.leavers.counts(k), found(k));
    });
    team.team_barrier();
    Kokkos::parallel_for(each, [&](int i) {
      const int way = find.way(i);
      if (way == direction::here) return;
      const int slot = Kokkos::atomic_fetch_add(&found(counts), 1);
      if (slot >= static_cast<int>(find.leavers.index.extent(0))) return;
      find.leavers.index(slot) = i, find.leavers.way(slot) = way;
    });
  }
};

// Cells of the narrowest domain along an axis that is cut.
inline int narrowestOf(const Domain& domain, const std::array<int, 3>& cells) {
  int narrowest = std::numeric_limits<int>::max();
  for (std::size_t a = 0; a < 3; ++a)
    if (domain.cut(static_cast<int>(a))) narrowest = std::min(narrowest, cells[a] / domain.ranks[a]);
  return narrowest;
}

// Walls: NoWalls, or what keeps the particles in, and then boundary/solvent_walls.hpp is their host's side.
template <class P, class Rule, bool Driven, class Walls = NoWalls>
class CollisionsOf final : public Collisions {
  using Number = typename P::Store;
  using Real = typename P::Real;
  using Pass = SolventPass<P, Rule, Driven, Walls>;
  using Records = CellRecords<Number, Rule::storedNumbers>;
  using Row = RowOf<typename Rule::Words>;
  static constexpr bool ownKernel = Rule::angular;  // of records of cells that have solvent alone

public:
  CollisionsOf(SolventOf<P>& solvent, const input::Deck& deck, const Rule& rule, std::unique_ptr<SolutesOf<P>> solutes)
      : solvent_(solvent), solutes_(std::move(solutes)), every_(collisionOf(deck).every),
        sortEvery_(collisionOf(deck).sort), seed_(deck.run.seed),
        margin_(marginOf(deck, narrowestOf(solvent.part().domain, cellsOf(deck)))), bounds_(solvent.part().domain),
        grid_(bricksOf(solvent, deck, margin_)), sums_(grid_, Walls::any),
        records_(zeroedArray<Number>("cell records", Records::numbers(static_cast<std::size_t>(grid_.cellsInAll())))),
        schedule_(Schedule::of(deck)) {
    const auto& part = solvent.part();
    cellTask_ = {Rule::Words::mixed ? mixtureScaleOf(deck) : scaleOf(deck, sizeof(Number) == 8),
                 {},
                 {},
                 deck.run.temperature / solvent.mass()};
    if constexpr (Rule::Words::mixed) pass_.masses = {solvent.speciesOfTags(), meanMass(deck) / solvent.mass()};
    pass_.fast.squared = usualSpeed(deck) * usualSpeed(deck);
    pass_.grid = grid_, pass_.rule = rule, pass_.scale = cellTask_.scale,
    pass_.drives = drivesOf<P>(deck, solvent.box());
    constexpr int bits = PackedPlace<typename P::Coord>::bits;
    for (int a = 0; a < 3; ++a) pass_.ticks[a] = static_cast<Real>(collisionTime(deck) / solvent.box().tick(a, bits));
    if (solutes_) solutes_->prepare(grid_, margin_.cells, part);
    if (part.ranks)
      sharing_ = std::make_unique<SolventSharing>(part, grid_, margin_, Row::words,
                                                  static_cast<int>(solvent.total() / part.ranks->size()),
                                                  byTheWay && !Walls::any);
    using Words = typename Rule::Words;
    if (sharing_)
      sharing_->signalIfRoom(
          solutes_ ? backend::cellBlocksAtOnce<Words, JoinWords<Words>, MakeRecords<P, Rule, true>>(grid_)
                   : backend::cellBlocksAtOnce<Words, JoinWords<Words>, MakeRecords<P, Rule, !ownKernel>>(grid_));
    if constexpr (Walls::any)
      solidWalls_ = std::make_unique<SolventWalls>(deck, part, grid_, cellTask_.scale.mostInCell());
  }

  void advance(i64 step) override {
    if (schedule_) follow(step);
    if (!sorting_ && (sinceSort_ >= sortEvery_ || (sharing_ && sharing_->mustSort()))) sortBefore();
    ++sinceSort_;
    const BrickOrder order = sharing_ ? sharing_->beginPass() : BrickOrder{};
    if (sharing_) pass_.fast.seen = sharing_->fast();
    pass_.before = pass_.after, pass_.after = shiftOf(grid_, seed_, step);
    if constexpr (Rule::noise) pass_.rule.key = stepKey(seed_, Stream::solventNoise, step);
    run("stream and collide solvent", std::exchange(waits_, true), true, order);
    if constexpr (Walls::any) solidWalls_->addVirtual(pass_, step);
    using Join = JoinWords<typename Rule::Words>;
    const Join join{cellTask_.scale};
    if (sharing_)
      sharing_->send(
          Row(cellTask_.scale),
          [&](const BorderSums::Where& where, const auto& pack) {
            backend::lookAtBorder("pack border sums", where.side, grid_, pass_.after, sums_, join, pack,
                                  sharing_->parts(), where.cells, fill_, where.raise);
          },
          pass_.after);
    if (solutes_) solutes_->add(step, pass_.after, solvent_.mishap());
    cellTask_.axis = stepKey(seed_, Stream::cellAxis, step),
    cellTask_.energy = stepKey(seed_, Stream::cellEnergy, step);
    if constexpr (requires { pass_.rule.axis; }) pass_.rule.axis = cellTask_.axis;
    const bool sortDue = sinceSort_ >= sortEvery_, migrates = sharing_ && sharing_->mustMigrate(sortDue);
    const auto make = [&] { solutes_ || !ownKernel ? makeRecords<true>(migrates) : makeRecords<!ownKernel>(migrates); };
    migrates ? migrate(make, sortDue || sharing_->mustSort()) : make();
    early_ = plain() && !migrates;
    if (solutes_) solutes_->collide(pass_.rule, records());
    if constexpr (Walls::any) solidWalls_->tallyVirtual(pass_, step);
  }

  void settle() override {
    if (!std::exchange(waits_, false)) return;
    endSort();
    pass_.before = pass_.after;
    run("collide solvent", true, false, {});
  }
  void restart() override {
    waits_ = early_ = false, sinceSort_ = sortEvery_;
    sorting_.reset();
    if (sharing_) sharing_->restart();
  }
  std::size_t bytes() const override {
    return sums_.bytes() + records_.extent(0) * sizeof(Number) + (sharing_ ? sharing_->bytes() : 0) +
           (solutes_ ? solutes_->bytes() : 0) + (solidWalls_ ? solidWalls_->bytes() : 0);
  }
  boundary::WallRecord* wallRecord() override { return solidWalls_ ? &solidWalls_->record() : nullptr; }

private:
  // Bricks may begin before the margin does, so the span of cells may be wider than domain and margin.
  static BrickGrid bricksOf(const SolventOf<P>& solvent, const input::Deck& deck, const Margin& margin) {
    const auto& part = solvent.part();
    BrickGrid grid = spanOf(part.domain, cellsOf(deck), margin.cells);
    backend::chooseBricks<Pass>(grid, static_cast<double>(solvent.total()) / (part.ranks ? part.ranks->size() : 1));
    return grid;
  }
  // Records of the cells' sums, with what neighbours have of them.
  template <bool Guested>
  void makeRecords(bool migrates) {
    const JoinWords<typename Rule::Words> join{cellTask_.scale};
    MakeRecords<P, Rule, Guested> make{grid_, pass_.rule, cellTask_, records(), solvent_.mishap()};
    if (solutes_) make.guests = solutes_->template sums<Rule::angular>();
    make.fully = migrates || solutes_;
    if (sharing_) make.shared = sharing_->border().shared();
    const auto over = [&](CellPart part, const backend::AwaitFlags& when = {}) {
      backend::runCellPass("cell records", grid_, pass_.after, sums_, join, make,
                           sharing_ ? sharing_->parts() : onePart_, part, fill_, when);
    };
    if (!sharing_) return over(CellPart::all);
    const bool insideFirst = sharing_->insideFirst();
    if (insideFirst) over(CellPart::inner);
    const auto come = sharing_->receive(Row(cellTask_.scale));
    make.come = come.of;
    if (solutes_) make.guestsCome = solutes_->template receive<Rule::angular>();
    sharing_->endPass();  // here, and not behind the records: an event keeps the next pass from coming early
    over(insideFirst ? CellPart::border : CellPart::all, come.when);
  }
  // Between the records of a step and the pass of the next there is no kernel.
  bool plain() const { return !Walls::any && !solutes_ && (!sharing_ || sharing_->sendsEarly()); }
  Records records() const { return Records::over(records_.data(), static_cast<std::size_t>(grid_.cellsInAll())); }
  // On a GPU a pass that collides and streams sorts by the way: particles are stored where they are in the order of the
  // bricks that they were in as it began. On a CPU it gained nothing, and GCC 12 inlined less of all passes (4% more
  // instructions).
  static constexpr bool byTheWay = backend::sortsByTheWay<Pass>;
  struct Sorting {
    int left, arrived;
  };
  void sortBefore() {
    if (byTheWay && waits_ && !sharing_) {
      solvent_.beginSort(grid_, {}, true);
      sorting_ = Sorting{};
      return;
    }
    solvent_.sort(grid_), markSorted();
    if (sharing_) sharing_->expectNoneBeyond(solvent_.brickStart());
  }
  void markSorted() {
    sinceSort_ = 0, early_ = false, sorted_ = true;
    if (sharing_) sharing_->sorted(1);
  }
  // Where somebody looks, or takes the pass apart, before it has sorted by the way.
  void endSort() {
    if (!sorting_) return;
    const Sorting of = *std::exchange(sorting_, std::nullopt);
    solvent_.beginSort(grid_, bounds_), solvent_.endSort(of.arrived, of.left);
    markSorted();
  }
  // Drives, walls and temperature of a step are those of the way to it and of its collision.
  void follow(i64 step) {
    const input::Deck& now = schedule_->at(step);
    if (schedule_->changes(Scheduled::drive)) pass_.drives = drivesOf<P>(now, solvent_.box());
    if constexpr (Walls::any)
      if (schedule_->changes(Scheduled::wall)) solidWalls_->followMotions(now);
    if (!schedule_->changes(Scheduled::temperature)) return;
    cellTask_.temperature = now.run.temperature / solvent_.mass();
    if constexpr (Rule::noise) pass_.rule.spread = static_cast<Number>(thermalSpeed(now, solvent_.mass()));
    if constexpr (Walls::any) solidWalls_->followTemperature(now);
    if (solutes_) solutes_->follow(now);
  }
  void run(const char* label, bool collides, bool streams, const BrickOrder& order) {
    pass_.solvent = solvent_.arrays(), pass_.records = records(), pass_.sum = sums_.data();
    pass_.mishap = solvent_.mishap();
    const auto sorting = std::exchange(sorting_, std::nullopt);
    if constexpr (Walls::any)
      pass_.walls = solidWalls_->template boundary<P>(solvent_.mishap(),
                                                      solvent_.count() + (sorting ? sorting->arrived : 0), streams);
    pass_.collides = collides, pass_.streams = streams;
    fill_ = {solvent_.brickStart().data(), solvent_.count()};
    BrickPlaces places;
    if (sorting && !(collides && streams)) throw std::logic_error("a pass that is taken apart cannot sort by the way");
    if (sorting) places = solvent_.beginPass(sorting->arrived), pass_.sorted = solvent_.arrays(true), early_ = false;
    backend::runBrickPass(label, pass_, sums_, solvent_.brickStart(), solvent_.count(), order,
                          std::exchange(early_, false), streams && std::exchange(sorted_, false), places);
    if (!sorting) return;
    solvent_.endPass(sorting->arrived, sorting->left);
    sinceSort_ = 1, sorted_ = true;
  }
  // sorts: before the next pass, so it takes leavers and arrivals along; particles are counted while these travel.
  void migrate(const std::function<void()>& make, bool sorts) {
    const auto find = [&](const Leavers& leavers) {
      const FindSolventLeavers<P> each{solvent_.arrays(), bounds_, leavers};
      const BrickOrder near = sharing_->nearShared();  // particles of other bricks are within the domain
      if (near.bricks == nullptr) return Kokkos::parallel_for("find solvent leavers", Range(0, solvent_.count()), each);
      using InBricks = FindLeaversInBricks<P>;
      auto teams = Kokkos::TeamPolicy<Execution>(near.first * InBricks::parts, Kokkos::AUTO);
      Kokkos::parallel_for(
          "find solvent leavers in bricks", teams.set_scratch_size(0, Kokkos::PerTeam(InBricks::scratch())),
          InBricks{each, near.bricks, solvent_.brickStart().data(), grid_.bricksInAll() - 1, solvent_.count()});
    };
    const auto rows = [&](int particles) {
      solvent_.ensureRoom(particles);
      return solvent_.fields().rows(moves);
    };
    const auto meanwhile = [&] {
      if (sorts) solvent_.beginSort(grid_, bounds_, byTheWay);
      make();
    };
    const auto [left, arrived] = sharing_->migration().migrate(solvent_.count(), find, rows, meanwhile, sorts);
    if (!sorts) return solvent_.setCount(solvent_.count() + arrived - left);
    if (byTheWay) {
      sorting_ = Sorting{left, arrived};
      return sharing_->sorted(2);
    }
    solvent_.endSort(arrived, left);
    markSorted();
  }

  SolventOf<P>& solvent_;
  std::unique_ptr<SolutesOf<P>> solutes_;  // null: none
  i64 every_, sortEvery_;
  u64 seed_;
  Margin margin_;
  DomainBounds bounds_;
  const BrickGrid grid_;
  backend::BrickSums<typename Rule::Words> sums_;
  DeviceArray<Number> records_;
  CellTask cellTask_;
  Pass pass_{};
  BrickFill fill_;                           // of the windows of the last pass
  CellParts onePart_;                        // nobody else has any
  std::unique_ptr<SolventSharing> sharing_;  // null: one rank
  std::unique_ptr<SolventWalls> solidWalls_;
  std::shared_ptr<Schedule> schedule_;  // null: nothing changes with the step
  bool waits_ = false;                  // the collision that the records are for
  bool early_ = false;                  // nothing has been launched since the records were made
  bool sorted_ = true;                  // and not streamed since
  std::optional<Sorting> sorting_;      // counted; the next pass sorts
  i64 sinceSort_ = 0;
};

// W: MixtureWords, or the usual ones of each rule.
template <class P, bool Driven, class Walls = NoWalls, class... W>
std::unique_ptr<Collisions> collisionsDriven(SolventOf<P>& solvent, const input::Deck& deck,
                                             std::unique_ptr<SolutesOf<P>> solutes) {
  const CollisionBlock& c = collisionOf(deck);
  if (c.style == CollisionStyle::andersen) {
    using Rule = AndersenRule<P, W...>;
    const Rule rule{{}, static_cast<typename P::Store>(thermalSpeed(deck, solvent.mass()))};
    return std::make_unique<CollisionsOf<P, Rule, Driven, Walls>>(solvent, deck, rule, std::move(solutes));
  }
  const auto rotation = Rotation<typename P::Real>::of(c.angle * std::numbers::pi / 180.0);
  if (c.thermostat == CellThermostat::none) {
    using Rule = RotationRule<P, false, W...>;
    return std::make_unique<CollisionsOf<P, Rule, Driven, Walls>>(solvent, deck, Rule{rotation}, std::move(solutes));
  }
  using Rule = RotationRule<P, true, W...>;
  return std::make_unique<CollisionsOf<P, Rule, Driven, Walls>>(solvent, deck, Rule{rotation}, std::move(solutes));
}

// Compiled apart (boundary/walled_collisions_*.device.cpp).
template <class P>
std::unique_ptr<Collisions> makeWalledCollisions(SolventOf<P>& solvent, const input::Deck& deck,
                                                 std::unique_ptr<SolutesOf<P>> solutes);

// The same (angular/angular_collisions_*.device.cpp, angular/angular_mixture_*.device.cpp).
template <class P>
std::unique_ptr<Collisions> makeAngularCollisions(SolventOf<P>& solvent, const input::Deck& deck,
                                                  std::unique_ptr<SolutesOf<P>> solutes);
template <class P>
std::unique_ptr<Collisions> makeAngularMixtureCollisions(SolventOf<P>& solvent, const input::Deck& deck,
                                                         std::unique_ptr<SolutesOf<P>> solutes);

// The same (mixture/mixture_collisions_*.device.cpp).
template <class P>
std::unique_ptr<Collisions> makeMixtureCollisions(SolventOf<P>& solvent, const input::Deck& deck,
                                                  std::unique_ptr<SolutesOf<P>> solutes);

template <class P>
std::unique_ptr<Collisions> makeCollisions(SolventOf<P>& solvent, const input::Deck& deck,
                                           std::unique_ptr<SolutesOf<P>> solutes) {
  if (collisionOf(deck).angular)
    return isMixture(deck) ? makeAngularMixtureCollisions<P>(solvent, deck, std::move(solutes))
                           : makeAngularCollisions<P>(solvent, deck, std::move(solutes));
  if (isMixture(deck)) return makeMixtureCollisions<P>(solvent, deck, std::move(solutes));
  if (!deck.walls.empty()) return makeWalledCollisions<P>(solvent, deck, std::move(solutes));
  return deck.drives.empty() ? collisionsDriven<P, false>(solvent, deck, std::move(solutes))
                             : collisionsDriven<P, true>(solvent, deck, std::move(solutes));
}

}  // namespace mesowarp::mpcd
