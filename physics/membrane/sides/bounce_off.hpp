// A particle that has gone through a membrane in the step before comes back from it. It meets the triangle
// (crossing.hpp), and they hand momentum to each other (impact.hpp). The rest of its way it goes back as it came, seen
// from the point that it has met, and never ends closer to the triangle than `clearance`, on its own side. On that way
// it may meet another triangle.
#pragma once

#include "physics/membrane/sides/candidates.hpp"
#include "physics/membrane/sides/impact.hpp"

namespace mesowarp::membrane {

// When a list is too old for where a particle is now (WatchInFlow): further from where it was at the build, but for the
// way that the flow has taken it, than half of what is left of the skin.
struct Watch {
  double halfSkin2;  // negative: displacements are not watched
  int flow = 0, gradient = 1;
  double flowed = 0.0;  // rate * time since the build
  double middle = 0.0;  // of the box along the gradient, length
};

template <class P>
struct BounceOff {
  using Coord = typename P::Coord;
  using Real = typename P::Real;
  static constexpr int mostTurns = 4;

  BounceState<P> of;
  Vector tick, fineTick;                // of a coordinate of pair forces, and of one with 64 bits; length
  double timestep, clearance, hottest;  // k_B T of the run, at most
  Vec3<int> walled;                     // 1: faces of the box along this axis are walls
  Watch watch;
  Candidates candidates;
  Kokkos::View<u64[StepFlags::events], backend::SharedSpace> errors;
  Kokkos::View<i64, backend::SharedSpace> moved;
  i64* staleFrom;

  KOKKOS_INLINE_FUNCTION void operator()(int k) const {
    if (backend::onGpu && of.guard.stops()) return;
    bounce(candidates.near(k));
  }

private:
  // What has been met.
  struct Met {
    Crossing crossing;
    u32 first = ~u32{0}, second = ~u32{0};  // tags of the triangle's lowest corner and of the one behind it
    int corner[3]{};
    double side = 0.0;
    MovingTriangle triangle;
  };
  // What is left of the particle's way, as it differs from the straight one through the whole step.
  struct Way {
    double from = 0.0;  // part of the step
    Vector begin, end;  // beside the straight way, length
  };

  KOKKOS_INLINE_FUNCTION Vector apart(const Vec3<Coord>& a, const Vec3<Coord>& b) const {
    return {static_cast<double>(static_cast<Signed<Coord>>(a.x - b.x)) * tick.x,
            static_cast<double>(static_cast<Signed<Coord>>(a.y - b.y)) * tick.y,
            static_cast<double>(static_cast<Signed<Coord>>(a.z - b.z)) * tick.z};
  }
  // In a sheared box the image of a vertex that is nearest to the particle, in both steps the same one.
  KOKKOS_INLINE_FUNCTION int imageOf(int j, const Vec3<Coord>& near) const {
    return of.faces.on ? nearestImage(of.faces, near, placeOf(j)) : 0;
  }
  KOKKOS_INLINE_FUNCTION Vector apart(const ShearFaces<Coord>& faces, const Vec3<Coord>& a, const Vec3<Coord>& b,
                                      int image) const {
    return apart(image == 0 ? a : faces.image(a, image), b);
  }
  KOKKOS_INLINE_FUNCTION Vec3<Coord> placeOf(int i) const {
    const auto p = of.now.position(i);
    return {p.x, p.y, p.z};
  }

  KOKKOS_INLINE_FUNCTION void bounce(int i) const {
    Way way;
    Met met = nextMeeting(i, way, Met{});
    if (met.crossing.time > 1.0) return;
    double v[3], offset[3];
    readVelocity(of.now, i, v, offset);
    Impacts<mostTurns> impacts(hottest);
    for (int turn = 0; turn < mostTurns && met.crossing.time <= 1.0; ++turn) {
      exchange(i, met, impacts, v);
      turnBack(met, way);
      met = nextMeeting(i, way, met);
    }
    if (met.crossing.time <= 1.0) waitAt(met, way);  // in a fold too narrow for the rest of its way
    storePlace(i, way.end);
    writeVelocity(of.now, i, v, offset);
  }

  // The earliest on a way, of triangles other than the last one met; of equal times that of the lower triangle.
  KOKKOS_INLINE_FUNCTION Met nextMeeting(int i, const Way& way, const Met& last) const {
    Met first;
    const u32 species = of.now.velocity(i).species;
    const Vec3<Coord> before = of.before(i), now = placeOf(i);
    const int begin = candidates.first(i), end = begin + candidates.number(i);
    for (int k = begin; k < end; ++k) {
      const Candidate triangle = candidates.all(k);
      Met met;
      for (int corner = 0; corner < 3; ++corner) {
        const int j = triangle.corner[corner];
        met.corner[corner] = j;
        const int image = imageOf(j, now);
        const Vector a = apart(of.facesBefore, of.before(j), before, image),
                     b = apart(of.faces, placeOf(j), now, image);
        met.triangle.begin[corner] = way.from > 0.0 ? less(between(a, b, way.from), way.begin) : a;
        met.triangle.end[corner] = less(b, way.end);
      }
      if (!mayMeet(met.triangle)) continue;
      met.first = of.tag(met.corner[0]), met.second = of.tag(met.corner[1]);
      if (met.first == last.first && met.second == last.second) continue;
      met.side = species == of.surfaces.span(triangle.span).inside ? -1.0 : 1.0;
      met.crossing = firstCrossing(met.triangle, met.side);
      const double time = met.crossing.time;
      if (time > 1.0 || time > first.crossing.time) continue;
      const bool lower = met.first < first.first || (met.first == first.first && met.second < first.second);
      if (time < first.crossing.time || lower) first = met;
    }
    return first;
  }

  KOKKOS_INLINE_FUNCTION static Vector pointOf(const Crossing& c, const Vector& a, const Vector& b, const Vector& d) {
    return plus(scaled(c.weight[0], a), plus(scaled(c.weight[1], b), scaled(c.weight[2], d)));
  }
  // Into the particle's side, of length 1.
  KOKKOS_INLINE_FUNCTION static Vector normalOf(const Vector& a, const Vector& b, const Vector& c, double side) {
    const Vector n = outer(less(b, a), less(c, a));
    const double length = ::sqrt(inner(n, n));
    return length > 0.0 ? scaled(side / length, n) : Vector{};
  }

  // Vertices' velocities are those of their way, which all ranks know to the same bits.
  KOKKOS_INLINE_FUNCTION void exchange(int i, const Met& met, Impacts<mostTurns>& impacts, double* velocity) const {
    const MovingTriangle& t = met.triangle;
    const double time = met.crossing.time;
    const Vector normal = normalOf(t.at(0, time), t.at(1, time), t.at(2, time), met.side);
    Target target;
    for (int corner = 0; corner < 3; ++corner) {
      const int j = met.corner[corner], image = imageOf(j, placeOf(i));
      const Vec3<Coord> from = image == 0 ? Vec3<Coord>(of.before(j)) : of.facesBefore.image(of.before(j), image);
      target.corner[corner] = j, target.weight[corner] = met.crossing.weight[corner];
      target.inverseMass[corner] = static_cast<double>(of.inverseMass(of.now.velocity(j).species));
      target.velocity[corner] = scaled(1.0 / timestep, apart(of.faces, placeOf(j), from, image));
    }
    Vector v{velocity[0], velocity[1], velocity[2]}, impulse[3];
    if (!impacts.hit(target, normal, 1.0 / static_cast<double>(of.mass(of.now.velocity(i).species)), v, impulse))
      return;
    for (std::size_t axis = 0; axis < 3; ++axis) velocity[axis] = v[static_cast<int>(axis)];
    for (int corner = 0; corner < 3; ++corner)
      for (std::size_t axis = 0; axis < 3; ++axis)
        add(3 * static_cast<std::size_t>(met.corner[corner]) + axis, impulse[corner][static_cast<int>(axis)]);
  }
  KOKKOS_INLINE_FUNCTION void add(std::size_t at, double impulse) const {
    Kokkos::atomic_add(&of.impulse(at), static_cast<i64>(::llrint(impulse * (1.0 / impulseUnit))));
  }

  KOKKOS_INLINE_FUNCTION void turnBack(const Met& met, Way& way) const {
    const MovingTriangle& t = met.triangle;
    const double time = met.crossing.time;
    // Places from the end of the way so far are triangles' corners at `end`.
    const Vector point = pointOf(met.crossing, t.end[0], t.end[1], t.end[2]);
    const Vector there = normalOf(t.at(0, time), t.at(1, time), t.at(2, time), met.side);
    const Vector normal = normalOf(t.end[0], t.end[1], t.end[2], met.side);
    const Vector beside = between(way.begin, way.end, time);
    way.begin = plus(beside, scaled(clearance, there));
    Vector back = scaled(2.0, point);  // from -0 to the mirror image at the point
    const double height = inner(less(back, point), normal);
    if (height < clearance) back = plus(back, scaled(clearance - height, normal));
    way.end = plus(way.end, back);
    way.from += (1.0 - way.from) * time;
  }
  KOKKOS_INLINE_FUNCTION void waitAt(const Met& met, Way& way) const {
    const MovingTriangle& t = met.triangle;
    const Vector point = pointOf(met.crossing, t.end[0], t.end[1], t.end[2]);
    way.end = plus(way.end, plus(point, scaled(clearance, normalOf(t.end[0], t.end[1], t.end[2], met.side))));
  }

  // by: from where the particle is.
  KOKKOS_INLINE_FUNCTION void storePlace(int i, const Vector& by) const {
    constexpr int up = 64 - 8 * static_cast<int>(sizeof(Coord));
    const auto here = of.now.position(i);
    u64 at[3] = {static_cast<u64>(here.x) << up, static_cast<u64>(here.y) << up, static_cast<u64>(here.z) << up};
    if (P::splitMaster) {
      const Vec3<u32> low = of.now.positionLow(i);
      for (int axis = 0; axis < 3; ++axis) at[axis] |= low[axis];
    } else if (up > 0) {
      for (u64& x : at) x += u64{1} << (up > 0 ? up - 1 : 0);  // to the nearest coordinate
    }
    const double length[3] = {fineTick.x, fineTick.y, fineTick.z};
    for (int axis = 0; axis < 3; ++axis) {
      at[axis] += static_cast<u64>(static_cast<i64>(::llrint(by[axis] / length[axis])));
      if (walled[axis] != 0 && at[axis] >> 63 != 0) at[axis] = ~at[axis];
    }
    const Vec3<Coord> to{static_cast<Coord>(at[0] >> up), static_cast<Coord>(at[1] >> up),
                         static_cast<Coord>(at[2] >> up)};
    of.now.position(i) = {to.x, to.y, to.z, here.signature};
    if (P::splitMaster) {
      const Vec3<u32> low{static_cast<u32>(at[0]), static_cast<u32>(at[1]), static_cast<u32>(at[2])};
      of.now.positionLow(i) = low;
      if (of.observedLow.data()) of.observedLow(i) = low;
    }
    watchSkin(i, to);
  }
  // The list is built anew before the next step.
  KOKKOS_INLINE_FUNCTION void watchSkin(int i, const Vec3<Coord>& to) const {
    if (watch.halfSkin2 < 0.0) return;
    Vector d = apart(to, of.built(i));
    if (of.faces.on) {
      const Vec3<Coord> from = of.built(i);
      d[watch.flow] -= watch.flowed * (static_cast<double>(from[watch.gradient]) * tick[watch.gradient] - watch.middle);
    }
    if (!(inner(d, d) > watch.halfSkin2)) return;
    moved() = of.guard.step + 1;
    if (backend::onGpu && staleFrom != nullptr) *staleFrom = of.guard.step + 1;
  }
};

}  // namespace mesowarp::membrane
