#include "physics/boundary/deck/distance_grids.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/error.hpp"
#include "io/hdf5/hdf5.hpp"

namespace mesowarp::boundary {
namespace {

constexpr double mostNodes = 1073741824.0;

class Sampler {
public:
  Sampler(const std::vector<Triangle>& triangles, const input::BoxBlock& box, double spacing, double band)
      : triangles_(triangles), band_(band) {
    result_.nodes = nodesFor(box, spacing);
    double all = 1.0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const int nodes = result_.nodes[axis];
      all *= nodes;
      width_[axis] = box.size[axis] / (box.periodic[axis] ? nodes : nodes - 1);
      low_[axis] = 1e300, high_[axis] = -1e300;
      for (const auto& [corner] : triangles)
        for (const auto& c : corner)
          low_[axis] = std::min(low_[axis], c[axis]), high_[axis] = std::max(high_[axis], c[axis]);
      wraps_[axis] = box.periodic[axis] && high_[axis] - low_[axis] <= box.size[axis] * (1.0 - 1e-9);
    }
    if (all > mostNodes)
      throw InputError(fmt::format("its grid would have {:.3g} nodes, and {:.3g} are possible: set a larger spacing",
                                   all, mostNodes));
    result_.value.assign(static_cast<std::size_t>(all), static_cast<float>(band));
  }

  SampledDistance sample() {
    std::vector<bool> inside(result_.value.size(), false);
    fill(inside);
    for (const auto& triangle : triangles_) nearTo(triangle);
    for (std::size_t n = 0; n < inside.size(); ++n)
      if (inside[n]) result_.value[n] = -result_.value[n];
    return std::move(result_);
  }

private:
  // The node with these numbers, which may lie in another image; negative: it is not of the grid.
  long node(const std::array<int, 3>& at) const {
    std::array<long, 3> n{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const long count = result_.nodes[axis];
      n[axis] = wraps_[axis] ? ((at[axis] % count) + count) % count : at[axis];
      if (n[axis] < 0 || n[axis] >= count) return -1;
    }
    return (n[2] * result_.nodes[1] + n[1]) * result_.nodes[0] + n[0];
  }
  int firstNode(double x, std::size_t axis) const {
    const int n = static_cast<int>(std::ceil(x / width_[axis]));
    return wraps_[axis] ? n : std::max(n, 0);
  }
  int lastNode(double x, std::size_t axis) const {
    const int n = static_cast<int>(std::floor(x / width_[axis]));
    return wraps_[axis] ? n : std::min(n, result_.nodes[axis] - 1);
  }

  void nearTo(const Triangle& triangle) {
    std::array<int, 3> first{}, last{}, at{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const auto& c = triangle.corner;
      const auto [low, high] = std::minmax({c[0][axis], c[1][axis], c[2][axis]});
      first[axis] = firstNode(low - band_, axis), last[axis] = lastNode(high + band_, axis);
    }
    for (at[2] = first[2]; at[2] <= last[2]; ++at[2])
      for (at[1] = first[1]; at[1] <= last[1]; ++at[1])
        for (at[0] = first[0]; at[0] <= last[0]; ++at[0]) {
          const long n = node(at);
          if (n < 0) continue;
          float& value = result_.value[static_cast<std::size_t>(n)];
          value = std::min(value, static_cast<float>(
                                      distanceTo(triangle, {at[0] * width_[0], at[1] * width_[1], at[2] * width_[2]})));
        }
  }

  // Where lines along x enter and leave the surface, nodes between are inside. The lines pass a little beside the
  // nodes, and so not through edges.
  void fill(std::vector<bool>& inside) const {
    const double beside[2] = {1.37e-6 * width_[1], 2.71e-6 * width_[2]};
    const int firstY = firstNode(low_[1], 1), lastY = lastNode(high_[1], 1), firstZ = firstNode(low_[2], 2),
              lastZ = lastNode(high_[2], 2);
    if (lastY < firstY || lastZ < firstZ) return;
    const std::size_t rows = static_cast<std::size_t>(lastY - firstY + 1);
    std::vector<std::vector<double>> crossings(rows * static_cast<std::size_t>(lastZ - firstZ + 1));
    for (const auto& [c] : triangles_) {
      const auto [lowY, highY] = std::minmax({c[0][1], c[1][1], c[2][1]});
      const auto [lowZ, highZ] = std::minmax({c[0][2], c[1][2], c[2][2]});
      for (int z = std::max(firstZ, firstNode(lowZ, 2) - 1); z <= std::min(lastZ, lastNode(highZ, 2) + 1); ++z)
        for (int y = std::max(firstY, firstNode(lowY, 1) - 1); y <= std::min(lastY, lastNode(highY, 1) + 1); ++y) {
          const double py = y * width_[1] + beside[0], pz = z * width_[2] + beside[1];
          double weight[3];
          for (std::size_t k = 0; k < 3; ++k) {
            const auto &a = c[(k + 1) % 3], &b = c[(k + 2) % 3];
            weight[k] = (b[1] - a[1]) * (pz - a[2]) - (b[2] - a[2]) * (py - a[1]);
          }
          const bool left = weight[0] > 0.0 && weight[1] > 0.0 && weight[2] > 0.0,
                     right = weight[0] < 0.0 && weight[1] < 0.0 && weight[2] < 0.0;
          if (!left && !right) continue;
          const double sum = weight[0] + weight[1] + weight[2];
          crossings[static_cast<std::size_t>(z - firstZ) * rows + static_cast<std::size_t>(y - firstY)].push_back(
              (weight[0] * c[0][0] + weight[1] * c[1][0] + weight[2] * c[2][0]) / sum);
        }
    }
    for (int z = firstZ; z <= lastZ; ++z)
      for (int y = firstY; y <= lastY; ++y) {
        auto& line = crossings[static_cast<std::size_t>(z - firstZ) * rows + static_cast<std::size_t>(y - firstY)];
        std::sort(line.begin(), line.end());
        for (std::size_t k = 0; k + 1 < line.size(); k += 2)
          for (int x = firstNode(line[k], 0); x <= lastNode(line[k + 1], 0); ++x)
            if (const long n = node({x, y, z}); n >= 0) inside[static_cast<std::size_t>(n)] = true;
      }
  }

  const std::vector<Triangle>& triangles_;
  double band_;
  SampledDistance result_;
  std::array<double, 3> width_{}, low_{}, high_{};
  std::array<bool, 3> wraps_{};
};

}  // namespace

std::array<int, 3> nodesFor(const input::BoxBlock& box, double spacing) {
  std::array<int, 3> nodes{};
  for (std::size_t axis = 0; axis < 3; ++axis)
    nodes[axis] = std::max(4, static_cast<int>(std::ceil(box.size[axis] / spacing)) + (box.periodic[axis] ? 0 : 1));
  return nodes;
}

SampledDistance sampleTriangles(const std::vector<Triangle>& triangles, const input::BoxBlock& box, double spacing,
                                double band) {
  return Sampler(triangles, box, spacing, band).sample();
}

SampledDistance readDistances(const std::string& path) {
  return io::hdf5::asInputError(path, [&] {
    const auto file = io::hdf5::openFile(path, io::hdf5::Mode::read);
    if (!io::hdf5::exists(file.get(), "distance")) throw RunError("it has no dataset `distance`");
    const auto shape = io::hdf5::shapeOf(file.get(), "distance");
    if (shape.size() != 3)
      throw RunError(fmt::format("its dataset `distance` has {} dimensions, not three (z, y, x)", shape.size()));
    SampledDistance grid;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (shape[2 - axis] < 2 || shape[2 - axis] > 65536)
        throw RunError(fmt::format("its dataset `distance` has {} nodes along {}", shape[2 - axis], "xyz"[axis]));
      grid.nodes[axis] = static_cast<int>(shape[2 - axis]);
    }
    grid.value = io::hdf5::readDataset<float>(file.get(), "distance");
    for (const float value : grid.value)
      if (!std::isfinite(value)) throw RunError("its distances are not all finite");
    return grid;
  });
}

}  // namespace mesowarp::boundary
