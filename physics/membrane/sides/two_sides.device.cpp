#include "physics/membrane/sides/two_sides.hpp"

#include <limits>

#include "physics/membrane/sides/bounce_phase.hpp"
#include "physics/membrane/sides/side_search.hpp"

namespace mesowarp::membrane {
namespace {

// Every so many steps.
template <class P>
class SidePhase final : public Phase {
public:
  SidePhase(BoxPopulation<P>& population, const input::Deck& deck, const Surfaces& surfaces)
      : Phase(sidePhase, population), population_(population), search_(population, deck), surfaces_(surfaces) {
    for (const TwoSides& one : twoSidesOf(deck))
      if (one.checkEvery > 0) every_ = std::min(every_, one.checkEvery);
  }
  std::vector<FieldUse> uses() const override {
    return {{"position", FieldUse::reads}, {"velocity", FieldUse::writes}};
  }
  bool due(i64 step) const override { return step > 0 && step % every_ == 0; }
  void run(const PhaseStep&) override {
    const i64 wrong = search_(surfaces_);
    wrong_ += wrong;
    if (wrong > 0) population_.refreshGhosts();
  }
  void addQuantities(std::map<std::string, double>& quantities) const override {
    quantities[wrongSide] = static_cast<double>(wrong_);
  }
  std::vector<i64> state() const override { return {wrong_}; }
  void restore(const std::vector<i64>& words) override { wrong_ = words.empty() ? 0 : words.front(); }
  std::size_t memoryBytes() const override { return search_.bytes(); }

private:
  BoxPopulation<P>& population_;
  SideSearch<P> search_;
  Surfaces surfaces_;
  i64 every_ = std::numeric_limits<i64>::max();
  i64 wrong_ = 0;  // so far
};

}  // namespace

template <class P>
void addTwoSides(Engine& engine, BoxPopulation<P>& population, const input::Deck& deck) {
  if (twoSidesOf(deck).empty()) return;
  auto bounce = std::make_unique<BouncePhase<P>>(population, deck);
  const Surfaces surfaces = bounce->surfaces();
  engine.add(std::move(bounce));
  engine.add(std::make_unique<SidePhase<P>>(population, deck, surfaces));
}

template void addTwoSides<SinglePrecision>(Engine&, BoxPopulation<SinglePrecision>&, const input::Deck&);
template void addTwoSides<MixedPrecision>(Engine&, BoxPopulation<MixedPrecision>&, const input::Deck&);
template void addTwoSides<DoublePrecision>(Engine&, BoxPopulation<DoublePrecision>&, const input::Deck&);

}  // namespace mesowarp::membrane
