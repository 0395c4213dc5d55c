#include "physics/membrane/packing/cell_packing.hpp"

#include <algorithm>
#include <cmath>

#include "device/host_loop.hpp"
#include "physics/membrane/deck/images.hpp"

namespace mesowarp::membrane {
namespace {

constexpr double smallest = 0.25, aStep = 0.02;  // sizes: the first, and by how much they grow at a time
constexpr double enough = 0.3, closest = 0.05;   // parts of the gap that vertices may lack at their whole size
constexpr int mostRounds = 400;                  // at one size

// What vertices of one cell lack against one other: the mean is its move.
struct Lack {
  Point force{}, torque{};
  double vertices = 0.0, depth = 0.0;
  void add(const Point& arm, const Point& by, double much) {
    force = force + by, torque = torque + cross(arm, by);
    vertices += 1.0, depth = std::max(depth, much);
  }
};

// Into the cell's own axes, and back.
Point into(const Pose& pose, const Point& d) { return {dot(d, pose.x), dot(d, pose.y), dot(d, pose.z)}; }
Point outOf(const Pose& pose, const Point& d) { return d[0] * pose.x + d[1] * pose.y + d[2] * pose.z; }

// By a small rotation, whose axis and angle `turn` is, as the rotation of tan(angle / 2) = |turn| / 2.
void turnBy(Pose& pose, const Point& turn) {
  const Point h = 0.5 * turn;
  const double scale = 2.0 / (1.0 + dot(h, h));
  const auto turned = [&](const Point& a) {
    const Point b = a + cross(h, a);
    return a + scale * cross(h, b);
  };
  pose.x = unit(turned(pose.x));
  const Point y = turned(pose.y);
  pose.y = unit(y - dot(y, pose.x) * pose.x);
  pose.z = cross(pose.x, pose.y);
}

}  // namespace

void CellPacking::add(PackedCell cell) {
  auto known = std::find_if(fields_.begin(), fields_.end(), [&](const auto& f) { return f.first == cell.mesh; });
  if (known == fields_.end())
    known = fields_.emplace(known, cell.mesh, std::make_unique<DistanceField>(*cell.mesh, 4.0 * gap_));
  field_.push_back(known->second.get());
  cells_.push_back(std::move(cell));
}

Point CellPacking::placeOf(std::size_t i, const Point& vertex) const {
  return cells_[i].pose.centre + outOf(cells_[i].pose, sizeOf(i) * vertex);
}

double CellPacking::wallDistance(const Point& p) const {
  double least = offWalls_ ? offWalls_(p) : 1e300;
  for (std::size_t a = 0; a < 3; ++a)
    if (!box_.periodic[a]) least = std::min({least, p[a], box_.size[a] - p[a]});
  return least;
}

// Cells that may touch before the next call: a grid would find them faster, and takes more lines than this is worth
// below some thousands of cells.
void CellPacking::findNeighbours() {
  near_.assign(cells_.size(), {});
  hostLoop("cells near cells", 0, static_cast<i64>(cells_.size()), [&](i64 n) {
    const auto i = static_cast<std::size_t>(n);
    for (std::size_t j = 0; j < cells_.size(); ++j) {
      if (i == j) continue;
      const Point straight = cells_[j].pose.centre - cells_[i].pose.centre, d = nearestImage(straight, box_);
      const double reach = 1.1 * (sizeOf(i) * field_[i]->radius() + sizeOf(j) * field_[j]->radius()) + 2.0 * gap_;
      anyImage(d, box_, reach, [&](const Point& image) {
        near_[i].push_back({j, image - straight});
        return false;
      });
    }
  });
}

// Vertices of i against the surface of j, and the other way round.
void CellPacking::pushApart(std::size_t i, const Near& near, bool coarse, Push& push) const {
  const std::size_t j = near.cell;
  const Point apart = cells_[j].pose.centre + near.shift - cells_[i].pose.centre;
  const std::size_t stride = coarse ? 3 : 1;
  Lack lack;
  const auto against = [&](std::size_t of, std::size_t surface, const Point& way, double sign) {
    const Pose &own = cells_[of].pose, &theirs = cells_[surface].pose;
    const double s = sizeOf(of), t = sizeOf(surface), reach = t * field_[surface]->radius() + gap_;
    const auto& vertices = cells_[of].mesh->vertex;
    for (std::size_t v = 0; v < vertices.size(); v += stride) {
      const Point arm = outOf(own, s * vertices[v]), seen = arm - way;  // from the surface's centre
      if (dot(seen, seen) > reach * reach) continue;
      double distance;
      Point away;
      if (!field_[surface]->at((1.0 / t) * into(theirs, seen), distance, away)) continue;
      const double missing = gap_ - t * distance;
      if (missing <= 0.0) continue;
      const Point by = (sign * missing) * outOf(theirs, away);
      lack.add(sign > 0.0 ? arm : apart + arm, by, missing);
    }
  };
  against(i, j, apart, 1.0);
  against(j, i, -1.0 * apart, -1.0);
  if (lack.vertices == 0.0) return;
  const double share = (cells_[j].fixed ? 1.0 : 0.5) / lack.vertices;
  const double r2 = sizeOf(i) * sizeOf(i) * field_[i]->radius() * field_[i]->radius();
  push.move = push.move + share * lack.force, push.turn = push.turn + (2.0 * share / r2) * lack.torque;
  push.depth = std::max(push.depth, lack.depth);
}

void CellPacking::pushOffWalls(std::size_t i, bool coarse, Push& push) const {
  const bool ends = !(box_.periodic[0] && box_.periodic[1] && box_.periodic[2]);
  if (!ends && !offWalls_) return;
  const double reach = sizeOf(i) * field_[i]->radius() + gap_, h = 0.05 * gap_;
  if (wallDistance(cells_[i].pose.centre) > reach) return;
  Lack lack;
  const auto& vertices = cells_[i].mesh->vertex;
  for (std::size_t v = 0; v < vertices.size(); v += coarse ? 3 : 1) {
    const Point p = placeOf(i, vertices[v]);
    const double missing = gap_ - wallDistance(p);
    if (missing <= 0.0) continue;
    Point away;
    for (std::size_t a = 0; a < 3; ++a) {
      Point to = p, from = p;
      to[a] += h, from[a] -= h;
      away[a] = (wallDistance(to) - wallDistance(from)) / (2.0 * h);
    }
    lack.add(p - cells_[i].pose.centre, missing * away, missing);
  }
  if (lack.vertices == 0.0) return;
  const double share = 1.0 / lack.vertices, r = sizeOf(i) * field_[i]->radius();
  push.move = push.move + share * lack.force, push.turn = push.turn + (2.0 * share / (r * r)) * lack.torque;
  push.depth = std::max(push.depth, lack.depth);
}

CellPacking::Push CellPacking::pushOn(std::size_t i, bool coarse) const {
  Push push;
  for (const Near& near : near_[i]) pushApart(i, near, coarse, push);
  pushOffWalls(i, coarse, push);
  return push;
}

double CellPacking::relax(bool coarse) {
  push_.resize(cells_.size());
  hostLoop("cells push cells", 0, static_cast<i64>(cells_.size()), [&](i64 n) {
    const auto i = static_cast<std::size_t>(n);
    push_[i] = cells_[i].fixed ? Push{} : pushOn(i, coarse);
  });
  double deepest = 0.0;
  for (std::size_t i = 0; i < cells_.size(); ++i) {
    if (push_[i].depth > deepest) deepest = push_[i].depth, worst_ = i;
    if (cells_[i].fixed || !(push_[i].depth > 0.0)) continue;
    const double most = 0.1 * sizeOf(i) * field_[i]->radius(), far = norm(push_[i].move), angle = norm(push_[i].turn);
    cells_[i].pose.centre = cells_[i].pose.centre + (far > most ? most / far : 1.0) * push_[i].move;
    if (cells_[i].turns && angle > 0.0) turnBy(cells_[i].pose, (angle > 0.2 ? 0.2 / angle : 1.0) * push_[i].turn);
  }
  return deepest;
}

// way: from the centre of `of` to that of `surface`.
bool CellPacking::inside(std::size_t of, std::size_t surface, const Point& way) const {
  const auto& vertices = cells_[of].mesh->vertex;
  return std::any_of(vertices.begin(), vertices.end(), [&](const Point& v) {
    double distance;
    Point away;
    const Point seen = outOf(cells_[of].pose, v) - way;
    return field_[surface]->at(into(cells_[surface].pose, seen), distance, away) && distance < 0.0;
  });
}

bool CellPacking::overlap(std::size_t i, const Near& near) const {
  const Point way = cells_[near.cell].pose.centre + near.shift - cells_[i].pose.centre;
  return inside(i, near.cell, way) || inside(near.cell, i, -1.0 * way);
}

std::optional<std::pair<std::size_t, std::size_t>> CellPacking::firstOverlap() {
  size_ = 1.0;
  findNeighbours();
  const auto overlaps = [&](std::size_t k) {
    return std::find_if(near_[k].begin(), near_[k].end(), [&](const Near& near) { return overlap(k, near); });
  };
  const i64 first = hostFirst("cells in cells", static_cast<i64>(cells_.size()), [&](i64 i) {
    const auto k = static_cast<std::size_t>(i);
    return overlaps(k) != near_[k].end();
  });
  if (first == static_cast<i64>(cells_.size())) return std::nullopt;
  const auto k = static_cast<std::size_t>(first);
  return std::pair(k, overlaps(k)->cell);
}

bool CellPacking::grow(bool closely) {
  for (size_ = smallest;; size_ = std::min(1.0, size_ + aStep)) {
    const bool whole = size_ >= 1.0, coarse = size_ < 0.9;
    double lacks = gap_;
    int most = whole ? 4 * mostRounds : mostRounds;
    for (int round = 0; round < most && lacks > (!whole ? 0.5 : closely ? closest : enough) * gap_; ++round) {
      if (round % 8 == 0) findNeighbours();
      lacks = relax(coarse);
      if (lacks <= enough * gap_) most = std::min(most, round + mostRounds);  // if it does not get better
    }
    if (lacks > gap_) return false;  // vertices are inside of others
    if (whole) return lacks <= 0.5 * gap_;
  }
}

}  // namespace mesowarp::membrane
