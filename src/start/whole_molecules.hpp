// Images of bonded particles: such that a molecule is whole once it is unwrapped.
//
// Forces join the nearest images of two bonded particles, so these are what a molecule consists of: along periodic axes
// the unwrapped ends of each bond must be less than half a box apart. Rings that close through the box (a percolating
// gel) have no such images.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "start/host_particles.hpp"

namespace mesowarp {

using Coordinates = std::array<u64, 3>;
using Image = std::array<i32, 3>;

// The image of a particle `there` that is nearest to a particle `here` with an image of its own; 0 along axes without
// periodicity. sheared: an axis that is periodic although only half of its range is the box (core/shear.hpp); -1: none.
Image nearestImage(const Box& box, const Coordinates& here, const Image& image, const Coordinates& there,
                   int sheared = -1);

// What makeWhole() met.
struct MoleculeImages {
  i64 mended = 0;   // molecules whose given images tore a bond
  i64 endless = 0;  // molecules that are bonded to their own periodic images
  i64 distant = 0;  // molecules, or lone particles, further away than images count
  // In words, about what the file holds; empty: all was well.
  std::vector<std::string> warnings(const std::string& file) const;
};

// Makes the molecules of particles first, first + 1, … and bonds firstBond, … whole. Images that do so already stay as
// they are; otherwise a molecule's first particle keeps its image, and the others get theirs by following the bonds. Of
// an endless molecule given images stay. Images that the engine cannot count ([-512, 511]) start anew at 0. Time and
// memory: linear in both numbers.
MoleculeImages makeWhole(HostParticles& particles, const Box& box, i64 first, std::size_t firstBond, bool given,
                         int sheared = -1);

}  // namespace mesowarp
