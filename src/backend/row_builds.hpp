// The ways in which this backend can build neighbour rows, for tests and benchmarks.
#pragma once

#include <vector>

#include "core/neighbor_list.hpp"

namespace mesowarp::backend {

inline std::vector<RowBuild> rowBuilds() {
  if (onGpu) return {RowBuild::groups, RowBuild::ballot, RowBuild::atomic, RowBuild::simple};
  return {RowBuild::groups};  // on CPUs all mean the same
}

}  // namespace mesowarp::backend
