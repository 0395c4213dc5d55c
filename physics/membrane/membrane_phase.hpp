// The membranes of a population in a step: area and volume of each cell, then the forces on its vertices, added to what
// bonds left. It stands before the last pair force.
#pragma once

#include <memory>
#include <utility>

#include "core/error.hpp"
#include "physics/integrate/schedule_phase.hpp"
#include "physics/membrane/deck/membrane_blocks.hpp"
#include "physics/membrane/model/cell_state.hpp"
#include "physics/membrane/model/membrane_forces.hpp"
#include "physics/membrane/model/vertex_rows.hpp"
#include "step/engine.hpp"

namespace mesowarp::membrane {

template <class P>
class MembranePhase final : public Phase {
public:
  using Real = typename P::Real;
  MembranePhase(BoxPopulation<P>& population, const input::Deck& deck, const input::Population& cells, u32 firstTag)
      : Phase(phaseOf(cells.name), population), population_(population),
        mechanics_(mechanicsOf(deck, *membraneOf(deck, cells.name), *meshOf(cellsOf(cells)))),
        mesh_(meshOnDevice<Real>(*meshOf(cellsOf(cells)), mechanics_)),
        rows_(firstTag, cellCount(cells, deck.box) * mesh_.vertices),
        state_(cellCount(cells, deck.box), mesh_.vertices, population.ranks(), overHost(population),
               mechanics_.extrapolated),
        forces_(makeMembraneForces<P>(deck, cells, firstTag, population.total())) {
    population.addSearch([this](const PartnerSearch& search) { rows_.lookFor(population_, mesh_, search); });
  }

  void follow(const input::Deck& now) { forces_->follow(now); }

  std::vector<FieldUse> uses() const override {
    return {{"position", FieldUse::readsGhosts},
            {"velocity", FieldUse::readsGhosts},
            {"tag", FieldUse::readsGhosts},
            {"force", FieldUse::adds}};
  }
  // In the first step the host must know that the kernels have run.
  bool repeatable() const override { return state_.known(); }

  void run(const PhaseStep& step) override {
    if (builds_ != population_.buildsHere() || rows_.rows().extent(0) == 0) {
      rows_.find(population_, mesh_);
      builds_ = population_.buildsHere();
    }
    const VertexState<P> vertices = verticesOf(step);
    if (!state_.placed()) findPlaces(vertices);
    if (state_.underWay()) state_.finish(step.guard);
    if (!mechanics_.lagged || !state_.known()) addUp(vertices);
    forces_->addForces(vertices, state_.arrays(), population_.summed(), rows_.count(), step.sums);
    if (!mechanics_.lagged) return;
    forces_->addShares(vertices, state_.arrays(), rows_.count());
    population_.ranks() ? state_.start(vertices.faces) : state_.addUp(step.guard, vertices.faces, true);
  }

  std::size_t memoryBytes() const override { return rows_.bytes() + state_.bytes(); }
  std::vector<i64> state() const override {
    const_cast<MembranePhase*>(this)->state_.finishBeforeStep();
    return state_.words();
  }
  void restore(const std::vector<i64>& words) override {
    if (!state_.restore(words)) throw InputError("the checkpoint's " + name() + " are of another number of cells");
  }

private:
  // What ghosts have been told not to do, sums do not do either.
  static bool overHost(const BoxPopulation<P>& population) {
    const auto choice = population.transport();
    return choice && choice->name == "host";
  }
  VertexState<P> verticesOf(const PhaseStep& step) const {
    const auto& arrays = population_.arrays();
    return {arrays.position->current,
            arrays.velocity->current,
            rows_.rows(),
            rows_.ring(),
            rows_.beyond(),
            population_.ticks(),
            population_.facesAt(step.step),
            step.guard,
            population_.flags().errors()};
  }
  void findPlaces(const VertexState<P>& vertices) {
    Kokkos::parallel_for("cell places", Range(0, rows_.count()),
                         AddPlaces<P>{vertices, population_.arrays().image->current,
                                      population_.arrays().built->current, state_.arrays(), mesh_.vertices});
    state_.addUp(vertices.guard, vertices.faces, false);
  }
  void addUp(const VertexState<P>& vertices) {
    forces_->addShares(vertices, state_.arrays(), rows_.count());
    state_.addUp(vertices.guard, vertices.faces, false);
    state_.nowKnown();
  }

  BoxPopulation<P>& population_;
  Mechanics mechanics_;
  MeshOnDevice<Real> mesh_;
  VertexRows<P> rows_;
  CellState<P> state_;
  std::unique_ptr<MembraneForces<P>> forces_;
  int builds_ = -1;
};

// The phases of a deck's membranes. followers: told of numbers that change.
template <class P>
void addPhases(Engine& engine, BoxPopulation<P>& population, const input::Deck& deck, Followers& followers) {
  for (const auto& [cells, firstTag] : membranePopulations(deck)) {
    auto phase = std::make_unique<MembranePhase<P>>(population, deck, *cells, firstTag);
    followers.push_back([of = phase.get()](const input::Deck& now) { of->follow(now); });
    engine.add(std::move(phase));
  }
}

}  // namespace mesowarp::membrane
