// Kernels of a rebuild: box crossings, sort keys, the positions a neighbour list is built from.
#pragma once

#include "core/cells.hpp"
#include "core/particles.hpp"

namespace mesowarp {

template <class Coord>
KOKKOS_INLINE_FUNCTION u32 leading32(Coord c) {
  return static_cast<u32>(c >> (8 * sizeof(Coord) - 32));
}

// Counts box crossings since the last build and makes the sort keys of the present positions.
template <class Coord>
struct KeysAndImages {
  DeviceArray<PairPosition<Coord>> position;
  DeviceArray<Vec3<Coord>> built;
  DeviceArray<i32> image;
  CellIndexer indexer;
  DeviceArray<u32> keys;
  DeviceArray<int> order;
  bool countCrossings;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    const auto p = position(i);
    if (countCrossings) {
      const Vec3<Coord> b = built(i);
      Vec3<i32> n = unpackImage(image(i));
      n.x += crossings(b.x, p.x), n.y += crossings(b.y, p.y), n.z += crossings(b.z, p.z);
      image(i) = packImage(n);
    }
    keys(i) = indexer.key(leading32(p.x), leading32(p.y), leading32(p.z));
    order(i) = i;
  }
};

template <class Coord>
struct RememberBuilt {
  DeviceArray<PairPosition<Coord>> position;
  DeviceArray<Vec3<Coord>> built;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    const auto p = position(i);
    built(i) = {p.x, p.y, p.z};
  }
};

template <class Coord>
struct KeysOfBuilt {
  DeviceArray<Vec3<Coord>> built;
  CellIndexer indexer;
  DeviceArray<u32> keys;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    const auto p = built(i);
    keys(i) = indexer.key(leading32(p.x), leading32(p.y), leading32(p.z));
  }
};

struct IndexTags {
  DeviceArray<u32> tag;
  DeviceArray<int> indexOfTag;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const { indexOfTag(tag(i)) = i; }
};

}  // namespace mesowarp
