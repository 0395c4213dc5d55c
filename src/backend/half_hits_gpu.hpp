// Which candidates of a row are within reach of a particle, compared two at a time in half precision.
#pragma once

#include "backend/group_stage_gpu.hpp"

namespace mesowarp::backend {

  // A particle, each coordinate twice.
struct HalfPosition {
    __half2 x, y, z;
  };
  struct HalfHits {
    u32 all, inner, near;  // within reach, within the inner part of the skin, within the cutoff
  };
  // Squared distances, each twice.
  struct HalfLimits {
    __half2 reach, inner, cutoff;
  };
  __device__ inline const __half2& asHalf2(const u32& word) { return reinterpret_cast<const __half2&>(word); }

  // Compares two candidates with a particle; sets `bit`, in the upper half-word for the second.
  __device__ inline void compareHalves(const HalfPosition& here, const u32& x, const u32& y, const u32& z, const HalfLimits& limits,
                                   u32 bit, HalfHits& hits) {
    const __half2 dx = __hsub2(asHalf2(x), here.x), dy = __hsub2(asHalf2(y), here.y), dz = __hsub2(asHalf2(z), here.z);
    const __half2 d2 = __hfma2(dz, dz, __hfma2(dy, dy, __hmul2(dx, dx)));
    hits.all |= __hlt2_mask(d2, limits.reach) & bit;
    hits.inner |= __hlt2_mask(d2, limits.inner) & bit;
    hits.near |= __hlt2_mask(d2, limits.cutoff) & bit;
  }

  // Hits among up to 16 candidates, a bit each. While they are found, the odd ones' bits stand in the upper half-word.
  __device__ inline HalfHits hitsOfFew(const CandidateQuad* quad, int quads, const HalfPosition& here, const HalfLimits& limits) {
    HalfHits hits{0, 0, 0};
    u32 bit = 0x00020001u;
#pragma unroll 2
    for (int q = 0; q < quads; ++q) {
      const uint2 x = *reinterpret_cast<const uint2*>(quad[q].x), y = *reinterpret_cast<const uint2*>(quad[q].y),
                  z = *reinterpret_cast<const uint2*>(quad[q].z);
      compareHalves(here, x.x, y.x, z.x, limits, bit, hits);
      compareHalves(here, x.y, y.y, z.y, limits, bit << 2, hits);
      bit <<= 4;
    }
    const auto joined = [](u32 bits) { return (bits | bits >> 16) & 0xFFFF; };
    return {joined(hits.all), joined(hits.inner), joined(hits.near)};
  }

  // Among up to 32 candidates from a multiple of 4 on.
  __device__ inline HalfHits hitsOf(const CandidateQuad* quad, int quads, const HalfPosition& here, const HalfLimits& limits) {
    HalfHits hits = hitsOfFew(quad, quads < 4 ? quads : 4, here, limits);
    if (quads > 4) {
      const HalfHits upper = hitsOfFew(quad + 4, quads - 4, here, limits);
      hits.all |= upper.all << 16;
      hits.inner |= upper.inner << 16;
      hits.near |= upper.near << 16;
    }
    return hits;
  }

}  // namespace mesowarp::backend
