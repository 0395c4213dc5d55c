// The ways in which this backend can build neighbour rows, for tests.
#pragma once

#include <vector>

#include "kernels/rows/neighbor_table.hpp"

namespace mesowarp::backend {

inline std::vector<RowBuild> rowBuilds() {
  std::vector<RowBuild> styles;
  for (const RowBuild style : everyRowBuild)
    if (hasRowBuild(style)) styles.push_back(style);
  return styles;
}

}  // namespace mesowarp::backend
