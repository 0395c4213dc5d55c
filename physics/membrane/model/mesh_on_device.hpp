// The mesh that all cells of a population share, as kernels read it, and the rows of this rank's vertices.
#pragma once

#include <cmath>
#include <vector>

#include "device/host_copy.hpp"
#include "physics/membrane/deck/membrane_deck.hpp"
#include "physics/membrane/mesh/rings.hpp"
#include "physics/membrane/model/ring_terms.hpp"

namespace mesowarp::membrane {

// Vertex v of cell c has the tag first + c vertices + v.
template <class Real>
struct MeshOnDevice {
  int vertices = 0, most = 0;     // of a cell; neighbours of a vertex
  DeviceArray<i32> around;        // neighbours of each vertex
  DeviceArray<i32> ring, beyond;  // [vertex * most + k] (physics/membrane/mesh/rings.hpp)
  DeviceArray<Rest<Real>> rest;   // likewise
  DeviceArray<Real> pull;         // of each vertex, a force along an axis; empty: none
  int pullAxis = 0;
};

// A vertex of this rank: its index among the particles, and its number among the population's vertices.
struct VertexRow {
  int self;
  u32 number;
};

// cosine and sine of an angle without bending energy.
struct RestAngle {
  double cosine, sine;
};
// Of n nearly equal triangles' corners on a sphere: cos = (sqrt(3) (n - 2) - 5 pi) / (sqrt(3) (n - 2) - 3 pi) (Fedosov,
// Caswell, Karniadakis 2010).
inline RestAngle sphereAngle(int vertices) {
  const double s = std::sqrt(3.0) * (vertices - 2), c = std::max(-1.0, (s - 5.0 * M_PI) / (s - 3.0 * M_PI));
  return {c, std::sqrt(std::max(0.0, 1.0 - c * c))};
}
// Of the edge from b to c with corners on its left and on its right.
inline RestAngle meshAngle(const Point& b, const Point& c, const Point& left, const Point& right) {
  const Point l = unit(cross(c - b, left - b)), r = unit(cross(right - b, c - b));
  return {dot(l, r), dot(cross(l, r), unit(c - b))};
}

template <class Real>
MeshOnDevice<Real> meshOnDevice(const Surface& mesh, const Mechanics& mechanics) {
  const Rings rings = ringsOf(mesh);
  MeshOnDevice<Real> device;
  device.vertices = static_cast<int>(mesh.vertex.size()), device.most = rings.mostNeighbours();
  const std::size_t n = mesh.vertex.size(), most = static_cast<std::size_t>(device.most);
  std::vector<i32> around(n), ring(n * most, 0), beyond(n * most, 0);
  std::vector<Rest<Real>> rest(n * most);
  const auto at = [&](int v) -> const Point& { return mesh.vertex[static_cast<std::size_t>(v)]; };
  for (std::size_t v = 0; v < n; ++v) {
    const auto& near = rings.ring[v];
    around[v] = static_cast<i32>(near.size());
    for (std::size_t k = 0; k < near.size(); ++k) {
      const int here = near[k], next = near[(k + 1) % near.size()], before = near[(k + near.size() - 1) % near.size()];
      const int far = rings.beyond[v][k], self = static_cast<int>(v);
      ring[v * most + k] = here, beyond[v * most + k] = far;
      RestAngle edge = sphereAngle(device.vertices), across = edge;
      if (mechanics.angles == 1) edge = across = {1.0, 0.0};
      if (mechanics.angles == 2) {
        edge = meshAngle(at(self), at(here), at(next), at(before));
        across = meshAngle(at(here), at(next), at(self), at(far));
      }
      rest[v * most + k] = {Real(norm(at(here) - at(self))),
                            Real(0.5 * norm(cross(at(here) - at(self), at(next) - at(self)))),
                            Real(edge.cosine),
                            Real(edge.sine),
                            Real(across.cosine),
                            Real(across.sine)};
    }
  }
  device.rest = toDevice<Rest<Real>>("membrane at rest", rest);
  device.around = toDevice<i32>("neighbours of vertices", around);
  device.ring = toDevice<i32>("rings of vertices", ring), device.beyond = toDevice<i32>("beyond rings", beyond);
  return device;
}

// Of each vertex, of `force` on each end along an axis, shared by so many outermost vertices.
inline std::vector<double> stretchingPull(const Surface& mesh, const StretchKeys& keys, double force) {
  const std::size_t n = mesh.vertex.size(), axis = static_cast<std::size_t>(keys.axis);
  const auto each =
      std::max<std::size_t>(1, static_cast<std::size_t>(std::lround(keys.fraction * static_cast<double>(n))));
  std::vector<std::size_t> order(n);
  for (std::size_t v = 0; v < n; ++v) order[v] = v;
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return mesh.vertex[a][axis] < mesh.vertex[b][axis]; });
  std::vector<double> pull(n, 0.0);
  for (std::size_t k = 0; k < each; ++k) {
    pull[order[k]] -= force / static_cast<double>(each);
    pull[order[n - 1 - k]] += force / static_cast<double>(each);
  }
  return pull;
}

}  // namespace mesowarp::membrane
