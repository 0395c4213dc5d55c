// The processors that the system lets this process run on.
#pragma once

#include <cstddef>
#include <functional>
#include <vector>

namespace mesowarp::backend {

using CoreSet = std::vector<unsigned long>;  // as a cpu_set_t: a bit for each processor

// Asks the system for a set of so many bytes: 0, or -1 with errno, EINVAL if there are more processors than bits.
using AskForCores = std::function<int(std::size_t bytes, unsigned long* set)>;
int askSystemForCores(std::size_t bytes, unsigned long* set);  // sched_getaffinity

// One processor if the system does not say.
CoreSet ownCores(const AskForCores& ask = askSystemForCores);

int countOf(const CoreSet& cores);

}  // namespace mesowarp::backend
