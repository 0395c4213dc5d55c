// Angles and dihedrals of a population: the fields that particles know their terms by, and the phases.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "physics/integrate/schedule_phase.hpp"
#include "physics/topology/molecule_forces.hpp"
#include "start/host_particles.hpp"
#include "state/box_population.hpp"
#include "step/phase.hpp"

namespace mesowarp {

// A particle's terms of so many members, in the order in which they were made.
struct TermFields {
  std::shared_ptr<Field<u32>> partner;  // see TermState
  std::shared_ptr<Field<i32>> type;
};

// name: "angle", "dihedral"; slots: terms of a particle.
template <class P>
TermFields addTermFields(BoxPopulation<P>& population, const std::string& name, int members, int slots) {
  const auto room = static_cast<std::size_t>(population.arrays().capacity);
  const auto width = static_cast<std::size_t>(slots);
  const auto partner = population.fields().template add<u32>(name + "_partner", moves | checkpointed, room,
                                                             width * static_cast<std::size_t>(members - 1));
  population.addPartners(partner);
  return {partner, population.fields().template add<i32>(name + "_type", moves | checkpointed, room, width)};
}

// Each term in a slot of all its members, as far as these are this rank's: particles with these tags.
template <std::size_t N, class Tags>
void uploadTerms(const TermFields& fields, const std::vector<HostParticles::Term<N>>& terms, int particles, i64 total,
                 const Tags& tags) {
  const std::size_t width = fields.type->width();
  std::vector<u32> partner(static_cast<std::size_t>(particles) * width * (N - 1), noBond);
  std::vector<i32> type(static_cast<std::size_t>(particles) * width, 0);
  std::vector<int> used(static_cast<std::size_t>(particles), 0), placeOf(static_cast<std::size_t>(total), -1);
  for (int i = 0; i < particles; ++i) placeOf[tags(i)] = i;
  for (const auto& term : terms)
    for (std::size_t role = 0; role < N; ++role) {
      const int i = placeOf[term.tag[role]];
      if (i < 0) continue;  // another rank's
      const std::size_t slot = static_cast<std::size_t>(i) * width + static_cast<std::size_t>(used[i]++);
      for (std::size_t m = 0, k = 0; m < N; ++m)
        if (m != role) partner[slot * (N - 1) + k++] = term.tag[m];
      type[slot] = term.type * static_cast<int>(N) + static_cast<int>(role);
    }
  fields.partner->fromHost(reinterpret_cast<const std::byte*>(partner.data()), partner.size() * sizeof(u32));
  fields.type->fromHost(reinterpret_cast<const std::byte*>(type.data()), type.size() * sizeof(i32));
}

template <class P>
class TermPhase final : public Phase {
public:
  using Add = void (MoleculeForces<P>::*)(const TermState<P>&, const SummedForces&, int, ThermoSums*) const;
  TermPhase(const std::string& name, BoxPopulation<P>& population, std::shared_ptr<const MoleculeForces<P>> forces,
            TermFields fields, Add add)
      : Phase(name, population), population_(population), forces_(std::move(forces)), fields_(std::move(fields)),
        add_(add) {}
  std::vector<FieldUse> uses() const override {
    return {{"position", FieldUse::readsGhosts}, {"tag", FieldUse::readsGhosts}, {"force", FieldUse::adds}};
  }
  bool repeatable() const override { return true; }
  void run(const PhaseStep& step) override {
    const auto& arrays = population_.arrays();
    const TermState<P> state{arrays.position->current,
                             arrays.tag->current,
                             fields_.partner->current,
                             fields_.type->current,
                             population_.indexOfTag(),
                             population_.ticks(),
                             population_.facesAt(step.step),
                             static_cast<int>(fields_.type->width()),
                             step.guard,
                             population_.flags().errors()};
    ((*forces_).*add_)(state, population_.summed(), arrays.count, step.sums);
  }

private:
  BoxPopulation<P>& population_;
  std::shared_ptr<const MoleculeForces<P>> forces_;
  TermFields fields_;
  Add add_;
};

// A population's angles, dihedrals and molecules' numbers, as far as particles have slots for them: fields and phases.
// Returns what gives them their initial state. followers: told of numbers that change.
template <class P, class Tags, class AddPhase>
std::function<void(const HostParticles&, const Tags&)>
addMolecules(BoxPopulation<P>& population, const input::Deck& deck, const TermSlots& slots, const SumGrid& grid,
             Followers& followers, const AddPhase& addPhase) {
  TermFields angles, dihedrals;
  std::shared_ptr<Field<u32>> molecule;
  if (slots.angles > 0 || slots.dihedrals > 0) {
    const std::shared_ptr<MoleculeForces<P>> forces = makeMoleculeForces<P>(deck, grid);
    followers.push_back([forces](const input::Deck& now) { forces->follow(now); });
    if (slots.angles > 0) {
      angles = addTermFields(population, "angle", 3, slots.angles);
      addPhase(std::make_unique<TermPhase<P>>("angles", population, forces, angles, &MoleculeForces<P>::addAngles));
    }
    if (slots.dihedrals > 0) {
      dihedrals = addTermFields(population, "dihedral", 4, slots.dihedrals);
      addPhase(
          std::make_unique<TermPhase<P>>("dihedrals", population, forces, dihedrals, &MoleculeForces<P>::addDihedrals));
    }
  }
  if (slots.molecules)
    molecule = population.fields().template add<u32>("molecule", moves | checkpointed,
                                                     static_cast<std::size_t>(population.arrays().capacity));
  return [angles, dihedrals, molecule, &population](const HostParticles& state, const Tags& tags) {
    if (angles.type) uploadTerms<3>(angles, state.angles, state.count(), population.total(), tags);
    if (dihedrals.type) uploadTerms<4>(dihedrals, state.dihedrals, state.count(), population.total(), tags);
    if (molecule)
      molecule->fromHost(reinterpret_cast<const std::byte*>(state.molecule.data()),
                         state.molecule.size() * sizeof(u32));
  };
}

}  // namespace mesowarp
