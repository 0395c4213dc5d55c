// Compiled with contraction, for this machine: see tests/CMakeLists.txt.
#include "tests/unit/core/math_bits_all.hpp"

namespace mesowarp::test {
std::vector<u64> bitsContracted() { return allBits(); }
}  // namespace mesowarp::test
