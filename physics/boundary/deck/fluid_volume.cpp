#include "physics/boundary/deck/fluid_volume.hpp"

#include <algorithm>
#include <cmath>

namespace mesowarp::boundary {
namespace {

using Triple = std::array<double, 3>;

class Halving {
public:
  Halving(const input::Deck& deck, const SolidParts& parts) : deck_(deck), parts_(parts), solid_(parts.view()) {
    const double longest = *std::max_element(deck.box.size.begin(), deck.box.size.end());
    finest_ = 1.01 * longest / 128.0;
  }

  // Volume of the fluid in a piece.
  double operator()(const Triple& low, const Triple& size) const {
    const Triple middle{low[0] + 0.5 * size[0], low[1] + 0.5 * size[1], low[2] + 0.5 * size[2]};
    const double volume = size[0] * size[1] * size[2], distance = at(middle);
    const double half = 0.5 * std::sqrt(size[0] * size[0] + size[1] * size[1] + size[2] * size[2]);
    if (std::abs(distance) > half) return distance > 0.0 ? volume : 0.0;
    const auto longest = static_cast<std::size_t>(std::max_element(size.begin(), size.end()) - size.begin());
    if (size[longest] <= finest_) {
      const int side = sideOf(low, size);
      return side != 0 ? (side > 0 ? volume : 0.0) : volume * cut(middle, size, distance);
    }
    Triple part = size, upper = low;
    part[longest] *= 0.5, upper[longest] += part[longest];
    return (*this)(low, part) + (*this)(upper, part);
  }

private:
  // 1: all corners are in the fluid, or at its surface, -1: in the solid (distances are zero also where two solids
  // touch), 0: neither.
  int sideOf(const Triple& low, const Triple& size) const {
    bool fluid = false, filled = false;
    for (int corner = 0; corner < 8; ++corner) {
      const double distance = at({low[0] + (corner & 1 ? size[0] : 0.0), low[1] + (corner & 2 ? size[1] : 0.0),
                                  low[2] + (corner & 4 ? size[2] : 0.0)});
      fluid = fluid || distance > 1e-9 * size[0], filled = filled || distance < -1e-9 * size[0];
    }
    return fluid == filled ? 0 : fluid ? 1 : -1;
  }
  double at(const Triple& x) const { return solid_(parts_.point(deck_, x)).distance; }

  // Part of it on the positive side of distance + n (x - middle) = 0: along the axis that n is most along exactly, from
  // lines at the midpoints of 8 x 8 squares across.
  double cut(const Triple& middle, const Triple& size, double distance) const {
    double n[3];
    solid_.normal(parts_.point(deck_, middle), n);
    std::size_t along = 0;
    for (std::size_t axis = 1; axis < 3; ++axis)
      if (std::abs(n[axis]) > std::abs(n[along])) along = axis;
    const std::size_t a = (along + 1) % 3, b = (along + 2) % 3;
    constexpr int lines = 8;
    const double range = std::abs(n[along]) * size[along];
    double sum = 0.0;
    for (int i = 0; i < lines; ++i)
      for (int j = 0; j < lines; ++j)
        sum += std::clamp(
            0.5 + (distance + n[a] * size[a] * ((i + 0.5) / lines - 0.5) + n[b] * size[b] * ((j + 0.5) / lines - 0.5)) /
                      range,
            0.0, 1.0);
    return sum / (lines * lines);
  }

  const input::Deck& deck_;
  const SolidParts& parts_;
  Solid solid_;
  double finest_;
};

}  // namespace

double fluidPart(const input::Deck& deck, const SolidParts& parts) {
  const auto& size = deck.box.size;
  return Halving(deck, parts)({0.0, 0.0, 0.0}, size) / (size[0] * size[1] * size[2]);
}

}  // namespace mesowarp::boundary
