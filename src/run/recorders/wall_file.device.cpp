#include <algorithm>
#include <cmath>

#include "device/host_loop.hpp"
#include "input/method.hpp"
#include "input/result_files.hpp"
#include "io/fields/distance_file.hpp"
#include "run/recorders/recorder.hpp"

namespace mesowarp {

// About so many nodes, in cubic cells as nearly as the box lets it.
constexpr double wantedNodes = 500000.0;

void writeWalls(const RecorderContext& context) {
  for (const auto* method : input::methodsOf(context.deck)) {
    const auto distance = method->distanceToWalls(context.deck);
    if (!distance) continue;
    const auto& size = context.deck.box.size;
    const double wanted = std::cbrt(size[0] * size[1] * size[2] / wantedNodes);
    io::XdmfGrid grid{};
    for (std::size_t a = 0; a < 3; ++a) {
      grid.cells[a] = static_cast<std::size_t>(std::clamp(std::lround(size[a] / wanted), 8L, 2048L));
      grid.spacing[a] = size[a] / static_cast<double>(grid.cells[a]);
    }
    const std::size_t row = grid.cells[0] + 1, plane = row * (grid.cells[1] + 1);
    std::vector<float> values(plane * (grid.cells[2] + 1));
    hostLoop("distances to walls", 0, static_cast<i64>(values.size() / row), [&](i64 line) {
      const std::size_t first = static_cast<std::size_t>(line) * row, k = first / plane, j = first % plane / row;
      for (std::size_t i = 0; i < row; ++i)
        values[first + i] = static_cast<float>(
            distance({static_cast<double>(i) * grid.spacing[0], static_cast<double>(j) * grid.spacing[1],
                      static_cast<double>(k) * grid.spacing[2]}));
    });
    io::writeDistances(context.directory, input::wallFile, grid, values);
  }
}

}  // namespace mesowarp
