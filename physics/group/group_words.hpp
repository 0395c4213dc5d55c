// Which groups particles are in, for what is written.
#pragma once

#include <vector>

#include "state/population.hpp"

namespace mesowarp::group {

// A word a particle, a bit a group, in the order of tags; on several ranks of the rank's block of them, as in a
// snapshot. Collective. Throws std::logic_error: the population has no groups.
std::vector<u32> groupWords(const Population& population);

}  // namespace mesowarp::group
