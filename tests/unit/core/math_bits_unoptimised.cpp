// Compiled without optimisation: see tests/CMakeLists.txt.
#include "tests/unit/core/math_bits_all.hpp"

namespace mesowarp::test {
std::vector<u64> bitsUnoptimised() { return allBits(); }
}  // namespace mesowarp::test
