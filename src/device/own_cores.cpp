#include "device/own_cores.hpp"

#include <bit>
#include <cerrno>
#include <sched.h>

namespace mesowarp::backend {

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
