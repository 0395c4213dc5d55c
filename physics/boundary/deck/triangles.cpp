#include "physics/boundary/deck/triangles.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <map>
#include <sstream>

#include "core/error.hpp"

namespace mesowarp::boundary {
namespace {

Vector operator-(const Vector& a, const Vector& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
double dot(const Vector& a, const Vector& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vector cross(const Vector& a, const Vector& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

constexpr std::size_t headBytes = 84, triangleBytes = 50;

std::vector<Triangle> binary(const std::string& bytes) {
  std::vector<Triangle> triangles((bytes.size() - headBytes) / triangleBytes);
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    float numbers[12];  // the normal, which is not used, and the corners
    std::memcpy(numbers, &bytes[headBytes + t * triangleBytes], sizeof(numbers));
    for (std::size_t k = 0; k < 9; ++k) triangles[t].corner[k / 3][k % 3] = static_cast<double>(numbers[3 + k]);
  }
  return triangles;
}

std::vector<Triangle> text(const std::string& bytes, const std::string& path) {
  std::vector<Triangle> triangles;
  std::vector<Vector> corners;
  std::istringstream stream(bytes);
  std::string word;
  while (stream >> word) {
    if (word == "vertex") {
      Vector corner;
      if (!(stream >> corner[0] >> corner[1] >> corner[2]))
        throw InputError(fmt::format("{}: a vertex of triangle {} lacks numbers", path, triangles.size() + 1));
      corners.push_back(corner);
    } else if (word == "endfacet") {
      if (corners.size() != 3)
        throw InputError(fmt::format("{}: facet {} has {} corners, not 3", path, triangles.size() + 1, corners.size()));
      triangles.push_back({{corners[0], corners[1], corners[2]}});
      corners.clear();
    }
  }
  return triangles;
}

}  // namespace

std::vector<Triangle> readStl(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw InputError(path + " cannot be read");
  const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  std::vector<Triangle> triangles;
  std::uint32_t count = 0;
  if (bytes.size() >= headBytes) std::memcpy(&count, &bytes[headBytes - 4], sizeof(count));
  if (bytes.size() >= headBytes && bytes.size() == headBytes + triangleBytes * static_cast<std::size_t>(count))
    triangles = binary(bytes);
  else if (bytes.rfind("solid", 0) == 0)
    triangles = text(bytes, path);
  else
    throw InputError(path +
                     " is no STL file: it does not begin with \"solid\", nor is it as long as a binary one says");
  if (triangles.empty()) throw InputError(path + " has no triangles");
  for (const auto& triangle : triangles)
    for (const auto& corner : triangle.corner)
      for (const double x : corner)
        if (!std::isfinite(x)) throw InputError(path + " holds numbers that are not finite");
  return triangles;
}

double volumeOf(const std::vector<Triangle>& triangles) {
  double six = 0.0;
  const Vector& origin = triangles.front().corner[0];
  for (const auto& [c] : triangles) six += dot(c[0] - origin, cross(c[1] - origin, c[2] - origin));
  return six / 6.0;
}

std::string whyNotClosed(const std::vector<Triangle>& triangles) {
  std::map<Vector, int> corners;
  std::map<std::pair<int, int>, int> edges;  // directed
  for (const auto& [c] : triangles) {
    int number[3];
    for (std::size_t k = 0; k < 3; ++k)
      number[k] = corners.emplace(c[k], static_cast<int>(corners.size())).first->second;
    for (std::size_t k = 0; k < 3; ++k) ++edges[{number[k], number[(k + 1) % 3]}];
  }
  int open = 0;
  Vector where{};
  for (const auto& [edge, times] : edges) {
    const auto back = edges.find({edge.second, edge.first});
    if (times == 1 && back != edges.end() && back->second == 1) continue;
    if (open++ == 0)
      for (const auto& [corner, number] : corners)
        if (number == edge.first) where = corner;
  }
  if (open > 0)
    return fmt::format(
        "the surface is open: {} edges are not shared by two triangles with the same sense, the first at "
        "({:.6g}, {:.6g}, {:.6g}); close it with a mesh program, and let it merge equal corners",
        open, where[0], where[1], where[2]);
  const double volume = volumeOf(triangles);
  if (volume < 0.0)
    return fmt::format("the surface is inside out: its volume is {:.6g}; flip its triangles, which are to be "
                       "counter-clockwise seen from outside",
                       volume);
  return volume > 0.0 ? "" : "the surface encloses no volume";
}

// Ericson, Real-Time Collision Detection (2005), section 5.1.5: which of the corners, edges and the face is nearest.
double distanceTo(const Triangle& triangle, const Vector& p) {
  const Vector &a = triangle.corner[0], &b = triangle.corner[1], &c = triangle.corner[2];
  const Vector ab = b - a, ac = c - a, ap = p - a, bp = p - b, cp = p - c;
  const auto length = [](const Vector& v) { return std::sqrt(dot(v, v)); };
  const auto from = [&](const Vector& foot, const Vector& along, double t) {
    return length({foot[0] - t * along[0], foot[1] - t * along[1], foot[2] - t * along[2]});
  };
  const double d1 = dot(ab, ap), d2 = dot(ac, ap), d3 = dot(ab, bp), d4 = dot(ac, bp), d5 = dot(ab, cp),
               d6 = dot(ac, cp);
  if (d1 <= 0.0 && d2 <= 0.0) return length(ap);
  if (d3 >= 0.0 && d4 <= d3) return length(bp);
  if (d6 >= 0.0 && d5 <= d6) return length(cp);
  const double vc = d1 * d4 - d3 * d2, vb = d5 * d2 - d1 * d6, va = d3 * d6 - d5 * d4;
  if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) return from(ap, ab, d1 / (d1 - d3));
  if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) return from(ap, ac, d2 / (d2 - d6));
  if (va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0) return from(bp, c - b, (d4 - d3) / ((d4 - d3) + (d5 - d6)));
  const Vector n = cross(ab, ac);
  return std::abs(dot(n, ap)) / length(n);
}

}  // namespace mesowarp::boundary
