// Images of a place in a box with periodic faces.
#pragma once

#include <cmath>

#include "input/deck.hpp"
#include "physics/membrane/mesh/points.hpp"

namespace mesowarp::membrane {

// d: between two places, length.
inline Point nearestImage(Point d, const input::BoxBlock& box) {
  for (std::size_t a = 0; a < 3; ++a)
    if (box.periodic[a]) d[a] -= box.size[a] * std::floor(d[a] / box.size[a] + 0.5);
  return d;
}

// Whether `is` is true of an image of a distance that is shorter than reach: in a box of less than two cells' size, one
// cell meets another on both sides, and the nearest image alone is not enough. nearest: as nearestImage() gives it;
// reach: below 1.5 of the edges, of which it is enough to look at three images an axis.
template <class Is>
bool anyImage(const Point& nearest, const input::BoxBlock& box, double reach, const Is& is) {
  const int last[3] = {box.periodic[0] ? 1 : 0, box.periodic[1] ? 1 : 0, box.periodic[2] ? 1 : 0};
  for (int x = -last[0]; x <= last[0]; ++x)
    for (int y = -last[1]; y <= last[1]; ++y)
      for (int z = -last[2]; z <= last[2]; ++z) {
        const Point d = nearest + Point{x * box.size[0], y * box.size[1], z * box.size[2]};
        if (dot(d, d) < reach * reach && is(d)) return true;
      }
  return false;
}

}  // namespace mesowarp::membrane
