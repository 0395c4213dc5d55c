// Kernels whose particles get three standard normal numbers each, by the tag, the axis and a step's key: Langevin's
// friction, tracers' steps. A number takes 16 rounds of TEA one after the other, on a CPU core 25 ns; a vector of them
// takes no longer than one. So a CPU draws for blocks of particles: the same numbers, to the bit.
#pragma once

#include <algorithm>

#include "core/portable_math.hpp"
#include "core/random.hpp"
#include "device/config.hpp"
#ifndef KOKKOS_ENABLE_CUDA
#include "device/pair_lanes_cpu.hpp"
#endif

namespace mesowarp::backend {

// V: a number, or a vector of them, of as many tags.
template <class V>
KOKKOS_FORCEINLINE_FUNCTION V normalOf(typename Lanes<V>::Keys tag, const StepKey& key, int axis) {
  using Keys = typename Lanes<V>::Keys;
  Keys v0 = reverseBits(tag) ^ Keys(key.first), v1(key.second + static_cast<u32>(axis) * 0x9E3779B9u);
  tea<16>(v0, v1);
  return gaussian<V, math::Portable>(WordsOf<Keys>{v0, v1});
}

// Kernel: Real; key; u32 tagOf(int i); bool wants(int i); void operator()(int i, const Vec3<Real>& normal), for those
// that it wants.
template <class Kernel>
struct NormalKernel {
  using Real = typename Kernel::Real;
  static constexpr int block = onGpu ? 1 : 16;
  Kernel kernel;
  int particles;

  KOKKOS_INLINE_FUNCTION void operator()(int k) const {
    if constexpr (onGpu) {
      if (!kernel.wants(k)) return;
      const u32 tag = kernel.tagOf(k);
      Vec3<Real> normal;
      for (int axis = 0; axis < 3; ++axis) normal[axis] = normalOf<Real>(tag, kernel.key, axis);
      kernel(k, normal);
    } else {
      ofBlock(k * block);
    }
  }

private:
  void ofBlock(int first) const {
    const int count = std::min(block, particles - first);
    int wanting[block], some = 0;
    u32 tag[block] = {};
    for (int i = first; i < first + count; ++i)
      if (kernel.wants(i)) tag[some] = kernel.tagOf(i), wanting[some++] = i;
    if (some == 0) return;
    Real normal[3][block];
    for (int axis = 0; axis < 3; ++axis) draw(tag, axis, normal[axis]);
    for (int l = 0; l < some; ++l) kernel(wanting[l], Vec3<Real>{normal[0][l], normal[1][l], normal[2][l]});
  }
  void draw(const u32* tag, int axis, Real* normal) const {
#ifdef KOKKOS_ENABLE_CUDA
    for (int l = 0; l < block; ++l) normal[l] = normalOf<Real>(tag[l], kernel.key, axis);
#else
    for (int l = 0; l < block; l += Keys::width)
      store(normal + l, normalOf<PairNumbers<Real>>(loadAs<Keys>(tag + l), kernel.key, axis));
#endif
  }
};

template <class Kernel>
void runWithNormals(const char* label, const Kernel& kernel, int particles) {
  constexpr int block = NormalKernel<Kernel>::block;
  Kokkos::parallel_for(label, Range(0, (particles + block - 1) / block), NormalKernel<Kernel>{kernel, particles});
}

}  // namespace mesowarp::backend
