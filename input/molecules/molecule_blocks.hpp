// Which block a bond, an angle or a dihedral of a population is of, and what follows from these blocks together.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <vector>

#include "input/deck.hpp"
#include "input/grammar/diagnostic.hpp"
#include "input/read_blocks.hpp"

namespace mesowarp::input {

// The species that a block names, along the bonds; empty: any.
inline const std::vector<std::string>& patternOf(const Bond& bond) { return bond.between; }
inline const std::vector<std::string>& patternOf(const Angle& angle) { return angle.of; }
inline const std::vector<std::string>& patternOf(const Dihedral& dihedral) { return dihedral.of; }

// Whether a pattern takes these species, in this order or in the other; a "*" takes all.
inline bool takes(const std::vector<std::string>& pattern, std::span<const std::string> species) {
  const auto fits = [](const std::string& p, const std::string& s) { return p == "*" || p == s; };
  return pattern.empty() || std::equal(pattern.begin(), pattern.end(), species.begin(), species.end(), fits) ||
         std::equal(pattern.rbegin(), pattern.rend(), species.begin(), species.end(), fits);
}

// The last block that is for a population, the type of a file (0: of no file), and these species; -1: none is.
template <class Block>
int blockOf(const std::vector<Block>& blocks, const std::string& population, int type,
            std::span<const std::string> species) {
  for (std::size_t k = blocks.size(); k-- > 0;) {
    const Block& block = blocks[k];
    if (block.population == population && (block.type == 0 || type == 0 || block.type == type) &&
        takes(patternOf(block), species))
      return static_cast<int>(k);
  }
  return -1;
}

// How far ghosts must reach on several ranks for angles and dihedrals, length: as parallel.reach says, or else what
// their bonds span when all are stretched as springs rarely are at this temperature. 0: no further than forces do.
double ghostReach(const Deck& deck);
// How far they should reach where parts have room for it, length: as FENE bonds may stretch. 0: there are none.
double longestBond(const Deck& deck);

// Fills in the beads of `molecule`s. Before species are known.
void completeMolecules(BlocksRead& read);
// Angles and dihedrals name populations and species, fit something, and do not replace each other; of bonds what goes
// beyond one block a population. Behind species.
void checkMolecules(Report& report, const Deck& deck);
// Angles and dihedrals against the time step.
void checkMoleculeStrength(const Deck& deck, Report& report);

}  // namespace mesowarp::input
