// Virtual particles: what the solid has of a cell that its surface cuts is filled, for one collision, with particles of
// the solvent's temperature, and some times its density, that move with the wall (Lamura, Gompper, Ihle & Kroll,
// Europhys. Lett. 56 (2001) 319; MPCD paper, section 2.3). Of a cell, the number of those drawn in all of it has
// Poisson's distribution, their places are uniform, and those in the solid are kept: so their numbers are those of an
// ideal gas, whatever the shape. All is keyed by the cell's number in the box, the step and the seed; the rank that has
// the cell's lower corner adds them.
#pragma once

#include <vector>

#include "kernels/bricks/brick_task.hpp"
#include "physics/boundary/solid.hpp"
#include "physics/boundary/wall_tallies.hpp"
#include "physics/mpcd/cell_random.hpp"

namespace mesowarp::mpcd {

struct VirtualFluid {
  double mean = 0.0;               // particles of a cell
  double spread = 1.0;             // of a velocity component
  double mass = 1.0;               // of a particle: the solvent's mean
  double corner = 0.0;             // half of a cell's diagonal, length, and what distances may be off
  int most = 0;                    // of a cell
  const double* atMost = nullptr;  // [most] the chance of n particles and fewer
  u64 perCells[3] = {};            // 2^64 / cells of the box along an axis, and more by less than one
};

// The chance of n of Poisson's distribution and fewer, for n < most.
inline std::vector<double> poissonUpTo(double mean, int most) {
  std::vector<double> chance;
  double term = math::Portable::exp2Of(-1.4426950408889634 * mean), sum = term;
  for (int n = 1; n <= most; ++n) {
    chance.push_back(sum);
    term *= mean / n;
    sum += term;
  }
  return chance;
}
// Poisson's distribution by inversion, u in [0, 1).
KOKKOS_INLINE_FUNCTION int poissonNumber(const VirtualFluid& fluid, double u) {
  int low = 0, high = fluid.most;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (u >= fluid.atMost[middle])
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// The leading 64 bits of a product.
KOKKOS_FORCEINLINE_FUNCTION u64 highWord(u64 a, u64 b) {
#ifdef __CUDA_ARCH__
  return __umul64hi(a, b);
#else
  return static_cast<u64>(static_cast<unsigned __int128>(a) * b >> 64);
#endif
}

// Those of one cell in one step, one after the other. On a GPU several threads share them: there are few cells, and one
// thread with all of a cell's was as long as the pass over all particles.
template <class Pass>
class VirtualParticles {
public:
  static constexpr int threads = backend::onGpu ? 8 : 1;  // of a cell
  using Number = typename Pass::Number;
  using Coord = typename Pass::Coord;

  // thread: of the cell's.
  KOKKOS_INLINE_FUNCTION VirtualParticles(const Pass& pass, const VirtualFluid& fluid, StepKey key, int cell,
                                          int thread)
      : pass_(pass), fluid_(fluid) {
    const CellAt at = pass.grid.at(cell);
    Coord middle[3];
    for (int a = 0; a < 3; ++a) {
      cell_[a] = (at.of[a] + pass.grid.first[a]) % pass.grid.cells[a];
      middle[a] = place(a, u32{1} << 31, 0);
    }
    const double depth = -pass.walls.solid(Pass::WallsType::pointOf(middle)).distance;
    if (depth > fluid.corner || depth < -fluid.corner) return;  // all solid, or all fluid
    const Words words = CellRandom(pass.grid.global(at), key).next();
    key_ = {words.first, words.second};
    left_ = poissonNumber(fluid, static_cast<double>(bitsOf(0) >> 11) * 0x1p-53) - thread;
  }

  // False: there are no more. wall: that it is in.
  KOKKOS_INLINE_FUNCTION bool next(typename Pass::Particle& p, int& wall) {
    while (left_ > 0) {
      const u32 number = 4 * static_cast<u32>(left_);
      left_ -= threads;
      const u64 xy = bitsOf(number), zr = bitsOf(number + 1);
      const u32 further = static_cast<u32>(zr);
      p.x[0] = place(0, static_cast<u32>(xy >> 32), further), p.x[1] = place(1, static_cast<u32>(xy), further << 11),
      p.x[2] = place(2, static_cast<u32>(zr >> 32), further << 22);
      const auto point = Pass::WallsType::pointOf(p.x);
      const boundary::Solid::Nearest nearest = pass_.walls.solid(point);
      if (!(nearest.distance < 0.0) || pass_.walls.solid.motions[nearest.wall].slips) continue;
      wall = nearest.wall;
      if constexpr (Pass::mixed) p.mass = pass_.masses.mean;
      double u[3], normal[3];
      pass_.walls.solid.velocityAt(point, wall, u);
      normalNumbers(number + 2, key_, normal);
      for (int a = 0; a < 3; ++a) p.v[a] = static_cast<Number>(u[a] + fluid_.spread * normal[a]), p.d[a] = Number(0);
      if constexpr (Pass::noise) {
        normalNumbers(number + 3, key_, normal);
        for (int a = 0; a < 3; ++a) p.d[a] = static_cast<Number>(fluid_.spread * normal[a]);
      }
      return true;
    }
    return false;
  }

private:
  // Of the cell's key; normalNumbers() takes others.
  KOKKOS_INLINE_FUNCTION u64 bitsOf(u32 number) const { return mixed(startOf(number, key_)); }
  // At a fraction of the cell along an axis, a tick from its faces; further: bits behind the leading 32.
  KOKKOS_INLINE_FUNCTION Coord place(int a, u32 fraction, u32 further) const {
    const u64 n = static_cast<u32>(pass_.grid.cells[a]);
    const u64 within = n + (static_cast<u64>(fraction) * ((u64{1} << 32) - 2 * n) >> 32);
    const u64 all = (static_cast<u64>(cell_[a]) << 32) + within;  // below 2^32 n: exactly what a division gives
    const u32 leading = static_cast<u32>(highWord(all, fluid_.perCells[a])) - pass_.after.of[a];
    if constexpr (sizeof(Coord) == 4)
      return leading;
    else
      return static_cast<u64>(leading) << 32 | further;
  }

  const Pass& pass_;
  const VirtualFluid& fluid_;
  StepKey key_;  // of the cell and the step
  int cell_[3];  // of the box
  int left_ = 0;
};

// Adds them to their cells' sums.
template <class Pass>
struct AddVirtualParticles {
  Pass pass;
  VirtualFluid fluid;
  StepKey key;
  const int* cells;
  KOKKOS_INLINE_FUNCTION void operator()(int k) const {
    constexpr int threads = VirtualParticles<Pass>::threads;
    const int cell = cells[k / threads];
    VirtualParticles<Pass> particles(pass, fluid, key, cell, k % threads);
    u64* const to = pass.cellSums() + static_cast<std::size_t>(cell) * Pass::sums;
    typename Pass::Particle p;
    int wall;
    while (particles.next(p, wall)) {
      u64 sums[Pass::sums];
      pass.add(p, sums);
      for (int s = 0; s < Pass::sums; ++s)
        if constexpr (threads > 1)
          Kokkos::atomic_add(to + s, sums[s]);
        else
          to[s] += sums[s];
    }
  }
};

// What walls get in the collision: that their virtual particles are changed by it.
template <class Pass>
struct TallyVirtualParticles {
  Pass pass;  // of the collision, whose grid is that of `before` and `after`
  VirtualFluid fluid;
  StepKey key;
  const int* cells;
  KOKKOS_INLINE_FUNCTION void operator()(int k) const {
    constexpr int threads = VirtualParticles<Pass>::threads;
    const int cell = cells[k / threads];
    VirtualParticles<Pass> particles(pass, fluid, key, cell, k % threads);
    const auto record = pass.recordOf(cell);
    typename Pass::Particle p;
    int wall;
    while (particles.next(p, wall)) {
      typename Pass::Particle behind = p;
      if (Pass::noise)
        for (int a = 0; a < 3; ++a) behind.v[a] = p.d[a];
      pass.collide(behind, record);
      for (int a = 0; a < 3; ++a)
        pass.walls.tallies.addImpulse(k, wall, a,
                                      fluid.mass * (static_cast<double>(behind.v[a]) - static_cast<double>(p.v[a])));
    }
  }
};

}  // namespace mesowarp::mpcd
