// How the box is cut among ranks, and which rank takes which part.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/box.hpp"
#include "core/domain.hpp"
#include "core/shear.hpp"

namespace mesowarp::comm {

// The widest reach that so many parts along an axis have room for, length: no part is thinner than the reach, and
// ghosts from the two sides of a periodic axis must differ, so two parts need twice that. One part: infinite. The flow
// of a sheared box is not cut: less than any reach.
double widestReach(const Box& box, int axis, int parts, const Shear& shear = {});

// Of all axes, and at most half an edge, within which each particle has one nearest image.
double widestReach(const Box& box, const std::array<int, 3>& parts, const Shear& shear = {});

// Whether they have room for this one.
bool fits(const Box& box, int axis, int parts, double reach, const Shear& shear = {});

// Parts along each axis, `ranks` in all, with the fewest ghosts; among equals x is cut least. Throws InputError, with
// the largest number of ranks that the box has room for.
// reachIs: what that is, for the message.
std::array<int, 3> decompose(int ranks, const Box& box, double reach, const Shear& shear = {},
                             const std::string& reachIs = "cutoff + skin");

// The number of parts along each axis that a deck gives; throws InputError if that is not `ranks` in all or does not
// fit.
void checkDecomposition(const std::array<int, 3>& parts, int ranks, const Box& box, double reach,
                        const Shear& shear = {}, const std::string& reachIs = "cutoff + skin");

// Places of all ranks, by rank. nodeOf: a number for each rank's node. Ranks of a node take a block of neighbouring
// parts if all nodes have as many ranks and such blocks fill the box; else the parts are numbered with x fastest.
std::vector<std::array<int, 3>> placeRanks(const std::array<int, 3>& parts, const std::array<double, 3>& boxSize,
                                           const std::vector<int>& nodeOf);

}  // namespace mesowarp::comm
