// Kernels of a rebuild: box crossings, sort keys, the positions a neighbour list is built from. One kernel makes the
// keys and hands them to the sort; one then moves all fields, keeps the positions at this build and, unless the sort
// has done so, marks where cells begin.
#pragma once

#include "grid/cells.hpp"
#include "grid/leavers.hpp"
#include "kernels/pairs/particle_blocks.hpp"
#include "kernels/pairs/step_context.hpp"
#include "kernels/sort/sort_order.hpp"
#include "state/particles.hpp"
#include "state/tag_lookup.hpp"

namespace mesowarp {

// Few particles cross: of all others the image is neither read nor written.
template <class Coord>
KOKKOS_INLINE_FUNCTION void addCrossings(u64& image, const Vec3<Coord>& from, const PairPosition<Coord>& to) {
  const Vec3<i32> crossed{crossings(from.x, to.x), crossings(from.y, to.y), crossings(from.z, to.z)};
  if ((crossed.x | crossed.y | crossed.z) == 0) return;
  const Vec3<i32> n = unpackImage(image);
  image = packImage({n.x + crossed.x, n.y + crossed.y, n.z + crossed.z});
}

// Counts box crossings since the last build and makes the sort keys of the present positions; those of particles that
// have left the domain sort behind all others. The first thread also settles whether the last list was used for too
// long.
template <class Coord>
struct KeysAndImages {
  DeviceArray<PairPosition<Coord>> position;
  DeviceArray<Vec3<Coord>> built;
  DeviceArray<u64> image;
  CellIndexer indexer;
  DomainBounds domain;
  u32 keyOutside;
  backend::SortInput sort;
  int countBelow;  // crossings are counted of the particles below this number
  Kokkos::View<i64, backend::SharedSpace> moved;
  Kokkos::View<int, backend::SharedSpace> dangerous;
  Kokkos::View<i64, Memory> staleFrom;
  bool movedIsDangerous;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    if (i == 0) {
      if (movedIsDangerous && moved() != 0) dangerous() += 1;
      moved() = 0;
      staleFrom() = StepGuard::never;
    }
    const auto p = position(i);
    if (i < countBelow) addCrossings(image(i), built(i), p);
    const u32 x = leading32(p.x), y = leading32(p.y), z = leading32(p.z);
    sort(i, domain.way(x, y, z) == direction::here ? indexer.key(x, y, z) : keyOutside);
  }
};

// Finds the particles that have left the domain since the last build; counts their box crossings, since `built` does
// not travel.
template <class Coord>
struct FindLeavers {
  DeviceArray<PairPosition<Coord>> position;
  DeviceArray<Vec3<Coord>> built;
  DeviceArray<u64> image;
  DomainBounds domain;
  bool countCrossings;
  Leavers leavers;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    const auto p = position(i);
    const int way = domain.way(leading32(p.x), leading32(p.y), leading32(p.z));
    if (way == direction::here) return;
    if (countCrossings) addCrossings(image(i), built(i), p);
    leavers.add(i, way);
  }
};

// Of ghosts, which arrive with the positions of this build.
template <class Coord>
struct KeepBuilt {
  DeviceArray<PairPosition<Coord>> position;
  DeviceArray<Vec3<Coord>> built;
  int first;
  KOKKOS_INLINE_FUNCTION void operator()(int k) const {
    const auto p = position(first + k);
    built(first + k) = {p.x, p.y, p.z};
  }
};

// Blocks of particles with one in a cell at the border get a 1; a thread a border cell.
struct FlagBorderBlocks {
  DeviceArray<int> borderCells, start;
  DeviceArray<int> flags;  // zero; of each block, and behind them how many are set
  int blockSize, blocks;
  KOKKOS_INLINE_FUNCTION void operator()(int k) const {
    const int cell = borderCells(k), first = start(cell), last = start(cell + 1);
    if (first == last) return;
    for (int block = first / blockSize; block <= (last - 1) / blockSize; ++block)
      if (flags(block) == 0 && Kokkos::atomic_exchange(&flags(block), 1) == 0) Kokkos::atomic_add(&flags(blocks), 1);
  }
};

// Numbers of the blocks: those at the border, then the others, both in ascending order: a core that goes through them
// backwards waits for memory.
struct ListBlocks {
  DeviceArray<int> flags, list;
  int blocks;
  Kokkos::View<int, backend::SharedSpace> atBorder;
  KOKKOS_INLINE_FUNCTION void operator()(int b, int& before, bool final) const {
    const int flag = flags(b);
    if (final) list(flag != 0 ? before : flags(blocks) + b - before) = b;
    before += flag;
    if (final && b == blocks - 1) atBorder() = before;
  }
};

// Moves every particle to its place, keeps its key and its position at this build, and marks where cells begin, unless
// the sort has done so. Those that have left the domain are left out: they are forgotten, and all that have left at
// once are one cell, too many to rank. Runs for particles + 1 indices.
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
    if (i == boundaries.particles || isOutside(order.keys(i))) return;
    const auto place = order(i);
    const auto p = position(place.source);
    moves(place.target, place.source);
    keys(place.target) = place.key;
    built(place.target) = {p.x, p.y, p.z};
  }

private:
  KOKKOS_INLINE_FUNCTION bool isOutside(u32 key) const { return static_cast<int>(key >> 6) == boundaries.cells; }
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

template <class Coord>
struct LookForPartners {
  DeviceArray<u32> partner;  // tags, of each particle `width`; noBond: an empty slot
  int width;
  AskForPartner<Coord> ask;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    if (!ask.of(i)) return;
    for (int k = 0; k < width; ++k) {
      const u32 tag = partner(static_cast<std::size_t>(i) * width + k);
      if (tag != noBond) ask(i, tag);
    }
  }
};

struct IndexTags {
  DeviceArray<u32> tag;
  DeviceArray<int> indexOfTag;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const { indexOfTag(tag(i)) = i; }
};

// A state read from a checkpoint: counts the particles whose key is below the one before, or that are out of the
// domain.
template <class Coord>
struct CountStrays {
  DeviceArray<Vec3<Coord>> built;
  DomainBounds domain;
  DeviceArray<u32> keys;
  KOKKOS_INLINE_FUNCTION void operator()(int i, int& strays) const {
    const Vec3<Coord> b = built(i);
    const bool here = domain.way(leading32(b.x), leading32(b.y), leading32(b.z)) == direction::here;
    if (!here || (i > 0 && keys(i) >> 6 < keys(i - 1) >> 6)) ++strays;
  }
};

template <class Coord>
struct PositionsAtBuild {
  DeviceArray<PairPosition<Coord>> position;
  DeviceArray<Vec3<Coord>> built;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    position(i).x = built(i).x, position(i).y = built(i).y, position(i).z = built(i).z;
  }
};

template <class Coord>
struct CountCrossings {
  DeviceArray<PairPosition<Coord>> position;
  DeviceArray<Vec3<Coord>> built;
  DeviceArray<u64> image;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const { addCrossings(image(i), built(i), position(i)); }
};

}  // namespace mesowarp
