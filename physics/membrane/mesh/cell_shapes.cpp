#include "physics/membrane/mesh/cell_shapes.hpp"

#include <algorithm>

#include "physics/membrane/mesh/hull.hpp"

namespace mesowarp::membrane {
namespace {

using Neighbours = std::vector<std::vector<std::size_t>>;

Neighbours neighboursOf(const Surface& s) {
  Neighbours all(s.vertex.size());
  for (const auto& t : s.triangle)
    for (std::size_t c = 0; c < 3; ++c)  // each directed edge is of one triangle
      all[static_cast<std::size_t>(t[c])].push_back(static_cast<std::size_t>(t[(c + 1) % 3]));
  return all;
}

// One step of springs of equal length along all edges, then back to the surface.
template <class Project>
void slide(std::vector<Point>& p, const Neighbours& near, double step, const Project& project) {
  double length = 0.0, edges = 0.0;
  for (std::size_t i = 0; i < p.size(); ++i)
    for (const std::size_t j : near[i]) length += norm(p[j] - p[i]), edges += 1.0;
  length /= edges;
  std::vector<Point> moved = p;
  for (std::size_t i = 0; i < p.size(); ++i) {
    for (const std::size_t j : near[i]) {
      const Point d = p[j] - p[i];
      const double now = norm(d);
      moved[i] = moved[i] + (step * (now - length) / now) * d;
    }
    moved[i] = project(moved[i]);
  }
  p = std::move(moved);
}

// The icosahedron's corners from the cyclic permutations of (0, ±1, ±golden).
std::vector<Point> icosahedron() {
  const double golden = 0.5 * (1.0 + std::sqrt(5.0));
  std::vector<Point> corners;
  for (int a = 0; a < 3; ++a)
    for (const double s : {-1.0, 1.0})
      for (const double t : {-golden, golden}) {
        Point p{};
        p[static_cast<std::size_t>((a + 1) % 3)] = s, p[static_cast<std::size_t>((a + 2) % 3)] = t;
        corners.push_back(unit(p));
      }
  return corners;
}

std::vector<Point> dividedIcosahedron(int f) {
  const std::vector<Point> corner = icosahedron();
  std::vector<Point> points = corner;
  for (const auto& t : hullOf(corner).triangle) {
    const Point &a = corner[static_cast<std::size_t>(t[0])], &b = corner[static_cast<std::size_t>(t[1])],
                &c = corner[static_cast<std::size_t>(t[2])];
    for (int i = 0; i <= f; ++i)
      for (int j = 0; i + j <= f; ++j) {
        const int k = f - i - j;
        const bool isCorner = i == f || j == f || k == f, onEdge = i == 0 || j == 0 || k == 0;
        // An edge is shared: the triangle that runs along it from the lower corner has its points.
        const bool ours = !onEdge || (k == 0 ? t[0] < t[1] : i == 0 ? t[1] < t[2] : t[2] < t[0]);
        if (!isCorner && ours)
          points.push_back(unit(static_cast<double>(i) * a + static_cast<double>(j) * b + static_cast<double>(k) * c));
      }
  }
  return points;
}

// Golden angle from point to point, equal steps of height; then relaxed.
std::vector<Point> spiral(int n) {
  const double angle = 2.39996322972865332;
  std::vector<Point> points;
  for (int k = 0; k < n; ++k) {
    const double z = 1.0 - (2.0 * k + 1.0) / n, r = std::sqrt(1.0 - z * z);
    points.push_back({r * std::cos(angle * k), r * std::sin(angle * k), z});
  }
  for (int round = 0; round < 8; ++round) {
    const Neighbours near = neighboursOf(hullOf(points));
    for (int k = 0; k < 20; ++k) slide(points, near, 0.1, [](const Point& p) { return unit(p); });
  }
  return points;
}

constexpr double a0 = 0.0518, a1 = 2.0026, a2 = -4.491;

// Towards the zero of the implicit surface, D = 1, along its gradient.
Point ontoBloodCell(Point p) {
  for (int k = 0; k < 6; ++k) {
    const double q = p[0] * p[0] + p[1] * p[1], w = a0 + q * (a1 + q * a2), rim = 1.0 - 4.0 * q;
    const double value = p[2] * p[2] - rim * w * w;
    const double slope = 4.0 * w * w - 2.0 * rim * w * (a1 + 2.0 * a2 * q);  // -d(rim w^2)/dq
    const Point gradient{2.0 * p[0] * slope, 2.0 * p[1] * slope, 2.0 * p[2]};
    const double square = dot(gradient, gradient);
    if (!(square > 0.0)) break;
    p = p - (value / square) * gradient;
  }
  return p;
}

}  // namespace

Surface sphereOf(int vertices, double diameter) {
  int f = 1;
  while (10 * f * f + 2 < vertices) ++f;
  Surface sphere = hullOf(10 * f * f + 2 == vertices ? dividedIcosahedron(f) : spiral(vertices));
  for (Point& p : sphere.vertex) p = (0.5 * diameter) * p;
  return sphere;
}

Surface bloodCellOf(int vertices, double diameter) {
  Surface cell = sphereOf(vertices, 1.0);
  for (Point& p : cell.vertex) {
    const double q = p[0] * p[0] + p[1] * p[1];
    p[2] *= 2.0 * (a0 + q * (a1 + q * a2));
  }
  const Neighbours near = neighboursOf(cell);
  for (int k = 0; k < 300; ++k) slide(cell.vertex, near, 0.1, ontoBloodCell);
  for (Point& p : cell.vertex) p = diameter * p;
  return cell;
}

}  // namespace mesowarp::membrane
