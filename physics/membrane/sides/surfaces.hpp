// The membranes of all populations as the bounce reads them: which tags are vertices, and of which triangles.
#pragma once

#include <vector>

#include "device/host_copy.hpp"
#include "physics/membrane/deck/membrane_deck.hpp"
#include "physics/membrane/mesh/rings.hpp"
#include "physics/membrane/sides/wound_cells.hpp"

namespace mesowarp::membrane {

// Vertices of a population: vertex v of cell c has the tag first + c vertices + v.
struct VertexSpan {
  u32 first = 0, count = 0, vertices = 1;
  i32 keeps = 0;                       // 1: two fluids apart; 0: it lets all through
  u32 inside = 0;                      // species
  i32 around = 0, ring = 0, most = 0;  // where its mesh begins in Surfaces::around and ::ring; neighbours of a vertex
};

struct Surfaces {
  DeviceArray<VertexSpan> span;
  DeviceArray<i32> around, ring;  // of one mesh behind the other, as MeshOnDevice has them
  int spans = 0;

  // Of which membrane a tag is a vertex; -1: of none.
  KOKKOS_INLINE_FUNCTION int spanOf(u32 tag) const {
    for (int s = 0; s < spans; ++s)
      if (tag - span(s).first < span(s).count) return s;
    return -1;
  }
};

inline Surfaces surfacesOf(const input::Deck& deck) {
  std::vector<VertexSpan> spans;
  std::vector<i32> around, ring;
  const auto sides = twoSidesOf(deck);
  for (const auto& [cells, firstTag] : membranePopulations(deck)) {
    const auto mesh = meshOf(cellsOf(*cells));
    VertexSpan span;
    span.first = firstTag, span.vertices = static_cast<u32>(mesh->vertex.size());
    span.count = static_cast<u32>(cellCount(*cells, deck.box)) * span.vertices;
    for (const TwoSides& one : sides)
      if (one.cells == cells) span.keeps = 1, span.inside = one.inside;
    const Rings rings = ringsOf(*mesh);
    span.around = static_cast<i32>(around.size()), span.ring = static_cast<i32>(ring.size());
    span.most = rings.mostNeighbours();
    for (const auto& others : rings.ring) {
      around.push_back(static_cast<i32>(others.size()));
      const std::size_t end = ring.size() + static_cast<std::size_t>(span.most);
      ring.insert(ring.end(), others.begin(), others.end());
      ring.resize(end, 0);
    }
    spans.push_back(span);
  }
  Surfaces surfaces;
  surfaces.span = toDevice<VertexSpan>("membranes", spans), surfaces.spans = static_cast<int>(spans.size());
  surfaces.around = toDevice<i32>("neighbours of vertices", around);
  surfaces.ring = toDevice<i32>("rings of vertices", ring);
  return surfaces;
}

}  // namespace mesowarp::membrane
