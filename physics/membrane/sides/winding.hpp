// Which cell a point is in: the winding number of a cell's surface about it, as signed crossings of the surface by a
// ray from the point along x. All that decides whether a ray meets a triangle is integer arithmetic without rounding,
// and an edge is counted for one of its two triangles alone, so a closed surface has the same number whatever its
// triangles look like: 1 inside, 0 outside. Where a surface has gone through itself, triangles hold back who belongs
// outside from places with numbers above 0 alone: through an outgrowth that is turned inside out, with -1, such
// particles go to and fro. So outside is where the number is not above 0. Places are in units of 2^-30 of the range of
// coordinates; only a point closer to a surface than that may be told to be on its other side, which `undecided` tells.
// No Kokkos: the initial state asks the same function.
#pragma once

#include <cstdint>

#include "core/anywhere.hpp"

namespace mesowarp::membrane {

constexpr int placeBits = 30;

// How places repeat in a sheared box (core/shear.hpp): beyond a face across the gradient the box' image has slid.
struct SlidPlaces {
  int flow = -1, gradient = -1;  // axes; negative: the box is not sheared
  std::int64_t height = 0;       // of the box along the gradient
  std::int64_t offset = 0;       // of the image above, along the flow
  bool on() const { return gradient >= 0; }
};

struct WoundCell {
  std::int64_t centre[3]{};                  // mean of its vertices, unwrapped
  std::int32_t low[3]{}, high[3]{};          // of its vertices, from the centre
  std::int32_t vertex = 0;                   // its first one
  std::int32_t triangle = 0, triangles = 0;  // of its mesh
  std::int32_t membrane = 0;                 // number of what it is a cell of
};

// What kernels hold: memory is somebody else's.
struct Winding {
  const WoundCell* cell = nullptr;
  int cells = 0;
  const std::int32_t* vertex = nullptr;  // three numbers each, from the cell's centre
  const std::int32_t* corner = nullptr;  // three numbers a triangle, counter-clockwise seen from outside
  SlidPlaces slid;

  // The cell that a place is in; -1: none. In a sheared box places are those in the box.
  MESOWARP_ANYWHERE int cellAt(const std::int64_t* place) const {
    for (int c = 0; c < cells; ++c) {
      std::int64_t p[3];
      if (isNear(cell[c], place, 0, p) && about(cell[c], p) > 0) return c;
    }
    return -1;
  }
  // Whether a place is so near to some surface that its exact place, and that of the surface, may be on other sides.
  MESOWARP_ANYWHERE bool undecided(const std::int64_t* place) const {
    for (int c = 0; c < cells; ++c) {
      std::int64_t p[3];
      if (isNear(cell[c], place, rounding, p) && touches(cell[c], p)) return true;
    }
    return false;
  }

  // The winding number about a place from the cell's centre.
  MESOWARP_ANYWHERE int about(const WoundCell& of, const std::int64_t* p) const {
    int sum = 0;
    const std::int32_t* const first = vertex + 3 * static_cast<std::int64_t>(of.vertex);
    for (int t = of.triangle; t < of.triangle + of.triangles; ++t) {
      const std::int32_t *const a = first + 3 * corner[3 * t], *const b = first + 3 * corner[3 * t + 1],
                                *const c = first + 3 * corner[3 * t + 2];
      const int turns = passes(a, b, p) + passes(b, c, p) + passes(c, a, p);
      if (turns != 0 && ahead(a, b, c, p)) sum += turns;
    }
    return sum;
  }

private:
  static constexpr int rounding = 4;  // units: of a corner and of a place, with room

  // Whether a place is in the box around a cell, made larger by so much; p: the place from the cell's centre.
  MESOWARP_ANYWHERE bool isNear(const WoundCell& of, const std::int64_t* place, int by, std::int64_t* p) const {
    bool near = true;
    std::int64_t d[3] = {place[0] - of.centre[0], place[1] - of.centre[1], place[2] - of.centre[2]};
    if (slid.gradient >= 0) toNearestLayer(d);
    for (int axis = 0; axis < 3; ++axis) {
      p[axis] = nearest(d[axis]);
      near = near && p[axis] >= of.low[axis] - std::int64_t{by} && p[axis] <= of.high[axis] + std::int64_t{by};
    }
    return near;
  }
  // Whether a triangle's plane is within rounding, in the box around the triangle.
  MESOWARP_ANYWHERE bool touches(const WoundCell& of, const std::int64_t* p) const {
    const std::int32_t* const first = vertex + 3 * static_cast<std::int64_t>(of.vertex);
    for (int t = of.triangle; t < of.triangle + of.triangles; ++t) {
      double d[3][3];  // corners from the place
      bool near = true;
      for (int axis = 0; axis < 3; ++axis) {
        for (int k = 0; k < 3; ++k) d[k][axis] = static_cast<double>(first[3 * corner[3 * t + k] + axis] - p[axis]);
        const double a = d[0][axis], b = d[1][axis], c = d[2][axis];
        near = near && (a <= rounding || b <= rounding || c <= rounding) &&
               (a >= -rounding || b >= -rounding || c >= -rounding);
      }
      if (!near) continue;
      double height = 0.0, most = 0.0;
      for (int x = 0; x < 3; ++x) {
        const int y = (x + 1) % 3, z = (x + 2) % 3;
        const double n = (d[1][y] - d[0][y]) * (d[2][z] - d[0][z]) - (d[1][z] - d[0][z]) * (d[2][y] - d[0][y]);
        height += n * d[0][x], most += rounding * (n < 0.0 ? -n : n);
      }
      if (height <= most && height >= -most) return true;
    }
    return false;
  }
  MESOWARP_ANYWHERE void toNearestLayer(std::int64_t* d) const {
    std::int64_t& up = d[slid.gradient];
    const std::int64_t layer = 2 * up > slid.height ? -1 : 2 * up < -slid.height ? 1 : 0;
    up += layer * slid.height;
    d[slid.flow] += layer * slid.offset;
  }
  MESOWARP_ANYWHERE static std::int64_t nearest(std::int64_t d) {
    constexpr std::int64_t period = std::int64_t{1} << placeBits, half = period / 2;
    return ((d + half) & (period - 1)) - half;
  }
  // In the plane of y and z: 1 where an edge goes up and has p on its left, -1 where it goes down and has p on its
  // right. Of an edge's ends the lower one counts alone.
  MESOWARP_ANYWHERE static int passes(const std::int32_t* from, const std::int32_t* to, const std::int64_t* p) {
    const bool below = from[2] <= p[2];
    if (below == (to[2] <= p[2])) return 0;
    const std::int64_t left =
        (std::int64_t{to[1]} - from[1]) * (p[2] - from[2]) - (p[1] - from[1]) * (std::int64_t{to[2]} - from[2]);
    return below ? (left > 0 ? 1 : 0) : (left < 0 ? -1 : 0);
  }
  // Whether the ray meets the triangle's plane at larger x.
  MESOWARP_ANYWHERE static bool ahead(const std::int32_t* a, const std::int32_t* b, const std::int32_t* c,
                                      const std::int64_t* p) {
    std::int64_t u[3], v[3];
    for (int axis = 0; axis < 3; ++axis)
      u[axis] = std::int64_t{b[axis]} - a[axis], v[axis] = std::int64_t{c[axis]} - a[axis];
    const double x = static_cast<double>(u[1] * v[2] - u[2] * v[1]), y = static_cast<double>(u[2] * v[0] - u[0] * v[2]),
                 z = static_cast<double>(u[0] * v[1] - u[1] * v[0]);
    const double height = x * static_cast<double>(a[0] - p[0]) + y * static_cast<double>(a[1] - p[1]) +
                          z * static_cast<double>(a[2] - p[2]);
    return (height > 0.0) == (x > 0.0);
  }
};

}  // namespace mesowarp::membrane
