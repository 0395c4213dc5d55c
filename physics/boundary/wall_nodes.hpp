// How tables of walls are laid out (wall_layer.hpp).
#pragma once

namespace mesowarp::boundary {

struct WallNodes {
  static constexpr int count = 64, rows = 3;  // intervals of the reach; N_0, N_1, G
};

}  // namespace mesowarp::boundary
