// The smallest box around points that the lanes of a warp have.
#pragma once

#include "core/types.hpp"

namespace mesowarp::backend {

struct WarpLimits {
  float low, high;
  // Over the lanes; numbers compared as integers.
  __device__ static WarpLimits of(float low, float high) {
    constexpr unsigned whole = 0xFFFFFFFFu;
    return {number(__reduce_min_sync(whole, ordered(low))), number(__reduce_max_sync(whole, ordered(high)))};
  }
  // Rounded as the difference to any number within is: never the larger.
  __device__ float beyond(float x) const { return x - fminf(fmaxf(x, low), high); }

private:
  __device__ static int ordered(float x) {
    const int bits = __float_as_int(x);
    return bits ^ ((bits >> 31) & 0x7FFFFFFF);
  }
  __device__ static float number(int ordered) { return __int_as_float(ordered ^ ((ordered >> 31) & 0x7FFFFFFF)); }
};

struct WarpBounds {
  WarpLimits x, y, z;

  // exists: whether this lane has a point; if not, its coordinates are INFINITY.
  __device__ static WarpBounds of(const Vec3<float>& point, bool exists) {
    const auto limits = [&](float x) { return WarpLimits::of(x, exists ? x : -INFINITY); };
    return {limits(point.x), limits(point.y), limits(point.z)};
  }
  // Squared distance of a point, at most what fmaf(x, x, fmaf(y, y, z * z)) gives for any point within.
  __device__ float distance2(const Vec3<float>& point) const {
    const float dx = x.beyond(point.x), dy = y.beyond(point.y), dz = z.beyond(point.z);
    return fmaf(dx, dx, fmaf(dy, dy, dz * dz));
  }
};

}  // namespace mesowarp::backend
