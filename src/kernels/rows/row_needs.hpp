// What a build of neighbour rows on a GPU reports: how much it needed, and whether it had it.
#pragma once

#include "core/types.hpp"

namespace mesowarp::backend {

struct RowNeeds {
  unsigned long long blocks;                // of 32 entries
  int longestRow, longestPart, candidates;  // if too long, too many
  int cellTooFull;                          // 1: there are more particles in a cell than the builder can count
  int incomplete;                           // 1: rows are missing; kernels that walk rows then do nothing
};

}  // namespace mesowarp::backend
