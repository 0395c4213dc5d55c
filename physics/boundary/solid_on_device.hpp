// The solid of a deck's walls in a device's memory.
#pragma once

#include <vector>

#include "device/host_copy.hpp"
#include "physics/boundary/deck/solid_text.hpp"

namespace mesowarp::boundary {

class SolidOnDevice {
public:
  explicit SolidOnDevice(const SolidParts& parts)
      : operations_(toDevice<SolidOperation>("solid", parts.operations)),
        motions_(toDevice<WallMotion>("wall motions", parts.motions)), tick_{parts.tick[0], parts.tick[1],
                                                                             parts.tick[2]} {
    // All grids' values in one array, and the grids as kernels see them.
    std::vector<float> all;
    for (const auto& values : parts.values) all.insert(all.end(), values.begin(), values.end());
    values_ = toDevice<float>("wall distances", all);
    std::vector<DistanceGrid> grids = parts.grids;
    std::size_t first = 0;
    for (std::size_t g = 0; g < grids.size(); ++g) {
      grids[g].value = values_.data() + first;
      first += parts.values[g].size();
    }
    grids_ = toDevice<DistanceGrid>("wall grids", grids);
  }

  // For kernels, while this is there.
  Solid view() const {
    return {operations_.data(),
            static_cast<int>(operations_.extent(0)),
            grids_.data(),
            motions_.data(),
            {tick_[0], tick_[1], tick_[2]}};
  }
  std::size_t bytes() const { return values_.extent(0) * sizeof(float); }

private:
  DeviceArray<SolidOperation> operations_;
  DeviceArray<WallMotion> motions_;
  DeviceArray<DistanceGrid> grids_;
  DeviceArray<float> values_;
  double tick_[3];
};

}  // namespace mesowarp::boundary
