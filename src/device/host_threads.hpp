// How many threads the host may have, and the processors that the system lets this process run on.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace mesowarp::backend {

// The most that Kokkos' OpenMP backend keeps data for, in every version so far (MAX_THREAD_COUNT); with more it writes
// past its own arrays.
constexpr int mostHostThreads = 512;

// Those, or fewer if the environment says so (OMP_THREAD_LIMIT).
int possibleHostThreads();

// Before Kokkos is started. wanted: a user's choice; 0: the environment's (OMP_NUM_THREADS) or the machine's, of which
// no more than mostHostThreads are taken. Returns what there is to say of that, or nothing. Throws InputError if more
// are wanted than there can be.
std::string limitHostThreads(int wanted);

using CoreSet = std::vector<unsigned long>;  // as a cpu_set_t: a bit for each processor

// Asks the system for a set of so many bytes: 0, or -1 with errno, EINVAL if there are more processors than bits.
using AskForCores = std::function<int(std::size_t bytes, unsigned long* set)>;
int askSystemForCores(std::size_t bytes, unsigned long* set);  // sched_getaffinity

// One processor if the system does not say.
CoreSet ownCores(const AskForCores& ask = askSystemForCores);

int countOf(const CoreSet& cores);

}  // namespace mesowarp::backend
