// Which things are joined, directly or by others.
#pragma once

#include <numeric>
#include <utility>
#include <vector>

#include "core/types.hpp"

namespace mesowarp {

class UnionFind {
public:
  explicit UnionFind(std::size_t count) : above_(count) { std::iota(above_.begin(), above_.end(), u32{0}); }
  // The lowest of all that x is joined with.
  u32 lowest(u32 x) {
    while (above_[x] != x) x = above_[x] = above_[above_[x]];
    return x;
  }
  // True: they were not yet.
  bool join(u32 a, u32 b) {
    a = lowest(a), b = lowest(b);
    if (a == b) return false;
    if (a > b) std::swap(a, b);
    above_[b] = a;
    return true;
  }

private:
  std::vector<u32> above_;
};

}  // namespace mesowarp
