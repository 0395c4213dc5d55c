#include "physics/membrane/mesh/rings.hpp"

#include <algorithm>
#include <map>

namespace mesowarp::membrane {

int Rings::mostNeighbours() const {
  std::size_t most = 0;
  for (const auto& of : ring) most = std::max(most, of.size());
  return static_cast<int>(most);
}

Rings ringsOf(const Surface& surface) {
  std::map<std::pair<int, int>, int> third;  // of the triangle on the left of a directed edge
  for (const auto& t : surface.triangle)
    for (std::size_t c = 0; c < 3; ++c) third[{t[c], t[(c + 1) % 3]}] = t[(c + 2) % 3];
  Rings rings;
  rings.ring.resize(surface.vertex.size()), rings.beyond.resize(surface.vertex.size());
  for (std::size_t v = 0; v < surface.vertex.size(); ++v) {
    const int self = static_cast<int>(v), first = third.lower_bound({self, -1})->first.second;
    int at = first;
    do {
      const int next = third.at({self, at});
      rings.ring[v].push_back(at);
      rings.beyond[v].push_back(third.at({next, at}));
      at = next;
    } while (at != first);
  }
  return rings;
}

std::vector<std::array<int, 2>> edgesOf(const Rings& rings) {
  std::vector<std::array<int, 2>> edges;
  for (std::size_t v = 0; v < rings.ring.size(); ++v)
    for (const int other : rings.ring[v])
      if (static_cast<int>(v) < other) edges.push_back({static_cast<int>(v), other});
  return edges;
}

}  // namespace mesowarp::membrane
