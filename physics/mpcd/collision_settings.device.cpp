#include "physics/mpcd/collision_settings.hpp"

#include <cmath>

#include "physics/mpcd/deck/mpcd_walls.hpp"
#include "physics/mpcd/deck/solvents.hpp"
#include "physics/mpcd/mixture/mixture_sums.hpp"
#include "physics/mpcd/sharing/border_sums.hpp"

namespace mesowarp::mpcd {

std::array<int, 3> cellsOf(const input::Deck& deck) {
  std::array<int, 3> cells{};
  for (std::size_t axis = 0; axis < 3; ++axis)
    cells[axis] = static_cast<int>(std::lround(deck.box.size[axis] / collisionOf(deck).cell));
  return cells;
}

namespace {

// With virtual particles.
double densestCell(const input::Deck& deck) {
  const auto cells = cellsOf(deck);
  return static_cast<double>(solventCount(deck)) /
         (static_cast<double>(cells[0]) * cells[1] * cells[2] * roomOf(solventOf(deck))) * crowding(deck);
}

}  // namespace

SumScale scaleOf(const input::Deck& deck, bool wide) { return SumScale::of(speedLimit(deck), densestCell(deck), wide); }

SumScale mixtureScaleOf(const input::Deck& deck) {
  return mixtureScale(speedLimit(deck), densestCell(deck), heaviest(deck));
}

GridShift shiftOf(const BrickGrid& grid, u64 seed, i64 step) {
  const StepKey key = stepKey(seed, Stream::gridShift, step);
  GridShift shift;
  for (u32 axis = 0; axis < 3; ++axis) {
    u32 v0 = key.first, v1 = key.second + axis * 0x9E3779B9u;
    tea<16>(v0, v1);
    const u64 cell = (u64{1} << 32) / static_cast<u64>(grid.cells[axis]);
    shift.of[axis] = static_cast<u32>(v0 * cell >> 32);
  }
  return shift;
}

double thermalSpeed(const input::Deck& deck, double mass) { return std::sqrt(deck.run.temperature / mass); }

template <class P>
SolventDrives<P> drivesOf(const input::Deck& deck, const Box& box) {
  using Coord = typename P::Coord;
  using Real = typename P::Real;
  SolventDrives<P> drives;
  drives.half = static_cast<Real>(0.5 * collisionTime(deck));
  for (const input::Drive& drive : deck.drives) {
    const Vec3<Real> g{Real(drive.acceleration[0]), Real(drive.acceleration[1]), Real(drive.acceleration[2])};
    if (drive.style == input::DriveStyle::constant) {
      for (int axis = 0; axis < 3; ++axis) drives.steps.constant[axis] += g[axis];
    } else if (drive.style == input::DriveStyle::sine) {
      drives.sine[drives.sines++] = {g, drive.across};
    } else {
      const Coord half = Coord{1} << (8 * sizeof(Coord) - (box.periodic[drive.across] ? 1 : 2));
      drives.steps.halves[drives.steps.count++] = {g, drive.across, half};
    }
  }
  return drives;
}
template SolventDrives<SinglePrecision> drivesOf(const input::Deck&, const Box&);
template SolventDrives<MixedPrecision> drivesOf(const input::Deck&, const Box&);
template SolventDrives<DoublePrecision> drivesOf(const input::Deck&, const Box&);

// Of the cosines within 1024 units in the last place and 1.2e-4 radians the one whose sine, as a float, makes c^2 + s^2
// nearest to 1; in so few bits that 1 - c has no rounding.
template <>
Rotation<float> Rotation<float>::of(double angle) {
  const double c = std::cos(angle);
  Rotation<float> best{};
  double least = 2.0;
  for (int i = -1024; i <= 1024; ++i) {
    const double near = std::round(c * 0x1p23 + i) * 0x1p-23;
    if (std::abs(near) > 1.0) continue;
    const float sine = static_cast<float>(std::sqrt(1.0 - near * near));
    if (std::abs(std::atan2(static_cast<double>(sine), near) - angle) > 1.2e-4) continue;
    const double off = std::abs(near * near + static_cast<double>(sine) * sine - 1.0);
    if (off >= least) continue;
    least = off;
    best = {static_cast<float>(near), static_cast<float>(1.0 - near), sine};
  }
  return best;
}
template <>
Rotation<double> Rotation<double>::of(double angle) {
  return {std::cos(angle), 1.0 - std::cos(angle), std::sin(angle)};
}

}  // namespace mesowarp::mpcd
