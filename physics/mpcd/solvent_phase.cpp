#include "physics/mpcd/solvent_phase.hpp"

#include "physics/mpcd/deck/mpcd_deck.hpp"

namespace mesowarp::mpcd {
namespace {

template <class P>
Solvent& add(Engine& engine, const input::Deck& deck, const RankPart& part) {
  auto& solvent = engine.add(std::make_unique<SolventOf<P>>(deck, part));
  auto solutes = makeSolutes<P>(engine, deck);
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

// A fluid beside it may have filled the walls' columns before.
void SolventObserver::addQuantities(std::map<std::string, double>& quantities) const {
  std::map<std::string, double> ours;
  walls_ ? walls_->fill(ours) : boundary::WallColumns{}.fill({}, 0, ours);
  for (const auto& [column, value] : ours) quantities[column] += value;
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
