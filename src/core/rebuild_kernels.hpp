// Kernels of a rebuild: box crossings, sort keys, the positions a neighbour list is built from.
#pragma once

#include "backend/sort_order.hpp"
#include "core/cells.hpp"
#include "core/particles.hpp"
#include "core/step_context.hpp"

namespace mesowarp {

template <class Coord>
KOKKOS_INLINE_FUNCTION u32 leading32(Coord c) {
  return static_cast<u32>(c >> (8 * sizeof(Coord) - 32));
}

// Counts box crossings since the last build and makes the sort keys of the present positions. The first thread also
// settles whether the last list was used for too long.
template <class Coord>
struct KeysAndImages {
  DeviceArray<PairPosition<Coord>> position;
  DeviceArray<Vec3<Coord>> built;
  DeviceArray<i32> image;
  CellIndexer indexer;
  backend::SortInput sort;
  bool countCrossings;
  Kokkos::View<int, backend::SharedSpace> moved, dangerous;
  bool movedIsDangerous;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    if (i == 0) {
      if (movedIsDangerous && moved() != 0) dangerous() += 1;
      moved() = 0;
    }
    const auto p = position(i);
    if (countCrossings) {
      const Vec3<Coord> b = built(i);
      Vec3<i32> n = unpackImage(image(i));
      n.x += crossings(b.x, p.x), n.y += crossings(b.y, p.y), n.z += crossings(b.z, p.z);
      image(i) = packImage(n);
    }
    sort(i, indexer.key(leading32(p.x), leading32(p.y), leading32(p.z)));
  }
};

// Moves every particle to its place, keeps its key and its position at this build, and marks where cells begin, unless the
// sort has done so. Runs for particles + 1 indices.
template <class Coord>
struct Reorder {
  backend::SortedOrder order;
  DeviceArray<u32> keys;
  FieldMoves moves;
  DeviceArray<PairPosition<Coord>> position;  // before the reordering
  DeviceArray<Vec3<Coord>> built;
  MarkBoundaries boundaries;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    if (!order.ranked) boundaries(i);
    if (i == boundaries.particles) return;
    const auto place = order(i);
    const auto p = position(place.source);
    moves(place.target, place.source);
    keys(place.target) = place.key;
    built(place.target) = {p.x, p.y, p.z};
  }
};

// The part of a reordering that is left for fields with one buffer.
struct CopyBack {
  FieldMoves copies;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const { copies(i, i); }
};

// Sort keys alone. Position: anything with the coordinates x, y, z.
template <class Position>
struct KeysOf {
  DeviceArray<Position> position;
  CellIndexer indexer;
  DeviceArray<u32> keys;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    const auto p = position(i);
    keys(i) = indexer.key(leading32(p.x), leading32(p.y), leading32(p.z));
  }
};

struct IndexTags {
  DeviceArray<u32> tag;
  DeviceArray<int> indexOfTag;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const { indexOfTag(tag(i)) = i; }
};

}  // namespace mesowarp
