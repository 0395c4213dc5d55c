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

  // Walls move otherwise from now on, as a deck says that differs in nothing else.
  void follow(const input::Deck& deck) {
    const auto host = hostCopy(motions_);
    for (std::size_t w = 0; w < deck.walls.size(); ++w)
      for (std::size_t a = 0; a < 3; ++a)
        host(w).velocity[a] = deck.walls[w].velocity[a], host(w).spin[a] = deck.walls[w].spin[a], host(w).moves = 1;
    copyToDevice(motions_.data(), host.data(), host.extent(0) * sizeof(WallMotion));
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
