#include "io/checkpoint/older_images.hpp"

#include <cstring>

namespace mesowarp::io {
namespace {

std::uint64_t widened(std::uint32_t packed) {
  constexpr std::uint32_t oldMask = (1u << 10) - 1, oldFarthest = 1u << 9, farthest = 1u << 20;
  std::uint64_t wide = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const std::uint64_t image = (packed >> 10 * axis & oldMask) + farthest - oldFarthest;
    wide |= image << 21 * axis;
  }
  return wide;
}

}  // namespace

void widenImages(CheckpointContent& content) {
  const auto it = content.arrays.find("image");
  if (it == content.arrays.end()) return;
  Array& array = it->second;
  if (array.type != ElementType::u8 || array.width != sizeof(std::uint32_t)) return;
  std::vector<std::byte> wide(array.rows * sizeof(std::uint64_t));
  for (std::size_t i = 0; i < array.rows; ++i) {
    std::uint32_t packed;
    std::memcpy(&packed, &array.data[i * sizeof(packed)], sizeof(packed));
    const std::uint64_t word = widened(packed);
    std::memcpy(&wide[i * sizeof(word)], &word, sizeof(word));
  }
  array.data = std::move(wide);
  array.width = sizeof(std::uint64_t);
}

}  // namespace mesowarp::io
