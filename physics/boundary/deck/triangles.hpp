// A closed surface of triangles: read from STL, and what may be wrong with it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace mesowarp::boundary {

using Vector = std::array<double, 3>;

struct Triangle {
  std::array<Vector, 3> corner;  // length; counter-clockwise seen from outside
};

// Text or binary STL. Throws InputError.
std::vector<Triangle> readStl(const std::string& path);

// In words, what keeps triangles from enclosing a volume: edges that are not shared by exactly two of them, in opposite
// directions; a volume that is negative, as of a surface turned inside out, or zero. Empty: nothing.
std::string whyNotClosed(const std::vector<Triangle>& triangles);

double volumeOf(const std::vector<Triangle>& triangles);  // length^3

// Distance of a point from a triangle.
double distanceTo(const Triangle& triangle, const Vector& point);

}  // namespace mesowarp::boundary
