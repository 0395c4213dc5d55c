// Places along a Morton (Z) curve through a box that is no power of two: the curve goes through the smallest cube of a
// power of two around it, and places outside the box do not count. A cell's place is computed, not found by sorting.
#pragma once

#include <array>

#include "core/types.hpp"

namespace mesowarp {

// Rank of an aligned block of cells among all blocks: of cells, where a block is one cell. A block's edges are powers
// of two, those of a stretch of the curve: x >= y >= z, z at least half of x.
struct MortonRank {
  std::array<int, 3> blocks;       // along each axis; those at the end may be cut off
  std::array<int, 3> shift;        // a block is 2^shift cells wide
  static constexpr int bits = 10;  // of a cell's coordinate

  MortonRank(const std::array<int, 3>& cells, const std::array<int, 3>& edge) {
    for (int axis = 0; axis < 3; ++axis) {
      blocks[axis] = (cells[axis] + edge[axis] - 1) / edge[axis];
      shift[axis] = 0;
      while ((1 << shift[axis]) < edge[axis]) ++shift[axis];
    }
  }
  KOKKOS_INLINE_FUNCTION int count() const { return blocks[0] * blocks[1] * blocks[2]; }

  // Block number b, x fastest.
  KOKKOS_INLINE_FUNCTION Vec3<int> block(int b) const {
    return {b % blocks[0], b / blocks[0] % blocks[1], b / blocks[0] / blocks[1]};
  }

  // The curve halves the cube along z, y, x, and again: where the block is in the upper half, all of the lower come
  // first.
  KOKKOS_INLINE_FUNCTION int operator()(const Vec3<int>& block) const {
    Vec3<int> left{blocks[0], blocks[1], blocks[2]};  // blocks of the box within what is left of the cube
    int rank = 0;
    for (int bit = bits - 1; bit >= 0; --bit)
      for (int axis = 2; axis >= 0; --axis) {
        if (bit < shift[axis]) continue;
        const int half = 1 << (bit - shift[axis]);
        if ((block[axis] & half) != 0) {
          rank += half * left[(axis + 1) % 3] * left[(axis + 2) % 3];
          left[axis] -= half;
        } else if (left[axis] > half) {
          left[axis] = half;
        }
      }
    return rank;
  }
};

}  // namespace mesowarp
