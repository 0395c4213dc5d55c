#include "physics/membrane/packing/distance_field.hpp"

#include <algorithm>

#include "device/host_loop.hpp"
#include "physics/membrane/sides/winding.hpp"

namespace mesowarp::membrane {
namespace {

// Squared, from a point to a triangle (Ericson, Real-Time Collision Detection (2005), section 5.1.5: by the region of
// the plane that the point is above).
double squaredDistance(const Point& p, const Point& a, const Point& b, const Point& c) {
  const Point ab = b - a, ac = c - a, ap = p - a;
  const auto squared = [&](const Point& q) { return dot(p - q, p - q); };
  const double d1 = dot(ab, ap), d2 = dot(ac, ap);
  if (d1 <= 0.0 && d2 <= 0.0) return squared(a);
  const Point bp = p - b;
  const double d3 = dot(ab, bp), d4 = dot(ac, bp);
  if (d3 >= 0.0 && d4 <= d3) return squared(b);
  const double vc = d1 * d4 - d3 * d2;
  if (vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0) return squared(a + (d1 / (d1 - d3)) * ab);
  const Point cp = p - c;
  const double d5 = dot(ab, cp), d6 = dot(ac, cp);
  if (d6 >= 0.0 && d5 <= d6) return squared(c);
  const double vb = d5 * d2 - d1 * d6;
  if (vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0) return squared(a + (d2 / (d2 - d6)) * ac);
  const double va = d3 * d6 - d5 * d4;
  if (va <= 0.0 && d4 - d3 >= 0.0 && d5 - d6 >= 0.0)
    return squared(b + ((d4 - d3) / ((d4 - d3) + (d5 - d6))) * (c - b));
  const double whole = va + vb + vc;
  return squared(a + (vb / whole) * ab + (vc / whole) * ac);
}

// A mesh in integers, for winding numbers.
struct WoundMesh {
  double unit;  // of the integers, length
  WoundCell cell;
  std::vector<std::int32_t> vertex, corner;

  WoundMesh(const Surface& mesh, double reach) : unit(reach / 0x1p28) {
    for (const Point& p : mesh.vertex)
      for (const double x : p) vertex.push_back(static_cast<std::int32_t>(x / unit));
    for (const auto& t : mesh.triangle) corner.insert(corner.end(), t.begin(), t.end());
    cell.triangles = static_cast<std::int32_t>(mesh.triangle.size());
  }
  bool holds(const Point& p) const {
    const Winding winding{&cell, 1, vertex.data(), corner.data(), {}};
    const std::int64_t at[3] = {static_cast<std::int64_t>(p[0] / unit), static_cast<std::int64_t>(p[1] / unit),
                                static_cast<std::int64_t>(p[2] / unit)};
    return winding.about(cell, at) != 0;
  }
};

}  // namespace

DistanceField::DistanceField(const Surface& mesh, double margin) : radius_(radiusOf(mesh)) {
  Point high = mesh.vertex.front();
  low_ = high;
  for (const Point& p : mesh.vertex)
    for (std::size_t a = 0; a < 3; ++a) low_[a] = std::min(low_[a], p[a]), high[a] = std::max(high[a], p[a]);
  const double longest = std::max({high[0] - low_[0], high[1] - low_[1], high[2] - low_[2]});
  spacing_ = std::max(0.5 * longestEdge(mesh), longest / 40.0);
  for (std::size_t a = 0; a < 3; ++a) {
    low_[a] -= margin + spacing_;
    nodes_[a] = static_cast<std::size_t>((high[a] - low_[a] + margin + spacing_) / spacing_) + 2;
  }
  value_.resize(nodes_[0] * nodes_[1] * nodes_[2]);
  const WoundMesh wound(mesh, 2.0 * (radius_ + margin + 2.0 * spacing_));
  hostLoop("distances from a mesh", 0, static_cast<i64>(nodes_[2] * nodes_[1]), [&](i64 row) {
    const auto j = static_cast<std::size_t>(row) % nodes_[1], k = static_cast<std::size_t>(row) / nodes_[1];
    for (std::size_t i = 0; i < nodes_[0]; ++i) {
      const Point p{low_[0] + spacing_ * static_cast<double>(i), low_[1] + spacing_ * static_cast<double>(j),
                    low_[2] + spacing_ * static_cast<double>(k)};
      double least = 1e300;
      for (const auto& t : mesh.triangle)
        least = std::min(least, squaredDistance(p, mesh.vertex[static_cast<std::size_t>(t[0])],
                                                mesh.vertex[static_cast<std::size_t>(t[1])],
                                                mesh.vertex[static_cast<std::size_t>(t[2])]));
      const double distance = std::sqrt(least);
      value_[static_cast<std::size_t>(row) * nodes_[0] + i] = static_cast<float>(wound.holds(p) ? -distance : distance);
    }
  });
}

bool DistanceField::at(const Point& p, double& distance, Point& away) const {
  int cell[3];
  double t[3];
  for (std::size_t a = 0; a < 3; ++a) {
    const double x = (p[a] - low_[a]) / spacing_;
    if (!(x >= 0.0 && x < static_cast<double>(nodes_[a] - 1))) return false;
    cell[a] = static_cast<int>(x), t[a] = x - cell[a];
  }
  double v[8];
  for (int c = 0; c < 8; ++c)
    v[c] = static_cast<double>(value_[node(cell[0] + (c & 1), cell[1] + (c >> 1 & 1), cell[2] + (c >> 2))]);
  const auto mix = [](double a, double b, double s) { return a + s * (b - a); };
  const double x00 = mix(v[0], v[1], t[0]), x10 = mix(v[2], v[3], t[0]), x01 = mix(v[4], v[5], t[0]),
               x11 = mix(v[6], v[7], t[0]);
  const double y0 = mix(x00, x10, t[1]), y1 = mix(x01, x11, t[1]);
  distance = mix(y0, y1, t[2]);
  away[2] = (y1 - y0) / spacing_;
  away[1] = mix(x10 - x00, x11 - x01, t[2]) / spacing_;
  away[0] = mix(mix(v[1] - v[0], v[3] - v[2], t[1]), mix(v[5] - v[4], v[7] - v[6], t[1]), t[2]) / spacing_;
  return true;
}

}  // namespace mesowarp::membrane
