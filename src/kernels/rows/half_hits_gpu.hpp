// Which candidates of a row are within reach of a particle, compared two at a time in half precision.
#pragma once

#include "kernels/rows/group_stage_gpu.hpp"

namespace mesowarp::backend {

// A particle, each coordinate twice.
struct HalfPosition {
  __half2 x, y, z;
};
struct HalfHits {
  u32 all, near;  // within reach, within the cutoff
};
__device__ inline const __half2& asHalf2(const u32& word) { return reinterpret_cast<const __half2&>(word); }

// Compares two candidates with a particle; sets `bit`, in the upper half-word for the second.
__device__ inline void compareHalves(const HalfPosition& here, const u32& x, const u32& y, const u32& z, __half2 reach,
                                     __half2 cutoff, u32 bit, HalfHits& hits) {
  const __half2 dx = __hsub2(asHalf2(x), here.x), dy = __hsub2(asHalf2(y), here.y), dz = __hsub2(asHalf2(z), here.z);
  const __half2 d2 = __hfma2(dz, dz, __hfma2(dy, dy, __hmul2(dx, dx)));
  hits.all |= __hlt2_mask(d2, reach) & bit;
  hits.near |= __hlt2_mask(d2, cutoff) & bit;
}

// Hits among up to 16 candidates, a bit each. While they are found, the odd ones' bits stand in the upper half-word.
__device__ inline HalfHits hitsOfFew(const CandidateQuad* quad, int quads, const HalfPosition& here, __half2 reach,
                                     __half2 cutoff) {
  HalfHits hits{0, 0};
  u32 bit = 0x00020001u;
#pragma unroll 2
  for (int q = 0; q < quads; ++q) {
    const uint2 x = *reinterpret_cast<const uint2*>(quad[q].x), y = *reinterpret_cast<const uint2*>(quad[q].y),
                z = *reinterpret_cast<const uint2*>(quad[q].z);
    compareHalves(here, x.x, y.x, z.x, reach, cutoff, bit, hits);
    compareHalves(here, x.y, y.y, z.y, reach, cutoff, bit << 2, hits);
    bit <<= 4;
  }
  return {(hits.all | hits.all >> 16) & 0xFFFF, (hits.near | hits.near >> 16) & 0xFFFF};
}

// Among up to 32 candidates from a multiple of 4 on.
__device__ inline HalfHits hitsOf(const CandidateQuad* quad, int quads, const HalfPosition& here, __half2 reach,
                                  __half2 cutoff) {
  HalfHits hits = hitsOfFew(quad, quads < 4 ? quads : 4, here, reach, cutoff);
  if (quads > 4) {
    const HalfHits upper = hitsOfFew(quad + 4, quads - 4, here, reach, cutoff);
    hits.all |= upper.all << 16;
    hits.near |= upper.near << 16;
  }
  return hits;
}

}  // namespace mesowarp::backend
