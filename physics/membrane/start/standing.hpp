// Vertices that stand, for putting cells beside them.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include "input/deck.hpp"
#include "physics/membrane/mesh/points.hpp"

namespace mesowarp::membrane {

// In cells no smaller than a distance that others keep from them.
class Standing {
public:
  Standing(const input::BoxBlock& box, double apart) : box_(box), apart_(apart) {
    for (int a = 0; a < 3; ++a) cells_[a] = std::clamp(static_cast<int>(box.size[a] / apart), 1, 400);
    points_.resize(static_cast<std::size_t>(cells_[0]) * cells_[1] * cells_[2]);
  }
  bool hasRoom(const Point& p) const {
    int at[3];
    place(p, at);
    for (int k = 0; k < 27; ++k) {
      const int step[3] = {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
      int to[3];
      for (int a = 0; a < 3; ++a) to[a] = (at[a] + step[a] + cells_[a]) % cells_[a];
      for (const Point& other : points_[index(to)])
        if (distance2(p, other) < apart_ * apart_) return false;
    }
    return true;
  }
  void add(const Point& p) {
    int at[3];
    place(p, at);
    points_[index(at)].push_back(p);
  }

private:
  void place(const Point& p, int* at) const {
    for (int a = 0; a < 3; ++a) {
      const double x = p[static_cast<std::size_t>(a)] / box_.size[static_cast<std::size_t>(a)];
      at[a] = std::clamp(static_cast<int>((x - std::floor(x)) * cells_[a]), 0, cells_[a] - 1);
    }
  }
  std::size_t index(const int* at) const {
    return (static_cast<std::size_t>(at[2]) * cells_[1] + at[1]) * cells_[0] + at[0];
  }
  double distance2(const Point& p, const Point& q) const {
    double sum = 0.0;
    for (std::size_t a = 0; a < 3; ++a) {
      double d = p[a] - q[a];
      if (box_.periodic[a]) d -= box_.size[a] * std::round(d / box_.size[a]);
      sum += d * d;
    }
    return sum;
  }
  input::BoxBlock box_;
  double apart_;
  int cells_[3];
  std::vector<std::vector<Point>> points_;
};

}  // namespace mesowarp::membrane
