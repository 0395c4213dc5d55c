#include "core/random.hpp"

#include <cmath>

namespace mesowarp {

Words TagRandom::next() {
  u32 v0 = reverseBits(tag_) ^ key_.first;
  u32 v1 = key_.second + static_cast<u32>(index_++) * 0x9E3779B9u;
  tea<32>(v0, v1);
  return {v0, v1};
}

double TagRandom::uniform() {
  const Words words = next();
  const u64 bits = (static_cast<u64>(words.first) << 32 | words.second) >> 11;
  return static_cast<double>(bits) * 0x1p-53;
}

double TagRandom::gaussian() {
  const double u = 1.0 - uniform();
  const double v = uniform();
  return std::sqrt(-2.0 * std::log(u)) * std::cos(2.0 * M_PI * v);
}

}  // namespace mesowarp
