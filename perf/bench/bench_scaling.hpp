// Weak and strong scaling over MPI ranks: a fluid on 1, 2, 4, … of them: the standard one, the one with a solute that
// bench tdpd has, or the suspensions of bench rbc (Blumers et al. 2017, Figures 9 and 10).
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "comm/communicator.hpp"
#include "perf/bench/bench.hpp"

namespace mesowarp {

// Collective; the root prints the table. weak: a case's particles are those of each rank, otherwise those of all.
// Returns a record for each case and number of ranks.
nlohmann::json runScaling(const BenchPlan& plan, const comm::Communicator& ranks, bool weak);

}  // namespace mesowarp
