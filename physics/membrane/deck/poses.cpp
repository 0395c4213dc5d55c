#include "physics/membrane/deck/poses.hpp"

#include <algorithm>
#include <cmath>
#include <map>

#include "physics/membrane/deck/images.hpp"
#include "physics/membrane/deck/pose_file.hpp"

namespace mesowarp::membrane {
namespace {

Point extentOf(const Surface& mesh) {
  Point low{}, high{};
  for (const Point& p : mesh.vertex)
    for (std::size_t a = 0; a < 3; ++a) low[a] = std::min(low[a], p[a]), high[a] = std::max(high[a], p[a]);
  return high - low;
}

Surface turned(const Surface& mesh, Pose pose) {
  Surface at = mesh;
  for (Point& p : at.vertex) p = pose(p);
  return at;
}

}  // namespace

Pose towards(const Point& normal) {
  Pose pose;
  pose.z = unit(normal);
  const Point other = std::abs(pose.z[0]) < 0.9 ? Point{1, 0, 0} : Point{0, 1, 0};
  if (pose.z[2] > 1.0 - 1e-12) return {};
  pose.x = unit(other - dot(other, pose.z) * pose.z);
  pose.y = cross(pose.z, pose.x);
  return pose;
}

Pose rotated(const std::array<double, 4>& quaternion) {
  const auto [w, x, y, z] = quaternion;
  Pose pose;
  pose.x = {1 - 2 * (y * y + z * z), 2 * (x * y + w * z), 2 * (x * z - w * y)};
  pose.y = {2 * (x * y - w * z), 1 - 2 * (x * x + z * z), 2 * (y * z + w * x)};
  pose.z = {2 * (x * z + w * y), 2 * (y * z - w * x), 1 - 2 * (x * x + y * y)};
  return pose;
}

Pose turnedBy(const std::array<double, 4>& quaternion) {
  const auto [w, x, y, z] = quaternion;
  const double length = std::sqrt(w * w + x * x + y * y + z * z);
  return rotated({w / length, x / length, y / length, z / length});
}

static std::vector<Pose> posesOf(const CellKeys& keys) {
  std::vector<Pose> all;
  if (keys.centers.size() % 3 != 0 || keys.normals.size() % 3 != 0) return all;
  if (keys.normals.size() > 3 && keys.normals.size() != keys.centers.size()) return all;
  for (std::size_t c = 0; c < keys.centers.size(); c += 3) {
    const std::size_t n = keys.normals.size() > 3 ? c : 0;
    Pose pose = keys.normals.empty() ? Pose{} : towards({keys.normals[n], keys.normals[n + 1], keys.normals[n + 2]});
    pose.centre = {keys.centers[c], keys.centers[c + 1], keys.centers[c + 2]};
    all.push_back(pose);
  }
  return all;
}

const std::vector<Pose>& listedPoses(const input::Population& population) {
  using Key = std::pair<std::string, std::vector<double>>;
  static std::map<Key, std::vector<Pose>> known;
  const CellKeys& keys = cellsOf(population);
  Key key{keys.poses.empty() ? "" : keys.poses + "\n" + population.name, keys.centers};
  key.second.insert(key.second.end(), keys.normals.begin(), keys.normals.end());
  auto it = known.find(key);
  if (it == known.end())
    it = known.emplace(key, keys.poses.empty() ? posesOf(keys) : readPoses(keys.poses, population.name)).first;
  return it->second;
}

std::vector<Pose> latticePoses(const Surface& mesh, const input::BoxBlock& box, std::int64_t cells) {
  const Point extent = extentOf(mesh);
  std::array<std::int64_t, 3> sites{};
  for (std::size_t a = 0; a < 3; ++a) sites[a] = static_cast<std::int64_t>(box.size[a] / (1.02 * extent[a]));
  const std::int64_t all = sites[0] * sites[1] * sites[2];
  std::vector<Pose> poses;
  if (all < cells) return poses;
  for (std::int64_t c = 0; c < cells; ++c) {
    const std::int64_t site = c * all / cells;
    const std::array<std::int64_t, 3> at{site % sites[0], site / sites[0] % sites[1], site / (sites[0] * sites[1])};
    Pose pose;
    for (std::size_t a = 0; a < 3; ++a)
      pose.centre[a] = (static_cast<double>(at[a]) + 0.5) * box.size[a] / static_cast<double>(sites[a]);
    poses.push_back(pose);
  }
  return poses;
}

bool isInside(const Surface& surface, const Point& place) {
  double angle = 0.0;
  for (const auto& t : surface.triangle) {
    const Point a = surface.vertex[static_cast<std::size_t>(t[0])] - place,
                b = surface.vertex[static_cast<std::size_t>(t[1])] - place,
                c = surface.vertex[static_cast<std::size_t>(t[2])] - place;
    const double la = norm(a), lb = norm(b), lc = norm(c);
    angle += 2.0 * std::atan2(dot(a, cross(b, c)), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
  }
  return angle > 2.0 * M_PI;
}

static bool overlapHere(const Surface& first, const Point& centreA, double reachA, const Surface& second,
                        const Point& centreB, double reachB, double apart) {
  for (const Point& p : first.vertex) {
    if (norm(p - centreB) > reachB + apart) continue;
    for (const Point& q : second.vertex)
      if (norm(p - q) < apart) return true;
    if (isInside(second, p)) return true;
  }
  return std::any_of(second.vertex.begin(), second.vertex.end(),
                     [&](const Point& q) { return norm(q - centreA) < reachA && isInside(first, q); });
}

bool overlap(const Surface& a, const Pose& poseA, const Surface& b, const Pose& poseB, const input::BoxBlock& box,
             double apart) {
  const double reachA = radiusOf(a), reachB = radiusOf(b);
  const Point between = nearestImage(poseB.centre - poseA.centre, box);
  return anyImage(between, box, reachA + reachB + apart, [&](const Point& image) {
    Pose moved = poseB;
    moved.centre = poseA.centre + image;
    return overlapHere(turned(a, poseA), poseA.centre, reachA, turned(b, moved), moved.centre, reachB, apart);
  });
}

}  // namespace mesowarp::membrane
