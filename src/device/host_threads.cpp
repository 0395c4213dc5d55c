#include "device/host_threads.hpp"

#include <algorithm>
#include <cstdlib>

#include "core/error.hpp"

#ifdef _OPENMP
#include <omp.h>
#endif

namespace mesowarp::backend {

int possibleHostThreads() {
#ifdef _OPENMP
  return std::clamp(omp_get_thread_limit(), 1, mostHostThreads);  // OMP_THREAD_LIMIT
#else
  return 1;
#endif
}

std::string limitHostThreads([[maybe_unused]] int wanted) {
#ifdef _OPENMP
  const int most = possibleHostThreads();
  const std::string why = most < mostHostThreads ? "OMP_THREAD_LIMIT" : "the most that Kokkos has room for";
  if (wanted > most)
    throw InputError("--threads " + std::to_string(wanted) + ": from 1 to " + std::to_string(most) + " are possible (" +
                     why + ")");
  const int chosen = omp_get_max_threads();
  if (chosen <= most) return {};
  omp_set_num_threads(wanted > 0 ? wanted : most);  // Kokkos asks OpenMP, and starts that many, whatever it is told
  if (wanted > 0) return {};
  const char* variable = std::getenv("OMP_NUM_THREADS");
  return (variable ? std::string("OMP_NUM_THREADS = ") + variable + " asks for " : "this machine has ") +
         std::to_string(chosen) + " threads: " + std::to_string(most) + " are used (" + why + ")";
#else
  return {};
#endif
}

}  // namespace mesowarp::backend
