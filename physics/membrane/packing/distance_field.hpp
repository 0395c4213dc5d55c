// How far a point is from a mesh, on a grid about it: for putting cells beside each other. Nothing but additions,
// multiplications, divisions and square roots, so that a start has the same bits on every machine.
#pragma once

#include <vector>

#include "physics/membrane/mesh/surface.hpp"

namespace mesowarp::membrane {

class DistanceField {
public:
  // Of a usable mesh about its centre; known up to `margin` (length) beyond its extent.
  DistanceField(const Surface& mesh, double margin);

  // Below 0 inside. False: the point is outside of the grid, so further away than the margin. away: where the distance
  // grows fastest, not of length 1 to the last bit.
  bool at(const Point& p, double& distance, Point& away) const;
  double radius() const { return radius_; }  // of the mesh, from its centre

private:
  std::size_t node(int i, int j, int k) const {
    return (static_cast<std::size_t>(k) * nodes_[1] + static_cast<std::size_t>(j)) * nodes_[0] +
           static_cast<std::size_t>(i);
  }
  double radius_, spacing_;
  Point low_{};
  std::array<std::size_t, 3> nodes_{};
  std::vector<float> value_;
};

}  // namespace mesowarp::membrane
