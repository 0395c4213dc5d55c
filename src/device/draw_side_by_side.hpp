// Random words of many tags on the host: a vector of tags at a time where the host's compiler reads the code. nvcc's
// front end knows no arithmetic on vectors, so in a CUDA build the loop is left to the compiler (and looked at by
// tests/vectors, as all builds have it).
#pragma once

#include "device/config.hpp"
#ifndef KOKKOS_ENABLE_CUDA
#include "device/pair_lanes_cpu.hpp"
#endif

namespace mesowarp::backend {

// draw: of a tag, or of a vector of tags, two words; `count` a multiple of 16.
template <class Draw>
void drawInALoop(const Draw& draw, const u32* tag, int count, u32* first, u32* second) {
#pragma omp simd
  for (int l = 0; l < count; ++l) {
    const auto words = draw(tag[l]);
    first[l] = words.first, second[l] = words.second;
  }
}

// The same numbers.
template <class Draw>
void drawSideBySide(const Draw& draw, const u32* tag, int count, u32* first, u32* second) {
#ifdef KOKKOS_ENABLE_CUDA
  drawInALoop(draw, tag, count, first, second);
#else
  for (int l = 0; l < count; l += Keys::width) {
    const auto words = draw(loadAs<Keys>(tag + l));
    store(first + l, words.first), store(second + l, words.second);
  }
#endif
}

}  // namespace mesowarp::backend
