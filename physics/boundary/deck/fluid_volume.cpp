#include "physics/boundary/deck/fluid_volume.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace mesowarp::boundary {
namespace {

using Triple = std::array<double, 3>;

class Halving {
public:
  Halving(const input::Deck& deck, const SolidParts& parts) : deck_(deck), parts_(parts), solid_(parts.view()) {
    const double longest = *std::max_element(deck.box.size.begin(), deck.box.size.end());
    finest_ = 1.01 * longest / 128.0;
  }
  // The pieces at the surface are as small as that, or where the surface is not nearly a plane there, an eighth of it.
  Halving(const input::Deck& deck, const SolidParts& parts, double finest)
      : deck_(deck), parts_(parts), solid_(parts.view()), finest_(finest), bent_(0.13 * finest) {}

  // Volume of the fluid in a piece.
  double operator()(const Triple& low, const Triple& size) const {
    const Triple middle{low[0] + 0.5 * size[0], low[1] + 0.5 * size[1], low[2] + 0.5 * size[2]};
    const double volume = size[0] * size[1] * size[2], distance = at(middle);
    const double half = 0.5 * std::sqrt(size[0] * size[0] + size[1] * size[1] + size[2] * size[2]);
    if (std::abs(distance) > half) {
      if (distance < 0.0) include(low, size);
      return distance > 0.0 ? volume : 0.0;
    }
    const auto longest = static_cast<std::size_t>(std::max_element(size.begin(), size.end()) - size.begin());
    if (bent_ > 0.0 && size[longest] <= finest_) {
      const bool plane = isPlane(low, size, distance);
      if (plane || size[longest] <= bent_) {
        const double part = plane ? cut(middle, size, distance) : fluidAmongPoints(low, size);
        if (part < 1.0) include(low, size);
        ++pieces_;
        return volume * part;
      }
    }
    if (bent_ == 0.0 && size[longest] <= finest_) {
      const int side = sideOf(low, size);
      return side != 0 ? (side > 0 ? volume : 0.0) : volume * cut(middle, size, distance);
    }
    Triple part = size, upper = low;
    part[longest] *= 0.5, upper[longest] += part[longest];
    return (*this)(low, part) + (*this)(upper, part);
  }

  // At the surface.
  std::int64_t pieces() const { return pieces_; }
  const SolidRoom& room() const { return room_; }

private:
  void include(const Triple& low, const Triple& size) const {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      room_.low[axis] = std::min(room_.low[axis], low[axis]);
      room_.high[axis] = std::max(room_.high[axis], low[axis] + size[axis]);
    }
  }
  double fluidAmongPoints(const Triple& low, const Triple& size) const {
    constexpr int points = 4;  // along each axis
    int fluid = 0;
    for (int n = 0; n < points * points * points; ++n)
      fluid +=
          at({low[0] + (n % points + 0.5) / points * size[0], low[1] + (n / points % points + 0.5) / points * size[1],
              low[2] + (n / points / points + 0.5) / points * size[2]}) < -1e-9 * size[0]
              ? 0
              : 1;
    return fluid / static_cast<double>(points * points * points);
  }
  // The distances at the corners are those from one plane, nearly.
  bool isPlane(const Triple& low, const Triple& size, double distance) const {
    double n[3], off = 0.0;
    solid_.normal(parts_.point(deck_, {low[0] + 0.5 * size[0], low[1] + 0.5 * size[1], low[2] + 0.5 * size[2]}), n);
    for (int corner = 0; corner < 8; ++corner) {
      Triple at_{};
      double there = distance;
      for (int axis = 0; axis < 3; ++axis) {
        const auto a = static_cast<std::size_t>(axis);
        const bool upper = (corner >> axis & 1) != 0;
        at_[a] = low[a] + (upper ? size[a] : 0.0), there += (upper ? 0.5 : -0.5) * n[axis] * size[a];
      }
      off = std::max(off, std::abs(at(at_) - there));
    }
    return off <= 0.02 * *std::max_element(size.begin(), size.end());
  }
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
  double finest_, bent_ = 0.0;  // 0: pieces whose corners are on one side are on that side
  mutable std::int64_t pieces_ = 0;
  mutable SolidRoom room_{
      0.0,
      {std::numeric_limits<double>::max(), std::numeric_limits<double>::max(), std::numeric_limits<double>::max()},
      {}};
};

}  // namespace

double fluidPart(const input::Deck& deck, const SolidParts& parts) {
  const auto& size = deck.box.size;
  return Halving(deck, parts)({0.0, 0.0, 0.0}, size) / (size[0] * size[1] * size[2]);
}

SolidRoom solidRoom(const input::Deck& deck, const SolidParts& parts) {
  constexpr std::int64_t enough = 1000, most = 200000;  // pieces at the surface
  const auto& size = deck.box.size;
  const double longest = *std::max_element(size.begin(), size.end());
  SolidRoom room;
  for (double finest = 1.01 * longest / 32.0;; finest *= 0.5) {
    const Halving halving(deck, parts, finest);
    const double part = 1.0 - halving({0.0, 0.0, 0.0}, size) / (size[0] * size[1] * size[2]), before = room.part;
    const std::int64_t pieces = halving.pieces();
    if (pieces == 0) return part > 0.5 ? SolidRoom{1.0, {}, size} : SolidRoom{};  // there is no surface
    room = halving.room();
    room.part = part;
    const bool same = part > 0.0 && std::abs(part - before) <= 5e-4 * part && pieces >= enough;
    if (same || pieces > most || finest < 1e-6 * longest) return room;
  }
}

}  // namespace mesowarp::boundary
