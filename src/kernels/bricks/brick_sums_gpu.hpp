// A GPU's pass leaves what each brick has added to its window as it is, window by window: 20 bytes for a place, written
// once in whole lines, where atomics to the sums in memory took a third of the pass's time (perf/log/mpcd.md). Only
// particles that have left their brick's window add to these, and bits say to which cells. Who makes a cell's record
// adds up its places in the windows that have it: two, in the mean (cell_pass_gpu.hpp).
#pragma once

#include "device/host_copy.hpp"
#include "device/memory/zeroed.hpp"
#include "kernels/bricks/own_cells.hpp"

namespace mesowarp::backend {

// What a pass writes to.
struct WindowStore {
  u32* windows = nullptr;
  u32* strayed = nullptr;
  int stride = 0;             // words of a window: word k of place p is number k * places + p
  const u32* path = nullptr;  // of the places of a full brick (own_cells.hpp)
};

template <class Words>
class WindowedSums {
public:
  WindowedSums() = default;
  // others: that others, too, add to data(), without a bit in WindowStore::strayed.
  WindowedSums(const BrickGrid& grid, bool others) {
    const std::size_t cells = static_cast<std::size_t>(grid.cellsInAll());
    sums_ = zeroedArray<u64>("cell sums", cells * Words::sums);
    stride_ = windowStride(grid.windowCells(), Words::words);
    windows_ = zeroedArray<u32>("windows of bricks", static_cast<std::size_t>(grid.bricksInAll()) * stride_);
    path_ = toDevice<u32>("paths of places", pathsOfFullBrick(grid));
    if (!others) strayed_ = zeroedArray<u32>("cells of strays", (cells + 31) / 32);
  }

  u64* data() const { return sums_.data(); }
  WindowStore store() const { return {windows_.data(), strayed_.data(), stride_, path_.data()}; }
  std::size_t bytes() const {
    return sums_.extent(0) * sizeof(u64) + (windows_.extent(0) + strayed_.extent(0) + path_.extent(0)) * sizeof(u32);
  }

private:
  DeviceArray<u64> sums_;
  DeviceArray<u32> windows_, strayed_, path_;
  int stride_ = 0;
};

}  // namespace mesowarp::backend
