// Frozen layers that push as the mean fluid does. One configuration of a wall's particles is a few per cent too dense
// or too thin for good, and the fluid next to it as much too thin or too dense: of 100 r_c^2 of wall the scatter is
// 3.5% in the first quarter of a cutoff. Moved along the normal by some hundredths of a cutoff, in a few smooth modes
// of the depth, the layer pushes the fluid at all heights as the mean of all configurations does.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

namespace mesowarp::boundary {

// All lengths in cutoffs. At a height h above a plane with particles at depths d the push is proportional to the sum of
// s (1 - s)^2 over them, s = h + d < 1.
struct LayerPush {
  static constexpr std::size_t heights = 8;
  static double height(std::size_t k) { return static_cast<double>(k) / static_cast<double>(heights); }
  static double of(double s) { return s > 0.0 && s < 1.0 ? s * (1.0 - s) * (1.0 - s) : 0.0; }
  static double slope(double s) { return s > 0.0 && s < 1.0 ? (1.0 - s) * (1.0 - 3.0 * s) : 0.0; }
};

class LayerStretch {
public:
  static constexpr std::size_t modes = 5;

  // None.
  LayerStretch() = default;
  // depths: of a layer's particles; wanted, spread: of the push at each height, the mean over configurations and how it
  // scatters among them.
  LayerStretch(const std::vector<double>& depths, const std::vector<double>& wanted, const std::vector<double>& spread);

  // By how much a particle of this depth goes deeper; none leaves the solid.
  double operator()(double depth) const;

private:
  std::array<double, modes> amplitude_{};
};

}  // namespace mesowarp::boundary
