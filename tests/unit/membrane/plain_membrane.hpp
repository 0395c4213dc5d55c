// A membrane's energy written down as the paper has it, triangle by triangle and edge by edge, with angles from acos;
// and the forces of vertexTerms() on all vertices of one cell.
#pragma once

#include <map>

#include "physics/membrane/mesh/cell_shapes.hpp"
#include "physics/membrane/mesh/rings.hpp"
#include "physics/membrane/model/ring_terms.hpp"

namespace mesowarp::membrane {

struct PlainModel {
  double shear = 0, x0 = 1.0 / 2.2, m = 2.0;
  double global = 0, local = 0, volume = 0, bending = 0, theta0 = 0;
};

struct PlainMembrane {
  PlainModel model;
  Surface rest, now;
  double area0, volume0;
  Rings rings;
  std::vector<std::array<int, 4>> hinges;  // the edge's ends, the corner on its left, the one on its right

  PlainMembrane(const PlainModel& given, Surface surface) : model(given), rest(surface), now(std::move(surface)) {
    area0 = areaOf(rest), volume0 = 0.9 * volumeOf(rest), rings = ringsOf(rest);
    std::map<std::pair<int, int>, int> third;
    for (const auto& t : rest.triangle)
      for (std::size_t c = 0; c < 3; ++c) third[{t[c], t[(c + 1) % 3]}] = t[(c + 2) % 3];
    for (const auto& [edge, left] : third)
      if (edge.first < edge.second)
        hinges.push_back({edge.first, edge.second, left, third.at({edge.second, edge.first})});
  }
  static const Point& at(const Surface& s, int v) { return s.vertex[static_cast<std::size_t>(v)]; }

  double springEnergy(double l, double l0) const {
    const double lm = l0 / model.x0, y = 1.0 - model.x0;
    const double f0 = 0.25 / (y * y) - 0.25 + model.x0;
    const double stiff = model.x0 / (2 * y * y * y) + model.x0 + model.m * f0;
    const double w = 4.0 / std::sqrt(3.0) * model.shear * l0 / stiff, kp = w * f0 * std::pow(l0, model.m);
    const auto u = [&](double length) {
      const double x = length / lm;
      const double power =
          model.m == 1.0 ? -kp * std::log(length) : kp / ((model.m - 1.0) * std::pow(length, model.m - 1.0));
      return w * lm / 4.0 * x * x * (3.0 - 2.0 * x) / (1.0 - x) + power;
    };
    return u(l) - u(l0);
  }
  double angle(const Surface& s, const std::array<int, 4>& h) const {
    const Point &b = at(s, h[0]), &c = at(s, h[1]);
    const Point left = unit(cross(c - b, at(s, h[2]) - b)), right = unit(cross(at(s, h[3]) - b, c - b));
    const double theta = std::acos(std::min(1.0, dot(left, right)));
    return dot(at(s, h[2]) - b, right) < 0.0 ? theta : -theta;  // convex: the left corner lies below the right plane
  }
  double energy() const {
    const auto square = [](double value, double rest0) { return (value - rest0) * (value - rest0) / (2.0 * rest0); };
    double e = model.global * square(areaOf(now), area0) + model.volume * square(volumeOf(now), volume0);
    for (std::size_t t = 0; t < now.triangle.size(); ++t) e += model.local * square(areaOf(now, t), areaOf(rest, t));
    for (const auto& h : hinges) {
      e += springEnergy(norm(at(now, h[0]) - at(now, h[1])), norm(at(rest, h[0]) - at(rest, h[1])));
      e += model.bending * (1.0 - std::cos(angle(now, h) - model.theta0));
    }
    return e;
  }

  template <class Math = math::Hardware>
  Elasticity<double> elasticity() const {
    Elasticity<double> e;
    e.spring = springLaw<double>(model.shear, model.x0, model.m, 1.0);
    e.localArea = model.local, e.bending = model.bending;
    return e;
  }
  template <class Math = math::Hardware>
  VertexSum<double> force(int v) const {
    const auto& ring = rings.ring[static_cast<std::size_t>(v)];
    const auto& beyond = rings.beyond[static_cast<std::size_t>(v)];
    const auto relative = [&](int other) {
      const Point d = at(now, other) - at(now, v);
      return Vec3<double>{d[0], d[1], d[2]};
    };
    const auto wrapped = [&](int k) { return ring[static_cast<std::size_t>(k) % ring.size()]; };
    const auto restOf = [&](int k) {
      const Point d = at(rest, wrapped(k)) - at(rest, v), e = at(rest, wrapped(k + 1)) - at(rest, v);
      const double c = std::cos(model.theta0), s = std::sin(model.theta0);
      return Rest<double>{norm(d), 0.5 * norm(cross(d, e)), c, s, c, s};
    };
    const CellTerms<double> cell{model.global * (areaOf(now) - area0) / area0,
                                 model.volume * (volumeOf(now) - volume0) / (6.0 * volume0)};
    return vertexTerms<Math>(
        elasticity(), cell, static_cast<int>(ring.size()), [&](int k) { return relative(wrapped(k)); },
        [&](int k) { return relative(beyond[static_cast<std::size_t>(k)]); }, restOf,
        [](int, const Vec3<double>&, Vec3<double>&) {});
  }
};

}  // namespace mesowarp::membrane
