// Groups among the names that a measure has for its particles, where species may stand as well. What kernels take for
// a particle's species is then species + (number of species) * marks, mark 1: it is in a group of the first names, 2:
// of the second. Without groups nothing is different.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "input/deck.hpp"
#include "physics/group/deck/group_keys.hpp"
#include "physics/observables/measured_particles.hpp"

namespace mesowarp {

class GroupMarks {
public:
  GroupMarks(const input::Deck& deck, const std::vector<std::string>& first, const std::vector<std::string>& second)
      : species_(deck.species.size()), bits_{bitsOf(deck, first), bitsOf(deck, second)} {}

  // Behind every see(), of the same.
  void mark(Population& population, observables::Seen seen, observables::MeasuredParticles& particles) const {
    if (any()) observables::markMembers(population, seen, bits_[0], bits_[1], static_cast<u32>(species_), particles);
  }
  // What is said of species, of all that particles are marked as; marked: which marks are in it, too.
  std::vector<bool> sets(const std::vector<bool>& ofSpecies, unsigned marked) const {
    std::vector<bool> all;
    for (unsigned marks = 0; marks < kinds(); ++marks)
      for (const bool in : ofSpecies) all.push_back(in || (marks & marked) != 0);
    return all;
  }
  std::vector<double> masses(const std::vector<double>& ofSpecies) const {
    std::vector<double> all;
    for (unsigned marks = 0; marks < kinds(); ++marks) all.insert(all.end(), ofSpecies.begin(), ofSpecies.end());
    return all;
  }

private:
  static u32 bitsOf(const input::Deck& deck, const std::vector<std::string>& names) {
    u32 bits = 0;
    for (const auto& name : names)
      if (std::find(deck.species.begin(), deck.species.end(), name) == deck.species.end())
        bits |= group::bitOf(deck, name);
    return bits;
  }
  bool any() const { return bits_[0] != 0 || bits_[1] != 0; }
  unsigned kinds() const { return any() ? 4u : 1u; }
  std::size_t species_;
  u32 bits_[2];
};

}  // namespace mesowarp
