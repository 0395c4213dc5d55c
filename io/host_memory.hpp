// How much memory this process may still take.
#pragma once

#include <string>

namespace mesowarp::io {

struct HostMemory {
  double available = 0.0;  // bytes; infinite if nothing tells
  std::string limit;       // what sets it, in words
};

// The least of: what the system has to give, swap included (/proc/meminfo); what the control groups of this process,
// and those that they are in, leave it (versions 1 and 2; what they keep of files can be dropped and does not count);
// its limit of address space (ulimit -v). root: before /proc and /sys, for tests.
HostMemory availableHostMemory(const std::string& root = "");

}  // namespace mesowarp::io
