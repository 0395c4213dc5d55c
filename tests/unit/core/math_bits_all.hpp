// The words of all inputs, in both precisions, from a loop that the compiler may vectorise.
#pragma once

#include <vector>

#include "tests/unit/core/math_bits.hpp"

namespace mesowarp::test {
namespace {

inline std::vector<u64> allBits() {
  std::vector<u64> bits(std::size_t{2} * bitInputs * bitsOfAnInput);
  u64* const first = bits.data();
#pragma omp simd
  for (int k = 0; k < bitInputs; ++k) bitsOf<float>(k, first + static_cast<std::size_t>(k) * bitsOfAnInput);
#pragma omp simd
  for (int k = 0; k < bitInputs; ++k)
    bitsOf<double>(k, first + static_cast<std::size_t>(bitInputs + k) * bitsOfAnInput);
  return bits;
}

}  // namespace

std::vector<u64> bitsUnoptimised();
std::vector<u64> bitsWithoutFma();
std::vector<u64> bitsContracted();

}  // namespace mesowarp::test
