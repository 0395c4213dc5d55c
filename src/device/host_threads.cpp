#include "device/host_threads.hpp"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstdlib>
#include <sched.h>

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

int askSystemForCores(std::size_t bytes, unsigned long* set) {
  return sched_getaffinity(0, bytes, reinterpret_cast<cpu_set_t*>(set));
}

CoreSet ownCores(const AskForCores& ask) {
  constexpr std::size_t fewest = 1024 / (8 * sizeof(unsigned long)), most = fewest << 10;
  for (std::size_t words = fewest; words <= most; words *= 2) {
    CoreSet cores(words, 0);
    if (ask(words * sizeof(unsigned long), cores.data()) == 0) return cores;
    if (errno != EINVAL) break;
  }
  return {1};
}

int countOf(const CoreSet& cores) {
  int count = 0;
  for (const unsigned long word : cores) count += std::popcount(word);
  return count;
}

}  // namespace mesowarp::backend
