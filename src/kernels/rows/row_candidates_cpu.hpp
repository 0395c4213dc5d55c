// What a CPU compares of a cell's particles with: candidates for their rows, and the box around them.
#pragma once

#include <vector>

#include "core/box.hpp"
#include "device/simd_cpu.hpp"

namespace mesowarp::backend {

// Candidates of a cell's particles: the leading 32 bits of their coordinates, and which particles they are. around: the
// particles of the cells around, of which they are taken.
struct RowCandidates {
  static constexpr int slack = 64;  // behind the last one; read and written, never used
  std::vector<u32> x, y, z, index;
  std::vector<int> around;
  int count = 0;
  void reserve(int n) {
    if (around.size() >= static_cast<std::size_t>(n) + slack) return;
    for (auto* v : {&x, &y, &z, &index}) v->resize(n + n / 2 + slack);
    around.resize(n + n / 2 + slack);
  }
};

// The smallest box around a cell's particles, and how far from it candidates may be.
template <class S>
struct CellBounds {
  using Words = typename S::Words;
  using Floats = typename S::Floats;
  Vec3<u32> middle;
  Vec3<float> half;  // length
  Ticks<float> tick;
  float reach2;

  static Floats length(Words difference, float tick) {
    return __builtin_convertvector(typename S::Integers(difference), Floats) * tick;
  }
  static Floats outside(Words difference, float tick, float half) {
    const Floats d = length(difference, tick), zero{};
    const Floats beyond = (d < zero ? -d : d) - half;
    return beyond > zero ? beyond : zero;
  }
  u32 near(Words x, Words y, Words z) const {
    const Floats dx = outside(x - middle.x, tick.x, half.x), dy = outside(y - middle.y, tick.y, half.y),
                 dz = outside(z - middle.z, tick.z, half.z);
    return S::less(dx * dx + dy * dy + dz * dz, S::broadcast(reach2));
  }
};

}  // namespace mesowarp::backend
