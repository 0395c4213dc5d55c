// Where walls are: the solid as a signed distance f of each point of the box, positive in the fluid, negative in the
// solid, zero at the surface. Primitives are exact; they are put together by
//
//   union: min(f, g)    intersection: max(f, g)    complement: -f
//
// whose surface is exact and whose |f| is never more than the distance to it. Where two solids touch, both are zero,
// and a particle could be on the face between them: what is at both surfaces is in the solid. All of a deck's walls are
// one short program of such operations in reverse Polish order. Points are 64-bit coordinates of the box, so the
// nearest periodic image is an integer difference; all else is addition, multiplication and square roots in double
// precision, which IEEE 754 fixes: the same bits on every machine. No Kokkos: checks of a deck ask the same function.
#pragma once

#include <cmath>
#include <cstdint>

#include "core/anywhere.hpp"

namespace mesowarp::boundary {

struct SolidOperation {
  enum Kind : int { slab, cylinder, sphere, box, grid, unite, intersect, complement, wall };
  int kind = slab;
  int axis = 0;               // slab: its normal; cylinder: its axis
  std::uint64_t center[3]{};  // coordinates
  double half[3]{};           // length: of a slab half its thickness (along its axis), of a box half its edges
  double radius = 0.0;        // length
  int number = 0;             // of a grid
};

// Distances at the nodes of a regular grid over the box, x fastest; along periodic axes the last node is the one before
// the box's end, along others the one at its end.
struct DistanceGrid {
  const float* value = nullptr;  // length
  int nodes[3]{};
  bool periodic[3]{};
};

// How a wall moves, and how particles leave it.
struct WallMotion {
  double velocity[3]{};      // length / time
  double spin[3]{};          // angular velocity, 1 / time
  std::uint64_t about[3]{};  // a point of the axis of spin
  int moves = 0;             // 1: velocity or spin are not zero
  int slips = 0;             // 1: only the normal part of a velocity is reversed
};

// What a kernel holds: memory is somebody else's.
struct Solid {
  const SolidOperation* operations = nullptr;
  int count = 0;
  const DistanceGrid* grids = nullptr;
  const WallMotion* motions = nullptr;  // of each wall
  double tick[3]{};                     // length of a unit of a coordinate

  struct Point {
    std::uint64_t x[3];
  };
  struct Nearest {
    double distance;
    int wall;  // number of the wall whose surface is nearest, or that the point is deepest in
  };

  static constexpr int deepest = 16;         // operands at once
  static constexpr double touching = 1e-10;  // length: more than rounding makes of a distance

  MESOWARP_ANYWHERE double apart(const Point& p, const std::uint64_t* center, int axis) const {
    // Not p.x[axis]: what is asked for by a number lies in memory.
    const std::uint64_t x = axis == 0 ? p.x[0] : axis == 1 ? p.x[1] : p.x[2];
    return static_cast<double>(static_cast<std::int64_t>(x - center[axis])) * tick[axis];
  }

  MESOWARP_ANYWHERE double primitive(const SolidOperation& o, const Point& p) const {
    if (o.kind == SolidOperation::slab) return ::fabs(apart(p, o.center, o.axis)) - o.half[o.axis];
    if (o.kind == SolidOperation::grid) return onGrid(grids[o.number], p);
    double squared = 0.0, outside = 0.0, inside = -1e300;
    for (int axis = 0; axis < 3; ++axis) {
      if (o.kind == SolidOperation::cylinder && axis == o.axis) continue;
      const double d = apart(p, o.center, axis);
      squared += d * d;
      const double beyond = ::fabs(d) - o.half[axis];
      if (beyond > 0.0) outside += beyond * beyond;
      if (beyond > inside) inside = beyond;
    }
    if (o.kind == SolidOperation::box) return outside > 0.0 ? ::sqrt(outside) : inside;
    return ::sqrt(squared) - o.radius;
  }

  // Trilinear between the eight nodes around.
  MESOWARP_ANYWHERE double onGrid(const DistanceGrid& g, const Point& p) const {
    int low[3], high[3];
    double t[3];
    for (int axis = 0; axis < 3; ++axis) {
      // A walled axis has the lower half of the range of coordinates.
      const double fraction = static_cast<double>(p.x[axis] >> 11) * (g.periodic[axis] ? 0x1p-53 : 0x1p-52);
      const int cells = g.periodic[axis] ? g.nodes[axis] : g.nodes[axis] - 1;
      const double at = fraction * static_cast<double>(cells);
      int cell = static_cast<int>(at);
      if (cell > cells - 1) cell = cells - 1;
      t[axis] = at - static_cast<double>(cell);
      low[axis] = cell;
      high[axis] = g.periodic[axis] && cell + 1 == cells ? 0 : cell + 1;
    }
    double sum = 0.0;
    for (int corner = 0; corner < 8; ++corner) {
      const int i = corner & 1 ? high[0] : low[0], j = corner & 2 ? high[1] : low[1], k = corner & 4 ? high[2] : low[2];
      const double weight =
          (corner & 1 ? t[0] : 1.0 - t[0]) * (corner & 2 ? t[1] : 1.0 - t[1]) * (corner & 4 ? t[2] : 1.0 - t[2]);
      const std::int64_t node = (static_cast<std::int64_t>(k) * g.nodes[1] + j) * g.nodes[0] + i;
      sum += weight * static_cast<double>(g.value[node]);
    }
    return sum;
  }

  // The last operand stays in a register: solids of one or two shapes never wait for memory.
  MESOWARP_CALLED Nearest operator()(const Point& p) const {
    double waiting[deepest], last = 0.0;
    int below = 0, wall = 0;  // below: operands that wait beside the last
    Nearest nearest{1e300, 0};
    for (int k = 0; k < count; ++k) {
      const SolidOperation& o = operations[k];
      if (o.kind < SolidOperation::unite) {
        waiting[below++] = last;
        last = primitive(o, p);
      } else if (o.kind == SolidOperation::complement) {
        last = -last;
      } else if (o.kind == SolidOperation::wall) {
        if (last < nearest.distance || touch(last, nearest.distance)) nearest = {united(last, nearest.distance), wall};
        --below;  // there is none left
        ++wall;
      } else {
        const double a = waiting[--below];
        last = o.kind == SolidOperation::unite ? united(a, last) : a < last ? last : a;
      }
    }
    return nearest;
  }

  // Of the union of two solids, by the distance of each.
  MESOWARP_ANYWHERE static double united(double f, double g) { return touch(f, g) ? -touching : f < g ? f : g; }
  MESOWARP_ANYWHERE static bool touch(double f, double g) {
    return f >= 0.0 && g >= 0.0 && f < touching && g < touching;
  }

  // The point displaced by so many lengths.
  MESOWARP_CALLED Point moved(const Point& p, const double* by) const {
    Point to;
    for (int axis = 0; axis < 3; ++axis)
      to.x[axis] = p.x[axis] + static_cast<std::uint64_t>(static_cast<std::int64_t>(::llrint(by[axis] / tick[axis])));
    return to;
  }

  // Unit normal of the surface next to p, into the fluid: differences over 2 * 10^-4 of the length unit.
  MESOWARP_CALLED void normal(const Point& p, double* n) const {
    constexpr double reach = 1e-4;
    double squared = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
      double by[3]{};
      by[axis] = reach;
      const double ahead = (*this)(moved(p, by)).distance;
      by[axis] = -reach;
      n[axis] = ahead - (*this)(moved(p, by)).distance;
      squared += n[axis] * n[axis];
    }
    const double length = ::sqrt(squared);
    for (int axis = 0; axis < 3; ++axis) n[axis] = length > 0.0 ? n[axis] / length : (axis == 0 ? 1.0 : 0.0);
  }

  // div n next to p, 1 / length: minus the sum of the curvatures where the solid is hollow, plus where it bulges. By
  // differences over `step`, and never beyond 1 / step, as at an edge.
  MESOWARP_CALLED double curvature(const Point& p, double step) const {
    const double middle = (*this)(p).distance;
    double sum = 0.0;
    for (int axis = 0; axis < 3; ++axis) {
      double by[3]{};
      by[axis] = step;
      const double ahead = (*this)(moved(p, by)).distance;
      by[axis] = -step;
      sum += ahead + (*this)(moved(p, by)).distance - 2.0 * middle;
    }
    const double result = sum / (step * step), most = 1.0 / step;
    return result > most ? most : result < -most ? -most : result;
  }

  // How far a step of the wall takes a point of it: along with `velocity`, and round by the Cayley transform of the
  // spin, which keeps the radius, r' = r + 2 / (1 + a a) (a x r + a x (a x r)), a = spin dt / 2.
  MESOWARP_ANYWHERE void stepOf(const Point& p, int wall, double dt, double* by) const {
    const WallMotion& m = motions[wall];
    const double r[3] = {apart(p, m.about, 0), apart(p, m.about, 1), apart(p, m.about, 2)};
    const double a[3] = {0.5 * dt * m.spin[0], 0.5 * dt * m.spin[1], 0.5 * dt * m.spin[2]};
    double once[3], twice[3];
    cross(a, r, once), cross(a, once, twice);
    const double scale = 2.0 / (1.0 + (a[0] * a[0] + a[1] * a[1] + a[2] * a[2]));
    for (int axis = 0; axis < 3; ++axis) by[axis] = dt * m.velocity[axis] + scale * (once[axis] + twice[axis]);
  }
  MESOWARP_ANYWHERE static void cross(const double* a, const double* b, double* c) {
    c[0] = a[1] * b[2] - a[2] * b[1], c[1] = a[2] * b[0] - a[0] * b[2], c[2] = a[0] * b[1] - a[1] * b[0];
  }

  // Of the wall's surface.
  MESOWARP_ANYWHERE void velocityAt(const Point& p, int wall, double* v) const {
    const WallMotion& m = motions[wall];
    const double x = apart(p, m.about, 0), y = apart(p, m.about, 1), z = apart(p, m.about, 2);
    v[0] = m.velocity[0] + (m.spin[1] * z - m.spin[2] * y);
    v[1] = m.velocity[1] + (m.spin[2] * x - m.spin[0] * z);
    v[2] = m.velocity[2] + (m.spin[0] * y - m.spin[1] * x);
  }
};

}  // namespace mesowarp::boundary
