// A step's path that ends in the solid: the particle meets the surface and comes back from it, as often as it takes.
//
// With the wall's velocity u at the point that was met: bounce-back v' = 2 u - v (no slip), bounce-forward
// v' = v - 2 ((v - u) n) n; the rest of the step goes with v'. Where on the path the surface is, is found to 2^-40 of
// the path: secants of the distance guess it, and of 32 places around a guess the last in the fluid is taken, if the
// first of them is and the last is not; else bisection finds it. The result is always in the fluid, unless the particle
// was deep in the solid before.
#pragma once

#include "physics/boundary/solid.hpp"

namespace mesowarp::boundary {

struct Bounce {
  Solid::Point at;       // in, out: where the particle is
  double velocity[3];    // in, out: with which it came there, length / time
  double offset[3];      // in, out: what another velocity of it has more; it is turned as well
  int wall = -1;         // out: the last that it met
  Solid::Nearest end{};  // out: what is nearest there
  bool strayed = false;  // out: it was in the solid before the step, and has been put back to the surface
  bool lost = false;     // out: not even that was possible
};

// Of 32 places, of which the first is in the fluid and the last is not, the last that is, by halvings: inFluid(place).
template <class Test>
MESOWARP_ANYWHERE int halvedAmongPlaces(const Test& inFluid) {
  int at = 0;
  for (int half = 16; half > 0; half /= 2)
    if (inFluid(at + half)) at += half;
  return at;
}

// Where on a path that begins in the fluid and ends in the solid the fluid ends: inFluid(part of the path) -> bool.
struct Halving {
  static constexpr int times = 40, places = 32;
  static constexpr double unit = 0x1p-40;
  template <class Test>
  MESOWARP_ANYWHERE double operator()(const Test& inFluid) const {
    double fluid = 0.0, inside = 1.0;
    for (int k = 0; k < times; ++k) {
      const double middle = 0.5 * (fluid + inside);
      (inFluid(middle) ? fluid : inside) = middle;
    }
    return fluid;
  }
  // The same among 32 places, a unit apart, from the first on; negative: it does not end there.
  template <class Test>
  MESOWARP_ANYWHERE double among(const Test& inFluid, double first) const {
    const auto at = [&](int place) { return inFluid(first + place * unit); };
    return at(0) && !at(places - 1) ? first + halvedAmongPlaces(at) * unit : -1.0;
  }
};

// The same by questions of 32 places at a time, which lie 2^-5 of what is left apart: 8 of them find what 40 halvings
// one after the other do. inFluid(first place, how far apart) -> a bit for each, the lowest of the first.
template <class Test>
MESOWARP_ANYWHERE double halvedByMany(const Test& inFluid) {
  constexpr int levels = 5;
  double fluid = 0.0, apart = 1.0;
  for (int round = 0; round < Halving::times / levels; ++round) {
    apart *= 1.0 / (1 << levels);
    const std::uint32_t known = inFluid(fluid, apart);
    fluid += halvedAmongPlaces([&](int place) { return (known >> place & 1u) != 0; }) * apart;
  }
  return fluid;
}
template <class Test>
MESOWARP_ANYWHERE double amongByMany(const Test& inFluid, double first) {
  const std::uint32_t known = inFluid(first, Halving::unit);
  const auto at = [&](int place) { return (known >> place & 1u) != 0; };
  return at(0) && !at(Halving::places - 1) ? first + halvedAmongPlaces(at) * Halving::unit : -1.0;
}

template <class Search = Halving>
class Bouncer {
public:
  MESOWARP_ANYWHERE Bouncer(const Solid& solid, double timestep, Search search = {})
      : solid_(solid), timestep_(timestep), search_(search) {}

  // b.at is in the solid.
  MESOWARP_ANYWHERE void operator()(Bounce& b) const {
    double back[3];
    for (int axis = 0; axis < 3; ++axis) back[axis] = -timestep_ * b.velocity[axis];
    Solid::Point from = solid_.moved(b.at, back);
    Solid::Nearest start = solid_(from);
    if (start.distance < -closeBy) return putBack(b);
    b.end = solid_(b.at);
    double left = timestep_;
    for (int turn = 0; turn < mostTurns; ++turn) {
      Path path{solid_, from, {}};
      for (int axis = 0; axis < 3; ++axis) path.way[axis] = left * b.velocity[axis];
      const double fluid = meeting(path, start.distance, b.end.distance);
      from = path.at(fluid);
      start = solid_(from);
      b.wall = start.wall;
      turnRound(from, b);
      left *= 1.0 - fluid;
      double way[3];
      for (int axis = 0; axis < 3; ++axis) way[axis] = left * b.velocity[axis];
      b.at = solid_.moved(from, way);
      b.end = solid_(b.at);
      if (b.end.distance >= 0.0) return;
    }
    b.at = from, b.end = start;  // in a corner too narrow for the rest of the way: it waits at the surface
    if (start.distance < 0.0) putBack(b), b.strayed = false;  // by rounding alone
  }

private:
  static constexpr double closeBy = 1e-5;  // length: what rounding may leave of a point at the surface
  static constexpr int mostTurns = 8, mostGuesses = 4;

  struct Path {
    const Solid& solid;
    Solid::Point from;
    double way[3];  // length
    MESOWARP_ANYWHERE Solid::Point at(double part) const {
      const double by[3] = {part * way[0], part * way[1], part * way[2]};
      return solid.moved(from, by);
    }
    MESOWARP_ANYWHERE bool operator()(double part) const { return solid(at(part)).distance >= 0.0; }
  };

  // As a part of the path; distances where it begins, and where it ends.
  MESOWARP_ANYWHERE double meeting(const Path& path, double first, double last) const {
    double a = 0.0, ofA = first, b = 1.0, ofB = last;
    for (int guesses = 0; guesses < mostGuesses; ++guesses) {
      const double guess = a - ofA * (b - a) / (ofB - ofA);
      if (!(guess >= 0.0 && guess <= 1.0)) break;
      constexpr double most = 1.0 / Halving::unit - (Halving::places - 1);
      const double from = ::floor(guess / Halving::unit) - Halving::places / 2;
      const double found = search_.among(path, (from < 0.0 ? 0.0 : from < most ? from : most) * Halving::unit);
      if (found >= 0.0) return found;
      a = b, ofA = ofB, b = guess, ofB = solid_(path.at(guess)).distance;
    }
    return search_(path);
  }

  MESOWARP_ANYWHERE void turnRound(const Solid::Point& met, Bounce& b) const {
    double u[3];
    solid_.velocityAt(met, b.wall, u);
    if (!solid_.motions[b.wall].slips) {
      for (int axis = 0; axis < 3; ++axis) {
        b.velocity[axis] = 2.0 * u[axis] - b.velocity[axis];
        b.offset[axis] = -b.offset[axis];
      }
      return;
    }
    double n[3];
    solid_.normal(met, n);
    double normal = 0.0, ofOffset = 0.0;
    for (int axis = 0; axis < 3; ++axis)
      normal += (b.velocity[axis] - u[axis]) * n[axis], ofOffset += b.offset[axis] * n[axis];
    for (int axis = 0; axis < 3; ++axis) {
      b.velocity[axis] -= 2.0 * normal * n[axis];
      b.offset[axis] -= 2.0 * ofOffset * n[axis];
    }
  }

  // To the nearest surface; what moves further in is turned round.
  MESOWARP_ANYWHERE void putBack(Bounce& b) const {
    b.strayed = true;
    double n[3];
    for (int attempt = 0; attempt < 32; ++attempt) {
      const Solid::Nearest here = solid_(b.at);
      b.wall = here.wall;
      solid_.normal(b.at, n);
      if (here.distance >= 0.0) break;
      double by[3];
      for (int axis = 0; axis < 3; ++axis) by[axis] = (1e-7 - here.distance) * n[axis];
      b.at = solid_.moved(b.at, by);
    }
    b.end = solid_(b.at);
    b.lost = b.end.distance < 0.0;
    double u[3], into = 0.0;
    solid_.velocityAt(b.at, b.wall, u);
    for (int axis = 0; axis < 3; ++axis) into += (b.velocity[axis] - u[axis]) * n[axis];
    if (into < 0.0) turnRound(b.at, b);
  }

  const Solid& solid_;
  double timestep_;
  Search search_;
};

}  // namespace mesowarp::boundary
