#include "physics/mpcd/boundary/solvent_walls.hpp"

#include <cmath>

#include "device/host_loop.hpp"
#include "physics/mpcd/deck/mpcd_deck.hpp"
#include "physics/mpcd/deck/mpcd_walls.hpp"
#include "physics/mpcd/deck/solvents.hpp"

namespace mesowarp::mpcd {
namespace {

VirtualFluid fluidOf(const input::Deck& deck, const boundary::SolidParts& parts, int most) {
  const double cell = collisionOf(deck).cell, volume = cell * cell * cell;
  VirtualFluid fluid;
  for (const input::Population* solvent : solventsOf(deck))
    fluid.mean += solvent->density > 0.0 ? solvent->density * volume : perCell(deck, *solvent);
  fluid.mean *= collisionOf(deck).virtualDensity;
  fluid.mass = meanMass(deck), fluid.spread = thermalSpeed(deck, fluid.mass);
  // Between the nodes of a grid distances are off by less than it is wide.
  fluid.corner = 0.5 * std::sqrt(3.0) * cell + (parts.grids.empty() ? 1e-6 : 0.25) * cell;
  fluid.most = most;
  return fluid;
}

// Of the leading 32 bits of the lower face of a cell of the period.
u64 lowerFace(const BrickGrid& grid, int axis, int cell) {
  return (static_cast<u64>(cell) << 32) / static_cast<u64>(grid.cells[axis]);
}

// This rank's domain has the cell's lower corner, as the grid lies without a shift.
bool isOurs(const Domain& domain, const BrickGrid& grid, const int (&cell)[3]) {
  for (int axis = 0; axis < 3; ++axis) {
    const u64 face = lowerFace(grid, axis, cell[axis]);
    if (domain.cut(axis) && (face < domain.low(axis) || face >= domain.low(axis) + domain.width(axis))) return false;
  }
  return true;
}

// Whether a cell with this corner has fluid, wherever the grid is: where two solids touch, distances are small, too,
// and what two walls would do to each other's virtual particles there is nothing to count.
bool hasFluid(const boundary::Solid& solid, const boundary::Solid::Point& corner, const BrickGrid& grid) {
  constexpr int parts = 8;  // of two cells
  boundary::Solid::Point at;
  for (int k = 0; k < (parts + 1) * (parts + 1) * (parts + 1); ++k) {
    const int step[3] = {k % (parts + 1), k / (parts + 1) % (parts + 1), k / ((parts + 1) * (parts + 1))};
    for (int axis = 0; axis < 3; ++axis) {
      const u64 part = ~u64{0} / static_cast<u64>(grid.cells[axis]) / (parts / 2);
      at.x[axis] = corner.x[axis] + part * static_cast<u64>(static_cast<i64>(step[axis] - parts / 2));
    }
    if (solid(at).distance > 1e-6) return true;
  }
  return false;
}

}  // namespace

SolventWalls::SolventWalls(const input::Deck& deck, const RankPart& part, const BrickGrid& grid, int most)
    : SolventWalls(deck, part, grid, most, solidAround(deck)) {}

SolventWalls::SolventWalls(const input::Deck& deck, const RankPart& part, const BrickGrid& grid, int most,
                           const boundary::SolidParts& parts)
    : seed_(deck.run.seed), time_(collisionTime(deck)), mass_(solventOf(deck).mass), fluid_(fluidOf(deck, parts, most)),
      solid_(parts), record_(deck, parts, part.ranks) {
  atMost_ = toDevice<double>("virtual particles at most", poissonUpTo(fluid_.mean, most));
  fluid_.atMost = atMost_.data();
  for (int axis = 0; axis < 3; ++axis) fluid_.perCells[axis] = ~u64{0} / static_cast<u64>(grid.cells[axis]) + 1;
  const boundary::Solid solid = parts.view();
  const i64 all = grid.cellsInAll();
  std::vector<unsigned char> near(static_cast<std::size_t>(all)), cut(near.size());
  hostLoop("cells at walls", 0, all, [&](i64 i) {
    const CellAt at = grid.at(static_cast<int>(i));
    int cell[3];
    boundary::Solid::Point corner, middle;
    for (int axis = 0; axis < 3; ++axis) {
      cell[axis] = (at.of[axis] + grid.first[axis]) % grid.cells[axis];
      corner.x[axis] = lowerFace(grid, axis, cell[axis]) << 32;
      middle.x[axis] = corner.x[axis] + (u64{1} << 63) / static_cast<u64>(grid.cells[axis]);
    }
    // A shifted cell lies between that before and this one: within a whole diagonal of their common corner.
    cut[i] = isOurs(part.domain, grid, cell) && std::abs(solid(corner).distance) <= 2.0 * fluid_.corner &&
             hasFluid(solid, corner, grid);
    near[i] = solid(middle).distance <= fluid_.corner;
  });
  std::vector<int> cells;
  for (std::size_t i = 0; i < cut.size(); ++i)
    if (cut[i]) cells.push_back(static_cast<int>(i));
  count_ = static_cast<int>(cells.size());
  near_ = toDevice<unsigned char>("cells near walls", near);
  cells_ = toDevice<int>("cells at walls", cells);
}

}  // namespace mesowarp::mpcd
