#include "device/tag_random.hpp"

#include <cmath>
#include <stdexcept>

#include "core/portable_math.hpp"
#include "device/draw_side_by_side.hpp"

namespace mesowarp {
namespace {

template <class Keys>
KOKKOS_FORCEINLINE_FUNCTION WordsOf<Keys> draw(StepKey key, Keys tag, u32 index) {
  Keys v0 = reverseBits(tag) ^ key.first;
  Keys v1 = key.second + index * 0x9E3779B9u;
  tea<32>(v0, v1);
  return {v0, v1};
}

double uniformOf(Words words) {
  const u64 bits = (static_cast<u64>(words.first) << 32 | words.second) >> 11;
  return static_cast<double>(bits) * 0x1p-53;
}

// Box & Muller, sqrt(-2 ln u) cos(2 pi v), by operations that every machine and C library rounds alike: with t = 2 v -
// 1 the cosine is sin(pi (|t| - 1/2)).
double gaussianOf(Words first, Words second) {
  const double u = 1.0 - uniformOf(first), t = 2.0 * uniformOf(second) - 1.0;
  return std::sqrt(math::minusTwoLogUnit<math::Portable>(u)) * math::sinPiHalf(std::abs(t) - 0.5);
}

}  // namespace

Words TagRandom::next() { return draw(key_, tag_, static_cast<u32>(index_++)); }

double TagRandom::uniform() { return uniformOf(next()); }

double TagRandom::gaussian() {
  const Words first = next();
  return gaussianOf(first, next());
}

TagDraws::TagDraws(StepKey key, u32 firstTag, int draws) {
  if (draws > most) throw std::logic_error("TagDraws: too many draws");
  u32 tag[tags];
  for (u32 l = 0; l < tags; ++l) tag[l] = firstTag + l;
  for (int k = 0; k < draws; ++k)
    backend::drawSideBySide([&](const auto& of) { return draw(key, of, static_cast<u32>(k)); }, tag, tags, first_[k],
                            second_[k]);
}

double TagDraws::uniform(int tag, int index) const { return uniformOf(words(tag, index)); }

double TagDraws::gaussian(int tag, int index) const { return gaussianOf(words(tag, index), words(tag, index + 1)); }

}  // namespace mesowarp
