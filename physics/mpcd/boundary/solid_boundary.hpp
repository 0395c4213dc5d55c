// What keeps solvent particles out of the solid: those whose step ends there meet its surface on the way, and come back
// from it with the rest of the step (physics/boundary/bounce.hpp). Between collisions they fly straight, so the path is
// known from its end and the velocity; with a body force it is that between the two kicks.
#pragma once

#include "kernels/bricks/brick_grid.hpp"
#include "kernels/bricks/packed_places.hpp"
#include "physics/boundary/bounce.hpp"
#include "physics/boundary/wall_tallies.hpp"

namespace mesowarp::mpcd {

template <class P>
struct SolidBoundary {
  using Coord = typename P::Coord;
  using Number = typename P::Store;
  static constexpr bool any = true;
  static constexpr int up = 64 - 8 * static_cast<int>(sizeof(Coord));

  boundary::Solid solid;
  const unsigned char* near;  // of each cell of the span, as the grid lies without a shift: the solid may be in it
  boundary::WallTallies tallies;
  double time, mass;  // between collisions; of a particle of the first species
  int* lost;          // set if a particle cannot be brought out
  bool counts;        // impulses

  KOKKOS_INLINE_FUNCTION static boundary::Solid::Point pointOf(const Coord (&x)[3]) {
    return {{static_cast<u64>(x[0]) << up, static_cast<u64>(x[1]) << up, static_cast<u64>(x[2]) << up}};
  }

  // relative: the particle's mass, in those of the first species.
  KOKKOS_INLINE_FUNCTION void bounce(const BrickGrid& grid, int particle, Coord (&x)[3], Number (&v)[3],
                                     double relative) const {
    int at[3];
    for (int a = 0; a < 3; ++a) at[a] = grid.local(a, leading32(x[a]));
    if (grid.has(at) && near[grid.index(at)] == 0) return;
    boundary::Bounce b{};
    b.at = pointOf(x);
    if (!(solid(b.at).distance < 0.0)) return;
    for (int a = 0; a < 3; ++a) b.velocity[a] = static_cast<double>(v[a]);
    boundary::Bouncer{solid, time}(b);
    for (int a = 0; a < 3; ++a) {
      const double before = static_cast<double>(v[a]);
      x[a] = PackedPlace<Coord>::kept(static_cast<Coord>(b.at.x[a] >> up)), v[a] = static_cast<Number>(b.velocity[a]);
      if (counts) tallies.addImpulse(particle, b.wall, a, mass * relative * (before - static_cast<double>(v[a])));
    }
    // What is behind the last bit may have been the way out.
    if (solid(pointOf(x)).distance < 0.0) {
      double n[3];
      solid.normal(b.at, n);
      for (int a = 0; a < 3; ++a) x[a] += n[a] > 0.0 ? PackedPlace<Coord>::tick : Coord(0);
    }
    if (b.strayed) tallies.addStray(particle);
    if (b.lost) *lost = 1;
  }
};

}  // namespace mesowarp::mpcd
