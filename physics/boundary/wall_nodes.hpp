// How tables of walls are laid out (wall_layer.hpp).
#pragma once

namespace mesowarp::boundary {

struct WallNodes {
  static constexpr int ofCutoff = 64;         // intervals of the largest cutoff
  static constexpr double reach = 1.5;        // how far a table goes, and the drag G_0 of a wall, in cutoffs
  static constexpr int count = 96, rows = 3;  // intervals of the reach; N_0, N_1, G
  static_assert(count == ofCutoff * reach);
};

}  // namespace mesowarp::boundary
