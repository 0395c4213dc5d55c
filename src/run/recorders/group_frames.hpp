// Frames of a trajectory that has the particles of some groups alone, in the order of their numbers. In the file they
// are numbered anew from 0, as rows and as what bonds join; /particles/all/tag has the numbers that the run knows.
#pragma once

#include <string>
#include <vector>

#include "input/deck.hpp"
#include "io/h5md/h5md.hpp"
#include "state/population.hpp"

namespace mesowarp {

class GroupFrames {
public:
  // names: of groups, of one of which a particle must be; none: all particles are written.
  GroupFrames(const input::Deck& deck, const std::vector<std::string>& names);
  bool all() const { return bits_ == 0; }

  // Of a snapshot of this population: the part that is written. Bonds, angles and dihedrals between its particles stay
  // if the file has no frame yet. Collective.
  void choose(const Population& population, bool first, io::Snapshot& snapshot);
  // Numbers of the rows of this rank, as the run knows them.
  const std::vector<std::uint32_t>& tags() const { return tags_; }

private:
  void find(const Population& population, const io::Snapshot& snapshot);

  std::uint32_t bits_ = 0;
  bool found_ = false;
  std::vector<std::size_t> rows_;  // of a snapshot on this rank; blocks of tags are the same ones in each
  std::vector<std::uint32_t> tags_;
};

}  // namespace mesowarp
