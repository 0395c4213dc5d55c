// The drives of a deck, for kernels.
#pragma once

#include <fmt/format.h>

#include "core/error.hpp"
#include "input/deck.hpp"
#include "physics/integrate/drive.hpp"

namespace mesowarp {

// Throws InputError.
template <class Coord, class Real>
Drives<Coord, Real> drivesOf(const input::Deck& deck) {
  Drives<Coord, Real> drives;
  for (const auto& drive : deck.drives) {
    const Vec3<Real> g{Real(drive.acceleration[0]), Real(drive.acceleration[1]), Real(drive.acceleration[2])};
    if (drive.style == input::DriveStyle::constant) {
      for (int axis = 0; axis < 3; ++axis) drives.constant[axis] += g[axis];
    } else {
      if (drives.count == Drives<Coord, Real>::most)
        throw InputError(fmt::format("at most {} [[drive]] blocks of style \"double-poiseuille\"", drives.count));
      const bool periodic = deck.box.periodic[static_cast<std::size_t>(drive.across)];
      drives.halves[drives.count++] = {g, drive.across, Coord{1} << (8 * sizeof(Coord) - (periodic ? 1 : 2))};
    }
  }
  return drives;
}

}  // namespace mesowarp
