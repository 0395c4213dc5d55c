// Steps for a rule and a precision. Included by collisions_*.device.cpp.
//
// Step k: the particles are sorted, if due; the pass (solvent_pass.hpp); on several ranks the sums of border cells
// travel, and leavers; the records of all cells. A rank's span of cells is as much wider than its domain as a particle
// can have left it by before it migrates: the speed limit decides how many collisions that is at least one.
#pragma once

#include <cmath>
#include <numbers>
#include <utility>

#include "kernels/bricks/brick_pass.hpp"
#include "kernels/bricks/brick_shape.hpp"
#include "kernels/bricks/cell_pass.hpp"
#include "physics/mpcd/border_sums.hpp"
#include "physics/mpcd/boundary/solvent_walls.hpp"
#include "physics/mpcd/collision_settings.hpp"
#include "physics/mpcd/collisions.hpp"
#include "physics/mpcd/solutes/solutes.hpp"
#include "physics/mpcd/solvent_migration.hpp"

namespace mesowarp::mpcd {

template <class P>
struct FindSolventLeavers {
  SolventArrays<P> solvent;
  DomainBounds bounds;
  Leavers leavers;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    const int way = bounds.way(leading32(solvent.position[0][i]), leading32(solvent.position[1][i]),
                               leading32(solvent.position[2][i]));
    if (way != direction::here) leavers.add(i, way);
  }
};

// Walls: NoWalls, or what keeps the particles in, and then boundary/solvent_walls.hpp is their host's side.
template <class P, class Rule, bool Driven, class Walls = NoWalls>
class CollisionsOf final : public Collisions {
  using Number = typename P::Store;
  using Real = typename P::Real;
  using Pass = SolventPass<P, Rule, Driven, Walls>;
  using Records = CellRecords<Number, Rule::recordNumbers>;

public:
  CollisionsOf(SolventOf<P>& solvent, const input::Deck& deck, const Rule& rule, std::unique_ptr<SolutesOf<P>> solutes)
      : solvent_(solvent), solutes_(std::move(solutes)), every_(collisionOf(deck).every),
        sortEvery_(collisionOf(deck).sort), seed_(deck.run.seed), margin_(marginOf(deck)),
        bounds_(solvent.part().domain) {
    const auto& part = solvent.part();
    grid_ = spanOf(part.domain, cellsOf(deck), margin_.cells);
    const std::size_t cells = static_cast<std::size_t>(grid_.cellsInAll());
    backend::chooseBricks<Pass>(grid_, static_cast<double>(solvent.total()) / (part.ranks ? part.ranks->size() : 1));
    sums_ = {grid_, part.ranks != nullptr || Walls::any};
    records_ = zeroedArray<Number>("cell records", Records::numbers(cells));
    cellTask_ = {Rule::Words::mixed ? mixtureScaleOf(deck) : scaleOf(deck, sizeof(Number) == 8),
                 {},
                 {},
                 deck.run.temperature / solvent.mass()};
    if constexpr (Rule::Words::mixed) pass_.masses = {solvent.speciesOfTags(), meanMass(deck) / solvent.mass()};
    pass_.grid = grid_, pass_.rule = rule, pass_.scale = cellTask_.scale,
    pass_.drives = drivesOf<P>(deck, solvent.box());
    pass_.bounds = bounds_;
    constexpr int bits = 8 * sizeof(typename P::Coord);
    for (int a = 0; a < 3; ++a) pass_.ticks[a] = static_cast<Real>(collisionTime(deck) / solvent.box().tick(a, bits));
    if (solutes_) solutes_->prepare(grid_, margin_.cells, part);
    if (part.ranks) {
      border_ = std::make_unique<BorderSums>(*part.ranks, part.domain, grid_, margin_.cells, part.transport,
                                             Rule::Words::sums);
      migration_ = std::make_unique<SolventMigration>(*part.ranks, part.domain,
                                                      static_cast<int>(solvent.total() / part.ranks->size()));
    }
    if constexpr (Walls::any)
      solidWalls_ = std::make_unique<SolventWalls>(deck, part, grid_, cellTask_.scale.mostInCell());
  }

  void advance(i64 step) override {
    if (sinceSort_ >= sortEvery_) solvent_.sort(grid_), sinceSort_ = 0, early_ = false;
    ++sinceSort_;
    const bool migrates = migration_ && ++sinceMigration_ >= margin_.collisions;
    pass_.before = pass_.after, pass_.after = shiftOf(grid_, seed_, step);
    if constexpr (Rule::noise) pass_.rule.key = stepKey(seed_, Stream::solventNoise, step);
    if (migrates) pass_.leavers = migration_->leavers();
    pass_.findLeavers = migrates;
    run("stream and collide solvent", std::exchange(waits_, true), true);
    if constexpr (Walls::any) solidWalls_->addVirtual(pass_, step);
    if (solutes_) solutes_->add(step, pass_.after, solvent_.mishap());
    using Join = JoinWords<typename Rule::Words>;
    const Join join{cellTask_.scale};
    if (border_) {
      const auto sums = sums_.view(pass_.after);
      border_->send<Rule::Words::sums>(ReadSums<std::remove_const_t<decltype(sums)>, Join>{sums, join});
    }
    if (migrates) migrate();
    if (border_) border_->add(sums_.data());
    if (solutes_) solutes_->receive();
    cellTask_.axis = stepKey(seed_, Stream::cellAxis, step),
    cellTask_.energy = stepKey(seed_, Stream::cellEnergy, step);
    backend::runCellPass("cell records", grid_, pass_.after, sums_, join,
                         MakeRecords<P, Rule>{grid_, pass_.rule, cellTask_, records(), solvent_.mishap(),
                                              solutes_ ? solutes_->sums() : GuestSums{}});
    early_ = plain();
    if constexpr (!Rule::angular)  // nothing is embedded where angular momentum is kept
      if (solutes_) solutes_->collide(pass_.rule, records());
    if constexpr (Walls::any) solidWalls_->tallyVirtual(pass_, step);
  }

  void settle() override {
    if (!std::exchange(waits_, false)) return;
    pass_.before = pass_.after;
    pass_.findLeavers = false;
    run("collide solvent", true, false);
  }
  void restart() override { waits_ = early_ = false, sinceSort_ = sortEvery_, sinceMigration_ = 0; }
  std::size_t bytes() const override {
    return sums_.bytes() + records_.extent(0) * sizeof(Number) + (border_ ? border_->bytes() : 0) +
           (solutes_ ? solutes_->bytes() : 0) + (solidWalls_ ? solidWalls_->bytes() : 0);
  }
  boundary::WallRecord* wallRecord() override { return solidWalls_ ? &solidWalls_->record() : nullptr; }

private:
  // Between the records of a step and the pass of the next there is no kernel.
  bool plain() const { return !Walls::any && !solutes_ && !border_; }
  Records records() const { return Records::over(records_.data(), static_cast<std::size_t>(grid_.cellsInAll())); }
  void run(const char* label, bool collides, bool streams) {
    pass_.solvent = solvent_.arrays(), pass_.records = records(), pass_.sum = sums_.data();
    pass_.mishap = solvent_.mishap();
    if constexpr (Walls::any) pass_.walls = solidWalls_->template boundary<P>(solvent_.mishap());
    pass_.collides = collides, pass_.streams = streams;
    backend::runBrickPass(label, pass_, sums_, solvent_.brickStart(), solvent_.count(), std::exchange(early_, false));
  }
  void migrate() {
    sinceMigration_ = 0;
    const auto find = [&](const Leavers& leavers) {
      Kokkos::parallel_for("find solvent leavers", Range(0, solvent_.count()),
                           FindSolventLeavers<P>{solvent_.arrays(), bounds_, leavers});
    };
    solvent_.setCount(migration_->migrate(solvent_.count(), find, [&](int particles) {
      solvent_.ensureRoom(particles);
      return solvent_.fields().rows(moves);
    }));
  }

  SolventOf<P>& solvent_;
  std::unique_ptr<SolutesOf<P>> solutes_;  // null: none
  i64 every_, sortEvery_;
  u64 seed_;
  Margin margin_;
  DomainBounds bounds_;
  BrickGrid grid_;
  CellTask cellTask_;
  Pass pass_{};
  backend::BrickSums<typename Rule::Words> sums_;
  DeviceArray<Number> records_;
  std::unique_ptr<BorderSums> border_;
  std::unique_ptr<SolventMigration> migration_;
  std::unique_ptr<SolventWalls> solidWalls_;
  bool waits_ = false;  // the collision that the records are for
  bool early_ = false;  // nothing has been launched since the records were made
  i64 sinceSort_ = 0, sinceMigration_ = 0;
};

// W: MixtureWords, or the usual ones of each rule.
template <class P, bool Driven, class Walls = NoWalls, class... W>
std::unique_ptr<Collisions> collisionsDriven(SolventOf<P>& solvent, const input::Deck& deck,
                                             std::unique_ptr<SolutesOf<P>> solutes) {
  const CollisionBlock& c = collisionOf(deck);
  if (c.style == CollisionStyle::andersen) {
    using Rule = AndersenRule<P, W...>;
    const Rule rule{{}, static_cast<typename P::Store>(std::sqrt(deck.run.temperature / solvent.mass()))};
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

// The same (angular/angular_collisions_*.device.cpp).
template <class P>
std::unique_ptr<Collisions> makeAngularCollisions(SolventOf<P>& solvent, const input::Deck& deck);

// The same (mixture/mixture_collisions_*.device.cpp).
template <class P>
std::unique_ptr<Collisions> makeMixtureCollisions(SolventOf<P>& solvent, const input::Deck& deck,
                                                  std::unique_ptr<SolutesOf<P>> solutes);

template <class P>
std::unique_ptr<Collisions> makeCollisions(SolventOf<P>& solvent, const input::Deck& deck,
                                           std::unique_ptr<SolutesOf<P>> solutes) {
  if (isMixture(deck)) return makeMixtureCollisions<P>(solvent, deck, std::move(solutes));
  if (collisionOf(deck).angular) return makeAngularCollisions<P>(solvent, deck);
  if (!deck.walls.empty()) return makeWalledCollisions<P>(solvent, deck, std::move(solutes));
  return deck.drives.empty() ? collisionsDriven<P, false>(solvent, deck, std::move(solutes))
                             : collisionsDriven<P, true>(solvent, deck, std::move(solutes));
}

}  // namespace mesowarp::mpcd
