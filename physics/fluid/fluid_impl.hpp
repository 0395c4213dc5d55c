// addFluid() in one precision. Included by fluid_*.device.cpp.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "input/molecules/molecule_blocks.hpp"
#include "physics/boundary/shear_change.hpp"
#include "physics/boundary/shear_phases.hpp"
#include "physics/boundary/wall_phase.hpp"
#include "physics/fluid/fluid.hpp"
#include "physics/fluid/fluid_phases.hpp"
#include "physics/fluid/upload.hpp"
#include "physics/group/group_start.hpp"
#include "physics/integrate/box/barostat.hpp"
#include "physics/integrate/box/box_keys.hpp"
#include "physics/integrate/box/deformation.hpp"
#include "physics/integrate/inflow.hpp"
#include "physics/integrate/langevin.hpp"
#include "physics/integrate/lowe_andersen.hpp"
#include "physics/integrate/relax_phase.hpp"
#include "physics/integrate/schedule_phase.hpp"
#include "physics/membrane/membrane_phase.hpp"
#include "physics/membrane/sides/two_sides.hpp"
#include "physics/topology/bond_reach.hpp"
#include "physics/topology/molecule_numbers.hpp"
#include "physics/topology/molecule_phases.hpp"
#include "physics/transport/transport_start.hpp"

namespace mesowarp {

// Of each species; empty: none is.
inline std::vector<bool> frozenSpecies(const input::Deck& deck) {
  std::vector<bool> frozen;
  for (const auto& species : deck.species) frozen.push_back(input::isFrozen(deck, species));
  return std::find(frozen.begin(), frozen.end(), true) != frozen.end() ? frozen : std::vector<bool>();
}

// With which the shear rate changes; empty: it does not.
inline std::function<double(i64)> shearRateOf(const std::shared_ptr<Schedule>& schedule) {
  if (!schedule || !schedule->changes(Scheduled::shear)) return {};
  return [table = *schedule->of("shear.rate")](i64 step) { return table.at(step); };
}

template <class P>
BoxSettings boxSettings(const input::Deck& deck, const BoxForces<P>& forces, const TermSlots& slots, SortStyle sort,
                        const RankPart& part) {
  BoxSettings s;
  s.box = boxOf(deck), s.shear = shearOf(deck), s.shearRate = shearRateOf(Schedule::of(deck));
  s.cutoff = forces.cutoff(), s.skin = deck.neighbor.skin, s.tunesSkin = deck.neighbor.tune;
  s.list = {deck.neighbor.rebuild == input::RebuildStyle::every, static_cast<int>(deck.neighbor.every)};
  s.timestep = deck.run.timestep;
  s.bitwise = deck.run.reproducibility == input::Reproducibility::bitwise;
  s.range = deck.sums.range;
  s.masses = massesOf(deck);
  s.frozen = frozenSpecies(deck);
  s.bondsPerParticle = slots.bonds;
  s.ghostReach = input::ghostReach(deck);
  if (part.ranks && !(deck.parallel.reach > 0.0))
    s.ghostReachIn = [needed = s.ghostReach, wanted = input::longestBond(deck),
                      ranks = part.domain.ranks](const Box& box) { return reachWithRoom(needed, wanted, box, ranks); };
  bool excludes = false;
  for (const auto& bond : deck.bonds) excludes = excludes || bond.exclude;
  if (excludes && slots.bonds > 0)
    for (const auto& bond : deck.bonds) s.excludes.push_back(bond.exclude ? 1 : 0);
  s.splitVelocity = P::splitMaster || deck.integrator.lambda != 0.5;
  s.twoResiduals = P::splitMaster && deck.integrator.lambda != 0.5;
  const bool membranes = membrane::hasMembranes(deck);
  const bool pairsCollide = hasPairThermostat(deck);
  s.ghostsHaveVelocities = forces.readVelocities() || membranes || pairsCollide;
  s.looksUpTags = slots.any() || membranes || pairsCollide;
  if (membranes) s.partOf = [deck](u32 tag, const auto& apart) { return membrane::partOf(deck, tag, apart); };
  if (slots.any() || forces.summing() > 1 || membranes) s.summedBytes = forces.summedBytes();
  s.sort = sort;
  return s;
}

// What a barostat sees of a step decides on what follows, so a step's sums have no order then, as those of `bitwise`.
inline input::Deck withExactSums(input::Deck deck) {
  if (deck.own.get<BarostatKeys>().on) deck.run.reproducibility = input::Reproducibility::bitwise;
  return deck;
}

template <class P>
UploadParticles addFluidOf(Engine& engine, const input::Deck& deck, int particles, const TermSlots& slots,
                           SortStyle sort, const RankPart& part) {
  const std::shared_ptr<BoxForces<P>> forces =
      makeBoxForces<P>(withExactSums(deck), part.ranks ? part.allParticles : particles);
  if (forces->pairs.empty()) throw InputError("no [[interaction]] acts between any two species");
  auto& population =
      engine.add(std::make_unique<BoxPopulation<P>>(boxSettings<P>(deck, *forces, slots, sort, part), particles, part));
  const bool sheared = population.settings().shear.on;
  if (sheared) engine.add(std::make_unique<PlaceImages<P>>(population));
  for (const FieldRequest& own : forces->fields()) addField(population.fields(), own, population.arrays().capacity);
  membrane::addTwoSides(engine, population, deck);
  const auto schedule = Schedule::of(deck);
  const auto followers = std::make_shared<Followers>();
  if (schedule) engine.add(std::make_unique<SchedulePhase>(population, schedule, followers));
  followers->push_back([forces](const input::Deck& now) {
    for (const auto& pair : forces->pairs) pair->follow(now);
    forces->followBonds(now);
  });
  if (slots.bonds > 0)
    engine.add(std::make_unique<BondPhase<P>>(population, forces));
  else if (population.summed().kept())
    engine.add(std::make_unique<ClearForces>(population));
  const auto uploadMolecules =
      addMolecules<P, TagsOf>(population, deck, slots, forces->grid(), *followers,
                              [&engine](std::unique_ptr<Phase> phase) { engine.add(std::move(phase)); });
  membrane::addPhases(engine, population, deck, *followers);
  for (std::size_t k = 0; k + 1 < forces->pairs.size(); ++k)
    engine.add(std::make_unique<PairForcePhase<P>>(population, forces, k));
  FluidIntegrator<P> integrator(deck, boxOf(deck), schedule);
  const auto flowRate = integrator.flowRate();
  engine.add(std::make_unique<FusedPhase<P>>(population, forces, std::move(integrator)));
  if (sheared) engine.add(std::make_unique<SumMotionInFlow<P>>(population, forces->grid()));
  if (population.settings().shearRate) engine.add(std::make_unique<ChangeFlowPhase<P>>(population));
  if (!deck.walls.empty()) {
    auto walls = std::make_unique<boundary::WallPhase<P>>(population, deck, flowRate, schedule);
    if (schedule && schedule->changes(Scheduled::wall))
      followers->push_back([walls = walls.get()](const input::Deck& now) { walls->follow(now); });
    followers->push_back([walls = walls.get()](const input::Deck& now) { walls->followForces(now); });
    engine.add(std::move(walls));
  }
  if (flowRate) engine.add(std::make_unique<FlowRatePhase<P>>(population, flowRate, schedule, group::heldBits(deck)));
  group::addPulls(engine, population, deck, schedule);
  const auto thermostats = thermostatsOf(deck);
  for (std::size_t k = 0; k < thermostats.size(); ++k)
    if (thermostats[k].ofPairs())
      engine.add(std::make_unique<LoweAndersenPhase<P>>(population, deck, k, forces->grid(), schedule));
    else
      engine.add(std::make_unique<LangevinPhase<P>>(population, deck, k, schedule));
  const auto inflows = inflowsOf(deck);
  for (std::size_t k = 0; k < inflows.size(); ++k) {
    const auto control = std::make_shared<InflowControl>(inflows[k], k, schedule);
    engine.add(std::make_unique<InflowControlPhase<P>>(population, control, k, group::heldBits(deck)));
    engine.add(std::make_unique<InflowPhase<P>>(population, deck, control, k, schedule));
  }
  group::addHolds(engine, population, deck, schedule);
  if (deck.own.get<BarostatKeys>().on) engine.add(std::make_unique<BarostatPhase>(population, deck, schedule));
  if (deck.own.get<DeformationKeys>().on) engine.add(std::make_unique<DeformationPhase>(population, deck));
  if (deck.own.get<RelaxationKeys>().running) engine.add(std::make_unique<RelaxPhase<P>>(population, deck));
  transport::addTo(engine, population, deck);
  return [&population, deck, uploadMolecules](const HostParticles& state) {
    upload(population, state, deck.run.seed);
    uploadMolecules(state, TagsOf{state.tag.empty() ? nullptr : state.tag.data()});
    uploadMoleculeNumbers(population, state);
    transport::uploadConcentrations(population, state, deck);
    group::uploadMembers(population, state, deck);
  };
}

}  // namespace mesowarp
