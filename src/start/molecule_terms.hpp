// Angles and dihedrals of molecules that nobody has listed: every three and every four particles in a row along bonds.
#pragma once

#include <vector>

#include "start/host_particles.hpp"

namespace mesowarp {

// The particles bonded to each of a population's, without repetition, in ascending order.
class BondedRows {
public:
  // Of particles first, first + 1, … and bonds firstBond, …
  BondedRows(const HostParticles& particles, i64 first, std::size_t firstBond);
  i64 first() const { return first_; }
  i64 last() const { return first_ + static_cast<i64>(start_.size()) - 1; }
  const u32* begin(i64 tag) const { return other_.data() + start_[tag - first_]; }
  const u32* end(i64 tag) const { return other_.data() + start_[tag - first_ + 1]; }
  bool any() const { return !other_.empty(); }

private:
  i64 first_;
  std::vector<i64> start_;
  std::vector<u32> other_;
};

// Adds those that a block of the deck takes by their species. Time and memory: linear in their number.
void addAngles(const input::Deck& deck, const input::Population& population, const BondedRows& rows,
               HostParticles& particles);
void addDihedrals(const input::Deck& deck, const input::Population& population, const BondedRows& rows,
                  HostParticles& particles);

// Whether a file gives molecules ids.
bool haveMolecules(const std::vector<std::int64_t>& ofFile);

// Gives the particles of a population numbers of their molecules: the ids of a file, if it has any, behind those that
// were given before, which is to say as they are where `next` is 1; or else one from `next` on for each group that
// bonds join, in the order of their first tags. Single particles get 0, and so do those before that have none yet.
// `next` is then behind the last one. Throws InputError: an id is too high.
void numberMolecules(const std::vector<std::int64_t>& ofFile, const BondedRows& rows, u32& next,
                     HostParticles& particles);

}  // namespace mesowarp
