// addFluid() in one precision. Included by fluid_*.device.cpp.
#pragma once

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

#include "physics/boundary/shear_phases.hpp"
#include "physics/boundary/wall_phase.hpp"
#include "physics/fluid/fluid.hpp"
#include "physics/fluid/fluid_phases.hpp"
#include "physics/fluid/upload.hpp"
#include "physics/integrate/langevin.hpp"
#include "physics/membrane/membrane_phase.hpp"
#include "physics/transport/transport_start.hpp"

namespace mesowarp {

// Of each species; empty: none is.
inline std::vector<bool> frozenSpecies(const input::Deck& deck) {
  std::vector<bool> frozen(deck.species.size(), false);
  bool any = false;
  for (const auto& population : deck.populations) {
    if (!population.frozen) continue;
    const auto at = std::find(deck.species.begin(), deck.species.end(), population.species);
    frozen[static_cast<std::size_t>(at - deck.species.begin())] = any = true;
  }
  return any ? frozen : std::vector<bool>();
}

template <class P>
BoxSettings boxSettings(const input::Deck& deck, const BoxForces<P>& forces, int bondsPerParticle, SortStyle sort) {
  BoxSettings s;
  s.box = boxOf(deck), s.shear = shearOf(deck);
  s.cutoff = forces.cutoff(), s.skin = deck.neighbor.skin;
  s.list = {deck.neighbor.rebuild == input::RebuildStyle::every, static_cast<int>(deck.neighbor.every)};
  s.timestep = deck.run.timestep;
  s.bitwise = deck.run.reproducibility == input::Reproducibility::bitwise;
  s.range = deck.sums.range;
  s.masses = massesOf(deck);
  s.frozen = frozenSpecies(deck);
  s.bondsPerParticle = bondsPerParticle;
  bool excludes = false;
  for (const auto& bond : deck.bonds) excludes = excludes || bond.exclude;
  if (excludes && bondsPerParticle > 0)
    for (const auto& bond : deck.bonds) s.excludes.push_back(bond.exclude ? 1 : 0);
  s.splitVelocity = P::splitMaster || deck.integrator.lambda != 0.5;
  s.twoResiduals = P::splitMaster && deck.integrator.lambda != 0.5;
  const bool membranes = membrane::hasMembranes(deck);
  s.ghostsHaveVelocities = forces.readVelocities() || membranes;
  s.looksUpTags = membranes;
  if (membranes) s.partOf = [deck](u32 tag) { return membrane::partOf(deck, tag); };
  if (bondsPerParticle > 0 || forces.pairs.size() > 1 || membranes) s.summedBytes = forces.summedBytes();
  s.sort = sort;
  return s;
}

template <class P>
UploadParticles addFluidOf(Engine& engine, const input::Deck& deck, int particles, int bondsPerParticle, SortStyle sort,
                           const RankPart& part) {
  const std::shared_ptr<const BoxForces<P>> forces = makeBoxForces<P>(deck, part.ranks ? part.allParticles : particles);
  if (forces->pairs.empty()) throw InputError("no [[interaction]] acts between any two species");
  auto& population = engine.add(
      std::make_unique<BoxPopulation<P>>(boxSettings<P>(deck, *forces, bondsPerParticle, sort), particles, part));
  const bool sheared = population.settings().shear.on;
  if (sheared) engine.add(std::make_unique<PlaceImages<P>>(population));
  for (const FieldRequest& own : forces->fields()) addField(population.fields(), own, population.arrays().capacity);
  if (bondsPerParticle > 0)
    engine.add(std::make_unique<BondPhase<P>>(population, forces));
  else if (population.summed().kept())
    engine.add(std::make_unique<ClearForces>(population));
  membrane::addPhases(engine, population, deck);
  for (std::size_t k = 0; k + 1 < forces->pairs.size(); ++k)
    engine.add(std::make_unique<PairForcePhase<P>>(population, forces, k));
  Integrator<P> integrator(deck, boxOf(deck));
  const auto flowRate = integrator.flowRate();
  engine.add(std::make_unique<FusedPhase<P>>(population, forces, std::move(integrator)));
  if (sheared) engine.add(std::make_unique<SumMotionInFlow<P>>(population, forces->grid()));
  if (!deck.walls.empty()) engine.add(std::make_unique<boundary::WallPhase<P>>(population, deck, flowRate));
  if (flowRate) engine.add(std::make_unique<FlowRatePhase<P>>(population, flowRate));
  for (const ThermostatKeys& keys : thermostatsOf(deck))
    engine.add(std::make_unique<LangevinPhase<P>>(population, deck, keys));
  transport::addTo(engine, population, deck);
  return [&population, deck](const HostParticles& state) {
    upload(population, state, deck.run.seed);
    transport::uploadConcentrations(population, state, deck);
  };
}

}  // namespace mesowarp
