#include "physics/membrane/mesh/surface.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <map>

namespace mesowarp::membrane {
namespace {

Point normal(const Surface& s, const std::array<int, 3>& t) {
  const Point& a = s.vertex[static_cast<std::size_t>(t[0])];
  return cross(s.vertex[static_cast<std::size_t>(t[1])] - a, s.vertex[static_cast<std::size_t>(t[2])] - a);
}

template <class Visit>
void forEdges(const Surface& s, const Visit& visit) {
  for (std::size_t t = 0; t < s.triangle.size(); ++t)
    for (std::size_t c = 0; c < 3; ++c) visit(t, s.triangle[t][c], s.triangle[t][(c + 1) % 3]);
}

std::string badTriangle(const Surface& s) {
  const double usual = areaOf(s) / static_cast<double>(s.triangle.size());
  for (std::size_t t = 0; t < s.triangle.size(); ++t) {
    const auto& [a, b, c] = s.triangle[t];
    for (const int v : {a, b, c})
      if (v < 0 || static_cast<std::size_t>(v) >= s.vertex.size())
        return fmt::format("triangle {} has vertex {}, and there are {}", t, v, s.vertex.size());
    if (a == b || b == c || c == a) return fmt::format("triangle {} is degenerate: it has a corner twice", t);
    if (!(areaOf(s, t) > 1e-6 * usual)) return fmt::format("triangle {} is degenerate: it has no area", t);
  }
  return {};
}

// Edges as directed pairs: each once, and its reverse once.
std::string badEdge(const Surface& s) {
  std::map<std::pair<int, int>, std::size_t> of;
  std::string bad;
  forEdges(s, [&](std::size_t t, int a, int b) {
    const auto [it, isNew] = of.emplace(std::pair{a, b}, t);
    if (!isNew && bad.empty())
      bad = fmt::format("the edge of vertices {} and {} is of triangles {} and {} in the same direction: either more "
                        "than two triangles share it, or one of them is turned over",
                        a, b, it->second, t);
  });
  if (!bad.empty()) return bad;
  for (const auto& [edge, t] : of)
    if (!of.count({edge.second, edge.first}))
      return fmt::format("it is open: the edge of vertices {} and {} is of triangle {} alone", edge.first, edge.second,
                         t);
  return {};
}

// One fan of triangles at each vertex; one surface without handles: V - E + F = 2, and all is connected.
std::string badShape(const Surface& s) {
  std::map<std::pair<int, int>, int> following;  // (vertex, corner) -> the next corner round the vertex
  std::vector<int> degree(s.vertex.size(), 0), first(s.vertex.size(), -1);
  for (const auto& t : s.triangle)
    for (std::size_t c = 0; c < 3; ++c) {
      const int v = t[c];
      following[{v, t[(c + 1) % 3]}] = t[(c + 2) % 3];
      ++degree[static_cast<std::size_t>(v)], first[static_cast<std::size_t>(v)] = t[(c + 1) % 3];
    }
  std::vector<int> seen(s.vertex.size(), 0), todo{0};
  for (std::size_t v = 0; v < s.vertex.size(); ++v) {
    if (first[v] < 0) return fmt::format("vertex {} is of no triangle", v);
    int around = 1;
    for (int at = following.at({static_cast<int>(v), first[v]}); at != first[v] && around <= degree[v]; ++around)
      at = following.at({static_cast<int>(v), at});
    if (around != degree[v]) return fmt::format("two fans of triangles meet in vertex {} alone", v);
  }
  seen[0] = 1;
  std::size_t reached = 0;
  for (; reached < todo.size(); ++reached) {
    const int v = todo[reached];
    for (auto it = following.lower_bound({v, -1}); it != following.end() && it->first.first == v; ++it)
      if (!seen[static_cast<std::size_t>(it->first.second)]++) todo.push_back(it->first.second);
  }
  if (reached < s.vertex.size()) return "it consists of several surfaces: a cell has one";
  const auto characteristic = static_cast<long>(s.vertex.size()) - static_cast<long>(s.triangle.size() * 3 / 2) +
                              static_cast<long>(s.triangle.size());
  if (characteristic != 2)
    return fmt::format("it has handles ({}): a cell is a sphere in this respect", (2 - characteristic) / 2);
  return {};
}

}  // namespace

double areaOf(const Surface& s, std::size_t t) { return 0.5 * norm(normal(s, s.triangle[t])); }

double areaOf(const Surface& s) {
  double area = 0.0;
  for (std::size_t t = 0; t < s.triangle.size(); ++t) area += areaOf(s, t);
  return area;
}

double volumeOf(const Surface& s) {
  const Point centre = centreOf(s);
  double six = 0.0;
  for (const auto& t : s.triangle) six += dot(normal(s, t), s.vertex[static_cast<std::size_t>(t[0])] - centre);
  return six / 6.0;
}

Point centreOf(const Surface& s) {
  Point sum{};
  for (const Point& p : s.vertex) sum = sum + p;
  return (1.0 / static_cast<double>(s.vertex.size())) * sum;
}

double radiusOf(const Surface& s) {
  const Point centre = centreOf(s);
  double largest = 0.0;
  for (const Point& p : s.vertex) largest = std::max(largest, norm(p - centre));
  return largest;
}

double longestEdge(const Surface& s) {
  double largest = 0.0;
  forEdges(s, [&](std::size_t, int a, int b) {
    largest = std::max(largest, norm(s.vertex[static_cast<std::size_t>(a)] - s.vertex[static_cast<std::size_t>(b)]));
  });
  return largest;
}

std::string makeUsable(Surface& s) {
  if (s.vertex.size() < 4 || s.triangle.size() < 4)
    return fmt::format("{} vertices and {} triangles enclose nothing", s.vertex.size(), s.triangle.size());
  if (auto bad = badTriangle(s); !bad.empty()) return bad;
  if (auto bad = badEdge(s); !bad.empty()) return bad;
  if (auto bad = badShape(s); !bad.empty()) return bad;
  const double volume = volumeOf(s), area = areaOf(s);
  if (!(std::abs(volume) > 1e-6 * area * std::sqrt(area))) return "it encloses no volume";
  if (volume < 0.0)
    for (auto& t : s.triangle) std::swap(t[1], t[2]);
  return {};
}

}  // namespace mesowarp::membrane
