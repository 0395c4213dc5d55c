// Particles that a measure is of.
#pragma once

#include <string>
#include <vector>

#include "physics/observables/measured_particles.hpp"
#include "step/engine.hpp"

namespace mesowarp {

inline Population& measuredPopulation(Engine& engine) { return *engine.populations().front(); }

// Of each of the deck's species, whether it is named; "*": all are.
inline std::vector<bool> named(const std::vector<std::string>& species, const std::vector<std::string>& names) {
  std::vector<bool> in;
  for (const auto& one : species) {
    bool is = false;
    for (const auto& name : names) is = is || name == "*" || name == one;
    in.push_back(is);
  }
  return in;
}

struct Chosen {
  double count = 0.0, mass = 0.0;
};
// Of all ranks. Collective.
inline Chosen chosenOf(const observables::MeasuredParticles& particles, const observables::MeasuredBox& box,
                       const std::vector<bool>& species, const std::vector<double>& masses) {
  Chosen all;
  for (std::size_t s = 0; s < species.size(); ++s) {
    if (!species[s]) continue;
    std::vector<bool> one(species.size(), false);
    one[s] = true;
    const auto sizes = observables::sizesOf(particles, observables::speciesSets(one, one), box.ranks);
    all.count += static_cast<double>(sizes.first), all.mass += static_cast<double>(sizes.first) * masses[s];
  }
  return all;
}

}  // namespace mesowarp
