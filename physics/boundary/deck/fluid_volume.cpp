#include "physics/boundary/deck/fluid_volume.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>

namespace mesowarp::boundary {
namespace {

using Triple = std::array<double, 3>;

struct Piece {
  Triple low, size;
  double volume() const { return size[0] * size[1] * size[2]; }
  double longest() const { return *std::max_element(size.begin(), size.end()); }
  Triple middle() const { return {low[0] + 0.5 * size[0], low[1] + 0.5 * size[1], low[2] + 0.5 * size[2]}; }
  Triple corner(int k) const {
    return {low[0] + (k & 1 ? size[0] : 0.0), low[1] + (k & 2 ? size[1] : 0.0), low[2] + (k & 4 ? size[2] : 0.0)};
  }
};

// Distances in a deck's box.
class Distances {
public:
  Distances(const input::Deck& deck, const SolidParts& parts) : deck_(deck), parts_(parts), solid_(parts.view()) {}
  double at(const Triple& x) const { return solid_(parts_.point(deck_, x)).distance; }
  Triple normal(const Triple& x) const {
    double n[3];
    solid_.normal(parts_.point(deck_, x), n);
    return {n[0], n[1], n[2]};
  }

private:
  const input::Deck& deck_;
  const SolidParts& parts_;
  Solid solid_;
};

// Part of a piece on the positive side of distance + n (x - middle) = 0: along the axis that n is most along exactly,
// from lines at the midpoints of 8 x 8 squares across.
double cut(const Triple& size, const Triple& n, double distance) {
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

// Volume of the fluid in a piece, which is halved where the surface may pass, until the surface says what part of one
// is fluid: std::optional<double> part(piece, distance), of its middle. solid(piece): no fluid is in it.
template <class Surface>
double fluidIn(const Piece& piece, const Distances& distances, Surface& surface) {
  const double distance = distances.at(piece.middle());
  const Triple& size = piece.size;
  const double half = 0.5 * std::sqrt(size[0] * size[0] + size[1] * size[1] + size[2] * size[2]);
  if (distance > half) return piece.volume();
  if (distance < -half) {
    surface.solid(piece);
    return 0.0;
  }
  if (const std::optional<double> part = surface.part(piece, distance)) return piece.volume() * *part;
  const auto longest = static_cast<std::size_t>(std::max_element(size.begin(), size.end()) - size.begin());
  Piece lower = piece, upper = piece;
  lower.size[longest] = upper.size[longest] = 0.5 * size[longest];
  upper.low[longest] += upper.size[longest];
  const double first = fluidIn(lower, distances, surface);
  return first + fluidIn(upper, distances, surface);
}

// Of walls: pieces of one size, those whose corners are on one side are on that side.
class WallSurface {
public:
  WallSurface(const Distances& distances, double finest) : distances_(distances), finest_(finest) {}
  void solid(const Piece&) {}
  std::optional<double> part(const Piece& piece, double distance) const {
    if (piece.longest() > finest_) return {};
    const int side = sideOf(piece);
    if (side != 0) return side > 0 ? 1.0 : 0.0;
    return cut(piece.size, distances_.normal(piece.middle()), distance);
  }

private:
  // 1: all corners are in the fluid, or at its surface, -1: in the solid (distances are zero also where two solids
  // touch), 0: neither.
  int sideOf(const Piece& piece) const {
    bool fluid = false, filled = false;
    for (int corner = 0; corner < 8; ++corner) {
      const double distance = distances_.at(piece.corner(corner));
      fluid = fluid || distance > 1e-9 * piece.size[0], filled = filled || distance < -1e-9 * piece.size[0];
    }
    return fluid == filled ? 0 : fluid ? 1 : -1;
  }

  const Distances& distances_;
  double finest_;
};

// Of a solid that may be small or thin: pieces are an eighth of the size where the surface is not nearly a plane.
class FineSurface {
public:
  FineSurface(const Distances& distances, double finest) : distances_(distances), finest_(finest) {
    room_.low.fill(std::numeric_limits<double>::max());
  }
  void solid(const Piece& piece) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      room_.low[axis] = std::min(room_.low[axis], piece.low[axis]);
      room_.high[axis] = std::max(room_.high[axis], piece.low[axis] + piece.size[axis]);
    }
  }
  std::optional<double> part(const Piece& piece, double distance) {
    if (piece.longest() > finest_) return {};
    const Triple n = distances_.normal(piece.middle());
    const bool plane = isPlane(piece, n, distance);
    if (!plane && piece.longest() > 0.13 * finest_) return {};
    const double fluid = plane ? cut(piece.size, n, distance) : fluidAmongPoints(piece);
    if (fluid < 1.0) solid(piece);
    ++pieces_;
    return fluid;
  }
  std::int64_t pieces() const { return pieces_; }
  const SolidRoom& room() const { return room_; }

private:
  // The distances at the corners are those from one plane, nearly.
  bool isPlane(const Piece& piece, const Triple& n, double distance) const {
    double off = 0.0;
    for (int corner = 0; corner < 8; ++corner) {
      double there = distance;
      for (std::size_t axis = 0; axis < 3; ++axis)
        there += ((corner >> axis & 1) != 0 ? 0.5 : -0.5) * n[axis] * piece.size[axis];
      off = std::max(off, std::abs(distances_.at(piece.corner(corner)) - there));
    }
    return off <= 0.02 * piece.longest();
  }
  double fluidAmongPoints(const Piece& piece) const {
    constexpr int points = 4;  // along each axis
    const auto along = [&](std::size_t axis, int k) {
      return piece.low[axis] + (k % points + 0.5) / points * piece.size[axis];
    };
    int fluid = 0;
    for (int n = 0; n < points * points * points; ++n) {
      const Triple x{along(0, n), along(1, n / points), along(2, n / points / points)};
      fluid += distances_.at(x) < -1e-9 * piece.size[0] ? 0 : 1;
    }
    return fluid / static_cast<double>(points * points * points);
  }

  const Distances& distances_;
  double finest_;
  std::int64_t pieces_ = 0;
  SolidRoom room_;
};

}  // namespace

double fluidPart(const input::Deck& deck, const SolidParts& parts) {
  const Piece box{{}, deck.box.size};
  const Distances distances(deck, parts);
  WallSurface surface(distances, 1.01 * box.longest() / 128.0);
  return fluidIn(box, distances, surface) / box.volume();
}

SolidRoom solidRoom(const input::Deck& deck, const SolidParts& parts) {
  constexpr std::int64_t enough = 1000, most = 200000;  // pieces at the surface
  const Piece box{{}, deck.box.size};
  const Distances distances(deck, parts);
  SolidRoom room;
  for (double finest = 1.01 * box.longest() / 32.0;; finest *= 0.5) {
    FineSurface surface(distances, finest);
    const double part = 1.0 - fluidIn(box, distances, surface) / box.volume(), before = room.part;
    if (surface.pieces() == 0) return part > 0.5 ? SolidRoom{1.0, {}, box.size} : SolidRoom{};  // there is no surface
    room = surface.room();
    room.part = part;
    const bool same = part > 0.0 && std::abs(part - before) <= 5e-4 * part && surface.pieces() >= enough;
    if (same || surface.pieces() > most || finest < 1e-6 * box.longest()) return room;
  }
}

}  // namespace mesowarp::boundary
