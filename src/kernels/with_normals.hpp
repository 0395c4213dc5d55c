// Kernels whose particles get three standard normal numbers each, by the tag, the axis and a step's key: Langevin's
// friction, tracers' steps. A number takes 16 rounds of TEA one after the other, and a vector of them no longer than
// one. So a CPU draws for blocks of particles: the same numbers, to the bit.
#pragma once

#include <algorithm>

#include "core/portable_math.hpp"
#include "core/random.hpp"
#include "device/config.hpp"
#ifndef KOKKOS_ENABLE_CUDA
#include "device/pair_lanes_cpu.hpp"
#endif

namespace mesowarp::backend {

// Of a tag, or of a vector of tags: two words for each axis.
template <class Keys>
KOKKOS_FORCEINLINE_FUNCTION WordsOf<Keys> axisWords(Keys tag, const StepKey& key, int axis) {
  Keys v0 = reverseBits(tag) ^ Keys(key.first), v1(key.second + static_cast<u32>(axis) * 0x9E3779B9u);
  tea<16>(v0, v1);
  return {v0, v1};
}
// V: a number, or a vector of them, of as many tags.
template <class V>
KOKKOS_FORCEINLINE_FUNCTION V normalOf(typename Lanes<V>::Keys tag, const StepKey& key, int axis) {
  return gaussian<V, math::Portable>(axisWords(tag, key, axis));
}

// Kernel: Real; key; u32 tagOf(int i); bool wants(int i); void operator()(int i, const Vec3<Real>& normal), for those
// that it wants.
template <class Kernel>
struct NormalKernel {
  using Real = typename Kernel::Real;
  Kernel kernel;
  int particles;

#ifdef KOKKOS_ENABLE_CUDA
  static constexpr int block = 1;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    if (!kernel.wants(i)) return;
    const u32 tag = kernel.tagOf(i);
    Vec3<Real> normal;
    for (int axis = 0; axis < 3; ++axis) normal[axis] = normalOf<Real>(tag, kernel.key, axis);
    kernel(i, normal);
  }
#else
  static constexpr int block = 16;
  void operator()(int k) const {
    const int first = k * block, end = std::min(first + block, particles);
    int wanting[block], some = 0;
    u32 tag[block] = {};
    for (int i = first; i < end; ++i)
      if (kernel.wants(i)) tag[some] = kernel.tagOf(i), wanting[some++] = i;
    if (some == 0) return;
    Real normal[3][block];
    for (int axis = 0; axis < 3; ++axis)
      for (int l = 0; l < block; l += Keys::width)
        store(normal[axis] + l, normalOf<PairNumbers<Real>>(loadAs<Keys>(tag + l), kernel.key, axis));
    for (int l = 0; l < some; ++l) kernel(wanting[l], Vec3<Real>{normal[0][l], normal[1][l], normal[2][l]});
  }
#endif
};

template <class Kernel>
void runWithNormals(const char* label, const Kernel& kernel, int particles) {
  constexpr int block = NormalKernel<Kernel>::block;
  Kokkos::parallel_for(label, Range(0, (particles + block - 1) / block), NormalKernel<Kernel>{kernel, particles});
}

}  // namespace mesowarp::backend
