// Compiled for a machine without fused instructions: see tests/CMakeLists.txt.
#include "tests/unit/core/math_bits_all.hpp"

namespace mesowarp::test {
std::vector<u64> bitsWithoutFma() { return allBits(); }
}  // namespace mesowarp::test
