#include "physics/mpcd/solvent_phase.hpp"

#include "physics/integrate/schedule_phase.hpp"
#include "physics/mpcd/deck/mpcd_blocks.hpp"
#include "physics/mpcd/deck/mpcd_deck.hpp"

namespace mesowarp::mpcd {
namespace {

template <class P>
Solvent& add(Engine& engine, const input::Deck& deck, const RankPart& part) {
  auto& solvent = engine.add(std::make_unique<SolventOf<P>>(deck, part));
  auto solutes = makeSolutes<P>(engine, deck);
  if (const auto schedule = Schedule::of(deck); schedule && isFirstWith(deck, "schedule"))
    engine.add(std::make_unique<SchedulePhase>(solvent, schedule, std::make_shared<Followers>()));
  Population& at = solutes ? static_cast<Population&>(solutes->population()) : solvent;
  auto collisions = makeCollisions<P>(solvent, deck, std::move(solutes));
  Collisions& steps = *collisions;
  solvent.onRead([&steps] { steps.settle(); });
  solvent.onRestore([&steps] { steps.restart(); });
  steps.restart();
  engine.add(std::make_unique<CollisionPhase>(at, std::move(collisions), collisionOf(deck).every));
  engine.add(std::make_unique<SolventObserver>(solvent, steps));
  return solvent;
}

}  // namespace

void SolventObserver::run(const PhaseStep& step) {
  if (walls_) walls_->at(step.step);
  if (step.wanted.any()) collisions_.settle();
  if (step.sums) sums_ = solvent_.sums();
}

void SolventObserver::finishSums(ThermoSums& sums) const {
  sums += sums_;
  if (walls_) walls_->finish();
}

void SolventObserver::addMeans(const std::vector<i64>& summed, i64 steps,
                               std::map<std::string, double>& quantities) const {
  walls_ ? walls_->addMeans(summed, steps, quantities) : boundary::WallColumns{}.addTo(quantities, {}, 0);
}

Solvent& addSolvent(Engine& engine, const input::Deck& deck, const RankPart& part) {
  switch (deck.run.precision) {
  case input::Precision::single:
    return add<SinglePrecision>(engine, deck, part);
  case input::Precision::mixed:
    return add<MixedPrecision>(engine, deck, part);
  case input::Precision::double_:
    break;
  }
  return add<DoublePrecision>(engine, deck, part);
}

}  // namespace mesowarp::mpcd
