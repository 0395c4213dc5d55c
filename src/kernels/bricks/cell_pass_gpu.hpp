// Once through all cells on a GPU: a block of threads for each brick, which has the cells that lie where the first
// places of its window are. What windows have of them is added up in shared memory: its own window's places, and the
// last two of the windows before it along each axis. So all loads of a thread are independent, and in whole lines; a
// thread for each cell, which reads from up to eight windows one after the other, took 0.07 to 0.12 ms for a million
// cells (perf/log/mpcd.md). What bounds it then is issuing instructions, so of most bricks a table says which place of
// which window is added to which cell.
//
// What only looks at cells runs beside the pass over particles, which has nearly all registers: its blocks begin where
// one of the pass has ended, and the next one of the pass waits for them. So they are small, 64 threads for a quarter
// of a brick: eight fit into that place, where of 256 threads for a brick there was one or two.
#pragma once

#include "device/launch/flags_gpu.hpp"
#include "device/launch_gpu.hpp"
#include "kernels/bricks/brick_sums_gpu.hpp"
#include "kernels/bricks/own_cells.hpp"
#include "kernels/bricks/window_words_gpu.hpp"

namespace mesowarp::backend {

// n / d for n d < 2^16.
struct SmallQuotient {
  u32 factor;
  KOKKOS_INLINE_FUNCTION explicit SmallQuotient(int d) : factor(65536u / static_cast<u32>(d) + 1u) {}
  KOKKOS_FORCEINLINE_FUNCTION int of(int n) const { return static_cast<int>(static_cast<u32>(n) * factor >> 16); }
};

// Whether what a pass has added is still there behind it. Windows are: the next pass overwrites them. Who only looks
// says which cells it has no need of: body.none(), InnerCells.
enum class CellSums { taken, stay };

// Signals: AwaitFlags, of a kernel that takes the sums; RaiseFlags, of one behind which they stay.
template <class Words, class Join, class Body, CellSums behind = CellSums::taken>
struct CellPass {
  static constexpr bool awaits = behind == CellSums::taken;
  using Signals = std::conditional_t<awaits, AwaitFlags, RaiseFlags>;
  static constexpr int words = Words::words, sums = Words::sums;
  static constexpr int parts = awaits ? 1 : CellParts::partsOfBrick;  // a block for each
  static constexpr int threads = 256 / parts;
  static constexpr bool few = words <= 12;              // words, so many threads, each with registers for some places
  static constexpr int blocks = (few ? 4 : 2) * parts;  // on a multiprocessor
  static constexpr int atOnce = words < 12 ? 4 : few ? 2 : 1;  // places of a thread
  BrickGrid grid;
  GridShift shift;
  WindowStore store;
  u64* sum;
  Join join;
  Body body;
  const int* bricks;  // null: all, in their order; where bricks have parts, number `parts` times brick + part
  BrickFill fill;
  Signals signals{};

  static std::size_t sharedBytes(const BrickGrid& grid) {
    int cells = 1;
    for (int axis = 0; axis < 3; ++axis) {
      const int most = grid.edge[axis] + (grid.span[axis] == grid.cells[axis] ? 0 : windowMargin);
      cells *= axis < 2 ? most : (most + parts - 1) / parts;
    }
    return static_cast<std::size_t>(cells * words + windowsOfCell) * sizeof(u32);
  }

  __device__ void operator()(char* shared) const {
    u32* const total = reinterpret_cast<u32*>(shared);
    const int number = bricks == nullptr ? blockIdx.x : bricks[blockIdx.x], brick = number / parts,
              plane = grid.bricks[0] * grid.bricks[1];
    const int at[3] = {brick % grid.bricks[0], brick % plane / grid.bricks[0], brick / plane};
    const OwnCells x(grid, 0, at[0], shift), y(grid, 1, at[1], shift),
        z = OwnCells(grid, 2, at[2], shift).part(number % parts, parts);
    const int cells = x.own * y.own * z.own, places = x.places * y.places * z.places;
    const bool full = parts == 1 && isFull(0, x) && isFull(1, y) && isFull(2, z);
    const PathOf unlisted{*this, x, y, z};
    const auto pathOf = [&](int k) { return k >= places ? none : full ? store.path[k] : unlisted(k); };
    u32 path[atOnce];
    for (int q = 0; q < atOnce; ++q) path[q] = pathOf(threadIdx.x + q * threads);
    u32* const windows = total + cells * words;
    if (threadIdx.x < windowsOfCell) {
      const int c = threadIdx.x & 4 ? z.before : at[2], b = threadIdx.x & 2 ? y.before : at[1],
                a = threadIdx.x & 1 ? x.before : at[0];
      const bool is = a >= 0 && b >= 0 && c >= 0;
      const int window = is ? (c * grid.bricks[1] + b) * grid.bricks[0] + a : 0;
      windows[threadIdx.x] = is && !fill.empty(grid, window) ? static_cast<u32>(window) : none;
    }
    __syncthreads();
    bool any = false;
    for (int w = 0; w < windowsOfCell; ++w) any = any || windows[w] != none;
    if (any)
      for (int k = threadIdx.x; k < cells * words; k += threads) total[k] = 0;
    __syncthreads();
    cudaGridDependencySynchronize();
    bool waits = false;  // until the flags are raised a kernel that packs may read what the next pass overwrites
    if constexpr (awaits) waits = mustAwait(signals);
    if (!waits) cudaTriggerProgrammaticLaunchCompletion();
    if (any) addUp(places, cells, total, windows, path, pathOf);
    if constexpr (awaits)
      if (waits) awaitAll(signals);
    __syncthreads();
    if (waits) cudaTriggerProgrammaticLaunchCompletion();
    if constexpr (awaits) reportToHost(signals);
    const SmallQuotient byRow(x.own), byRows(y.own);
    const bool within = isWithin(0, x) && isWithin(1, y) && isWithin(2, z);
    const auto cellOf = [&](int k) {
      if (k >= cells) return CellAt{-1, {}};
      const int line = byRow.of(k), level = byRows.of(line);
      const int in[3] = {x.first + k - line * x.own, y.first + line - level * y.own, z.first + level};
      if (within && behind == CellSums::taken) return CellAt{grid.index(in), {in[0], in[1], in[2]}};
      return isWanted(in[0], in[1], in[2]) ? placed(in[0], in[1], in[2]) : CellAt{-1, {}};
    };
    CellAt next = cellOf(threadIdx.x);
    u32 strays = straysAt(next);  // looked up one cell ahead
    for (int k = threadIdx.x; k < cells; k += threads) {
      const CellAt cell = next;
      const bool strayed = cell >= 0 && (strays >> cell % 32 & 1) != 0;
      next = cellOf(k + threads), strays = straysAt(next);
      if (cell < 0) continue;
      u32 word[words] = {};
      if (any)
#pragma unroll
        for (int w = 0; w < words; ++w) word[w] = total[w * cells + k];
      u64 own[sums];
      join(word, own);
      if (strayed) addStrays(cell, own);
      body(cell, own);
    }
    if constexpr (!awaits) raiseAsBlockEnds(signals);
  }

private:
  static constexpr int windowsOfCell = 8;  // at most: a brick's own, and those before it along some axes
  static constexpr u32 none = ~0u;
  // All of an axis, and the brick before it, too.
  __device__ bool isFull(int axis, const OwnCells& along) const {
    const int edge = grid.edge[axis];
    return along.own == edge && along.places == edge + windowMargin && along.beforeWidth == edge;
  }
  // Not beyond an end of the span.
  __device__ bool isWithin(int axis, const OwnCells& along) const {
    return along.first >= 0 && along.first + along.own <= grid.span[axis];
  }
  // Of place k of those that a brick's cells have; none: nobody asks for its cell.
  struct PathOf {
    const CellPass& pass;
    const OwnCells &x, &y, &z;
    SmallQuotient byRow{x.places}, byRows{y.places};
    __device__ u32 operator()(int k) const {
      const int line = byRow.of(k), c = byRows.of(line), b = line - c * y.places, a = k - line * x.places;
      if (!pass.isWanted(x.first + x.cellOf(a), y.first + y.cellOf(b), z.first + z.cellOf(c))) return none;
      return PlacePath::of(pass.grid, x, y, z, a, b, c);
    }
  };
  // path: of the thread's first places; those of the next ones are looked up while these are loaded.
  template <class Path>
  __device__ void addUp(int places, int cells, u32* total, const u32* windows, u32 (&path)[atOnce],
                        const Path& pathOf) const {
    const int pitch = grid.windowCells();
    for (int first = threadIdx.x; first < places; first += threads * atOnce) {
      u32 word[atOnce][words];
      int to[atOnce];
#pragma unroll
      for (int q = 0; q < atOnce; ++q) {
        to[q] = -1;
        if (path[q] == none) continue;
        const u32 window = windows[PlacePath::window(path[q])];
        if (window == none) continue;
        const u32* const from = store.windows + (static_cast<std::size_t>(window) * static_cast<u32>(store.stride) +
                                                 PlacePath::place(path[q]));
#pragma unroll
        for (int w = 0; w < words; ++w) word[q][w] = from[w * pitch];
        to[q] = PlacePath::cell(path[q]);
      }
#pragma unroll
      for (int q = 0; q < atOnce; ++q) path[q] = pathOf(first + (atOnce + q) * threads);
#pragma unroll
      for (int q = 0; q < atOnce; ++q) {
        if (to[q] < 0) continue;
        addWords<Words>(total + to[q], cells, word[q]);
      }
    }
  }
  // Number -1: this rank does not have it.
  __device__ CellAt placed(int x, int y, int z) const {
    const int in[3] = {wrapped(0, x), wrapped(1, y), wrapped(2, z)};
    return {grid.has(in) ? grid.index(in) : -1, {in[0], in[1], in[2]}};
  }
  __device__ int wrapped(int axis, int cell) const { return cell < 0 ? cell + grid.cells[axis] : cell; }
  __device__ bool isWanted(int x, int y, int z) const {
    if constexpr (behind == CellSums::stay) return !body.none().has({wrapped(0, x), wrapped(1, y), wrapped(2, z)});
    return true;
  }
  // Bits of the cells around it; all, where nobody knows.
  __device__ u32 straysAt(int cell) const {
    return cell < 0 ? 0 : store.strayed == nullptr ? ~0u : store.strayed[cell / 32];
  }
  // Taken off again rather than overwritten: stores to lines that atomics have changed are slow, additions are not.
  __device__ void addStrays(int cell, u64 (&own)[sums]) const {
    u64* const from = sum + static_cast<std::size_t>(cell) * sums;
    u64 added[sums];
#pragma unroll
    for (int k = 0; k < sums; ++k) added[k] = from[k];
#pragma unroll
    for (int k = 0; k < sums; ++k) {
      own[k] += added[k];
      if (behind == CellSums::taken && added[k] != 0)
        atomicAdd(reinterpret_cast<unsigned long long*>(from + k), 0ull - added[k]);
    }
    if (behind == CellSums::taken && store.strayed != nullptr) atomicAnd(store.strayed + cell / 32, ~(1u << cell % 32));
  }
};

template <class Words, class Join, class Body>
void runCellPass(const char* label, const BrickGrid& grid, const GridShift& shift, const WindowedSums<Words>& sums,
                 const Join& join, const Body& body, const CellParts& parts, CellPart part, const BrickFill& fill,
                 const AwaitFlags& signals = {}) {
  using Pass = CellPass<Words, Join, Body>;
  const bool all = part == CellPart::all;
  const auto& bricks = all && signals.number == 0 ? parts.borderFirst() : parts.bricks(part);
  launchEarly<Pass::threads, Pass::blocks>(
      label, all ? grid.bricksInAll() : parts.number(part), Pass::threads, Pass::sharedBytes(grid),
      Pass{grid, shift, sums.store(), sums.data(), join, body, bricks.data(), fill, signals});
}

}  // namespace mesowarp::backend
