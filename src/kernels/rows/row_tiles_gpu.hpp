// Neighbour rows while warps build them, and what is done to them afterwards (DPD paper, section 3.3.2). 32 rows share
// a region, cut into tiles of 32 x 32 entries, one tile after the other. Within a tile a row's entries lie side by side
// (row-major), so that what a warp commits together fills whole lines. When all rows are there,
//   join:       skin entries, at the back of their row, last first, move up behind the core entries;
//   transpose:  each tile in place, through shared memory (Figure 8), so that neighbouring threads of a pair kernel
//               read neighbouring words.
// The paper keeps tiles inside a row-major matrix; contiguous ones cost the same and give a single stride, 32.
#pragma once

#include "kernels/rows/neighbor_table.hpp"

namespace mesowarp::backend {

struct RowTiles {
  static constexpr u32 edge = 32, tile = edge * edge;
  int* entries;
  int capacity;  // of a row, a multiple of 32

  static i64 regions(int particles) { return (static_cast<i64>(particles) + edge - 1) / edge; }

  // Before the transposition entry k of row i is row(i)[at(k)].
  KOKKOS_INLINE_FUNCTION int* row(u32 i) const {
    return entries + static_cast<i64>(i / edge) * (edge * capacity) + i % edge * edge;
  }
  KOKKOS_INLINE_FUNCTION static u32 at(u32 k) { return k + k / edge * (tile - edge); }
  // After it.
  KOKKOS_INLINE_FUNCTION RowPlace place(u32 i, int core, int size) const {
    return RowPlace::of(i / edge * static_cast<u32>(capacity), static_cast<int>(i % edge), edge, core, size);
  }
};

// Mirrors what follows the core entries: entry `core + s` and entry s from the back change places. Eight neighbouring
// threads per row; each exchange is one thread's alone, so none waits for another.
struct JoinCoreAndSkin {
  static constexpr int threads = 8;
  RowTiles tiles;
  DeviceArray<RowPlace> place;

  KOKKOS_INLINE_FUNCTION void operator()(int thread) const {
    const int i = thread / threads;
    const NeighborRow row = place(i).row();
    const int skin = row.size - row.core, last = tiles.capacity - 1;
    int* entry = tiles.row(i);
    for (int s = thread % threads; s < skin && row.core + s < last - s; s += threads) {
      int& front = entry[RowTiles::at(row.core + s)];
      int& back = entry[RowTiles::at(last - s)];
      const int moved = back;
      if (last - (row.core + s) < skin) back = front;  // else there is nothing in front
      front = moved;
    }
  }
};

// A team of eight warps for each tile. Tiles behind the longest of their rows are left alone.
struct TransposeTiles {
  static constexpr int threads = 256;
  static constexpr int width = static_cast<int>(RowTiles::edge) + 1;  // one more: columns in different banks
  using Policy = Kokkos::TeamPolicy<Execution, Kokkos::LaunchBounds<threads, 8>, LightWeight>;
  using Team = Policy::member_type;
  RowTiles tiles;
  DeviceArray<RowPlace> place;
  int particles;

  static constexpr std::size_t sharedBytes = sizeof(int) * RowTiles::edge * width;

  __device__ void operator()(const Team& team) const {
    constexpr int edge = RowTiles::edge;
    const int tilesOfRow = tiles.capacity / edge;
    const int region = team.league_rank() / tilesOfRow, column = team.league_rank() % tilesOfRow;
    const int lane = team.team_rank() % edge, warp = team.team_rank() / edge, i = region * edge + lane;
    const int size = i < particles ? place(i).row().size : 0;
    if (!__any_sync(0xFFFFFFFFu, size > column * edge)) return;  // every warp of the team sees the same
    int* shared = static_cast<int*>(team.team_scratch(0).get_shmem(std::size_t{sharedBytes}));
    int* entry = tiles.entries + static_cast<i64>(team.league_rank()) * RowTiles::tile;
    for (int r = warp; r < edge; r += threads / edge) shared[r * width + lane] = entry[r * edge + lane];
    team.team_barrier();
    for (int r = warp; r < edge; r += threads / edge) entry[r * edge + lane] = shared[lane * width + r];
  }
};

}  // namespace mesowarp::backend
