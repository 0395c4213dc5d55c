// Whom a thermostat acts on: particles of some species, or of a group.
#pragma once

#include <vector>

#include "device/host_copy.hpp"
#include "input/species.hpp"
#include "physics/group/members.hpp"
#include "physics/integrate/langevin_keys.hpp"

namespace mesowarp {

struct BathMembers {
  DeviceArray<int> species;  // of each: 1, or 0
  DeviceArray<u32> groups;   // of each particle; looked at if there is a bit
  u32 bit = 0;

  KOKKOS_INLINE_FUNCTION bool has(int i, u32 ofSpecies) const {
    return species(ofSpecies) != 0 && (bit == 0 || (groups(i) & bit) != 0);
  }
};

// Frozen species never.
inline std::vector<int> speciesInBath(const ThermostatKeys& keys, const input::Deck& deck) {
  const auto held = heldBy(keys, deck);
  std::vector<int> in;
  for (const std::string& species : deck.species)
    in.push_back(std::find(held.begin(), held.end(), species) != held.end() && !input::isFrozen(deck, species) ? 1 : 0);
  return in;
}

// Once; the group's words again before each use, since a field may have grown.
template <class P>
BathMembers membersOf(const input::Deck& deck, const ThermostatKeys& keys) {
  BathMembers members;
  members.species = toDevice<int>("species in a bath", speciesInBath(keys, deck));
  members.bit = group::bitOf(deck, keys.group);
  return members;
}
template <class P>
void findGroups(const BoxPopulation<P>& population, BathMembers& members) {
  if (members.bit == 0) return;
  const auto& field = fieldOf(population.arrays().fields, group::groupField);
  members.groups = dynamic_cast<const Field<u32>&>(field).current;
}

template <class Velocity>
struct CountInBath {
  BathMembers members;
  DeviceArray<Velocity> velocity;
  KOKKOS_INLINE_FUNCTION void operator()(int i, i64& count) const {
    if (members.has(i, velocity(i).species)) ++count;
  }
};
// Of all ranks. Collective.
template <class P>
i64 countInBath(const BoxPopulation<P>& population, const BathMembers& members) {
  i64 count = 0;
  Kokkos::parallel_reduce("count a bath", Range(0, population.count()),
                          CountInBath<PairVelocity<typename P::Store>>{members, population.arrays().velocity->current},
                          count);
  return population.ranks() ? population.ranks()->sum(count) : count;
}

}  // namespace mesowarp
