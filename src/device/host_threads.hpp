// How many threads the host may have.
#pragma once

#include <string>

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

}  // namespace mesowarp::backend
