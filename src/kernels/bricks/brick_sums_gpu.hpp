// A GPU's pass leaves what each brick has added to its window as it is, window by window: 20 bytes for a place, written
// once in whole lines, where atomics to the sums in memory took a third of the pass's time (perf/log/mpcd.md). Only
// particles that have left their brick's window add to these, and bits say to which cells. Who makes a cell's record
// adds up its places in the windows that have it: two, in the mean (cell_pass_gpu.hpp).
#pragma once

#include "device/memory/zeroed.hpp"
#include "kernels/bricks/cell_covers.hpp"
#include "kernels/bricks/own_cells.hpp"

namespace mesowarp::backend {

// Word k of place p of window w: windows[w * stride + k * places + p].
template <class Words>
struct WindowSums {
  static constexpr int sums = Words::sums, words = Words::words;
  const u64* sum;
  const u32* windows;  // null: all is in sum
  const Cover* cover[3];
  Quotient byRow, byRows;  // cells along x; rows along y
  int row, rows, places;

  template <class Join>
  KOKKOS_INLINE_FUNCTION void read(const Join& join, int cell, u64 (&to)[sums]) const {
    for (int k = 0; k < sums; ++k) to[k] = 0;
    if constexpr (words > 0) {
      if (windows != nullptr) addUp(join, cell, to);
    }
    const u64* const from = sum + static_cast<std::size_t>(cell) * sums;
    for (int k = 0; k < sums; ++k) to[k] += from[k];
  }

private:
  // Words of all windows first: their fields have room for what a cell may hold in all.
  template <class Join>
  KOKKOS_INLINE_FUNCTION void addUp(const Join& join, int cell, u64 (&to)[sums]) const {
    const int line = byRow.of(cell), z = byRows.of(line);
    const Cover x = cover[0][cell - line * row], y = cover[1][line - z * rows], level = cover[2][z];
    u32 word[words] = {};
    for (int k = 0; k < 8; ++k) {
      const u32 a = k & 1 ? x.second : x.first, b = k & 2 ? y.second : y.first, c = k & 4 ? level.second : level.first;
      if (a == Cover::none || b == Cover::none || c == Cover::none) continue;
      const u32* const from = windows + (static_cast<std::size_t>(a) + b + c);
      for (int w = 0; w < words; ++w) word[w] += from[static_cast<std::size_t>(w) * static_cast<std::size_t>(places)];
    }
    join(word, to);
  }
};

// What a pass writes to.
struct WindowStore {
  u32* windows = nullptr;
  u32* strayed = nullptr;
  int stride = 0;             // words of a window
  const u32* path = nullptr;  // of the places of a full brick (own_cells.hpp)
};

template <class Words>
class WindowedSums {
public:
  WindowedSums() = default;
  // others: that others, too, add to data(), without a bit in WindowStore::strayed.
  WindowedSums(const BrickGrid& grid, bool others) : grid_(grid) {
    const std::size_t cells = static_cast<std::size_t>(grid.cellsInAll());
    sums_ = zeroedArray<u64>("cell sums", cells * Words::sums);
    if (!Words::windowed) return;
    stride_ = windowStride(grid.windowCells(), Words::words);
    windows_ = zeroedArray<u32>("windows of bricks", static_cast<std::size_t>(grid.bricksInAll()) * stride_);
    path_ = toDevice<u32>("paths of places", pathsOfFullBrick(grid));
    if (!others) strayed_ = zeroedArray<u32>("cells of strays", (cells + 31) / 32);
  }

  u64* data() const { return sums_.data(); }
  WindowStore store() const { return {windows_.data(), strayed_.data(), stride_, path_.data()}; }
  WindowSums<Words> view(const GridShift& shift) {
    WindowSums<Words> view{};
    view.sum = sums_.data(), view.windows = windows_.data();
    view.row = grid_.span[0], view.rows = grid_.span[1], view.places = grid_.windowCells();
    view.byRow = Quotient::by(view.row), view.byRows = Quotient::by(view.rows);
    if (view.windows == nullptr) return view;
    if (covers_.bytes() == 0) covers_ = CellCovers(grid_, stride_);
    for (int axis = 0; axis < 3; ++axis) view.cover[axis] = covers_.of(grid_, axis, shift);
    return view;
  }
  std::size_t bytes() const {
    return sums_.extent(0) * sizeof(u64) + (windows_.extent(0) + strayed_.extent(0) + path_.extent(0)) * sizeof(u32) +
           covers_.bytes();
  }

private:
  BrickGrid grid_;
  DeviceArray<u64> sums_;
  DeviceArray<u32> windows_, strayed_, path_;
  CellCovers covers_;
  int stride_ = 0;
};

}  // namespace mesowarp::backend
