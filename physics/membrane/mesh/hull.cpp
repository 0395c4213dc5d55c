#include "physics/membrane/mesh/hull.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "core/error.hpp"

namespace mesowarp::membrane {
namespace {

struct Face {
  std::array<int, 3> corner;
  Point normal;
  double offset;  // normal . x of its plane
};

Face faceOf(const std::vector<Point>& p, int a, int b, int c) {
  const auto at = [&](int k) -> const Point& { return p[static_cast<std::size_t>(k)]; };
  const Point n = cross(at(b) - at(a), at(c) - at(a));
  return {{a, b, c}, n, dot(n, at(a))};
}

// Four points, the first ones that are not in a plane, as a tetrahedron.
std::vector<Face> firstFaces(const std::vector<Point>& p) {
  const int n = static_cast<int>(p.size());
  for (int c = 2; c < n; ++c)
    for (int d = c + 1; d < n; ++d) {
      const Face base = faceOf(p, 0, 1, c);
      const double height = dot(base.normal, p[static_cast<std::size_t>(d)]) - base.offset;
      if (std::abs(height) < 1e-9) continue;
      const auto& [a, b, e] = height < 0.0 ? base.corner : std::array<int, 3>{0, c, 1};
      return {faceOf(p, a, b, e), faceOf(p, b, a, d), faceOf(p, e, b, d), faceOf(p, a, e, d)};
    }
  throw InputError("the points of a sphere are all in a plane");
}

void addPoint(const std::vector<Point>& p, int k, std::vector<Face>& faces) {
  std::set<std::pair<int, int>> edges;  // of the faces that see the point
  const auto sees = [&](const Face& f) {
    if (dot(f.normal, p[static_cast<std::size_t>(k)]) - f.offset <= 1e-14) return false;
    for (std::size_t c = 0; c < 3; ++c) edges.insert({f.corner[c], f.corner[(c + 1) % 3]});
    return true;
  };
  faces.erase(std::remove_if(faces.begin(), faces.end(), sees), faces.end());
  if (edges.empty()) throw InputError(fmt::format("points of a sphere coincide, the last one is {}", k));
  for (const auto& [a, b] : edges)
    if (!edges.count({b, a})) faces.push_back(faceOf(p, a, b, k));
}

}  // namespace

Surface hullOf(const std::vector<Point>& onSphere) {
  std::vector<Face> faces = firstFaces(onSphere);
  std::vector<bool> used(onSphere.size(), false);
  for (const Face& f : faces)
    for (const int v : f.corner) used[static_cast<std::size_t>(v)] = true;
  for (std::size_t k = 0; k < onSphere.size(); ++k)
    if (!used[k]) addPoint(onSphere, static_cast<int>(k), faces);
  Surface surface{onSphere, {}};
  for (const Face& f : faces) surface.triangle.push_back(f.corner);
  std::sort(surface.triangle.begin(), surface.triangle.end());
  return surface;
}

}  // namespace mesowarp::membrane
