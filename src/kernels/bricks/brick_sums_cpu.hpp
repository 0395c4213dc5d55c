// A CPU's pass adds to the cells' sums in memory.
#pragma once

#include "device/memory/zeroed.hpp"
#include "kernels/bricks/brick_grid.hpp"
#include "kernels/bricks/plain_sums.hpp"

namespace mesowarp::backend {

template <class Words>
class SumsInMemory {
public:
  SumsInMemory() = default;
  SumsInMemory(const BrickGrid& grid, bool /*others*/)
      : sums_(zeroedArray<u64>("cell sums", static_cast<std::size_t>(grid.cellsInAll()) * Words::sums)) {}

  u64* data() const { return sums_.data(); }
  PlainSums<Words::sums> view() const { return {sums_.data()}; }
  std::size_t bytes() const { return sums_.extent(0) * sizeof(u64); }

private:
  DeviceArray<u64> sums_;
};

}  // namespace mesowarp::backend
