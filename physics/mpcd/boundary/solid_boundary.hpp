// What keeps solvent particles out of the solid: those whose step ends there meet its surface on the way, and come back
// from it with the rest of the step (physics/boundary/bounce.hpp). Between collisions they fly straight, so the path is
// known from its end and the velocity; with a body force it is that between the two kicks.
#pragma once

#include "kernels/bricks/packed_places.hpp"
#include "physics/boundary/bounce_queue.hpp"
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
  double time, mass;              // between collisions; of a particle of the first species
  int* lost;                      // set if a particle cannot be brought out
  bool counts;                    // impulses
  boundary::BounceQueue queue{};  // on a GPU

  KOKKOS_INLINE_FUNCTION static boundary::Solid::Point pointOf(const Coord (&x)[3]) {
    return {{static_cast<u64>(x[0]) << up, static_cast<u64>(x[1]) << up, static_cast<u64>(x[2]) << up}};
  }

  // Of a particle in a cell as the grid lies without a shift; -1: in none of this rank's.
  KOKKOS_INLINE_FUNCTION bool mayMeet(int cell) const { return cell < 0 || near[cell] != 0; }
  KOKKOS_INLINE_FUNCTION bool isInside(const Coord (&x)[3]) const { return solid(pointOf(x)).distance < 0.0; }
  // Of one that is inside. relative: its mass, in those of the first species. first: of the threads that follow its
  // path together, who says what became of it.
  template <class Search>
  KOKKOS_INLINE_FUNCTION void bounce(int particle, Coord (&x)[3], Number (&v)[3], double relative, const Search& search,
                                     bool first) const {
    boundary::Bounce b{};
    b.at = pointOf(x);
    for (int a = 0; a < 3; ++a) b.velocity[a] = static_cast<double>(v[a]);
    boundary::Bouncer{solid, time, search}(b);
    for (int a = 0; a < 3; ++a) {
      const double before = static_cast<double>(v[a]);
      x[a] = PackedPlace<Coord>::kept(static_cast<Coord>(b.at.x[a] >> up)), v[a] = static_cast<Number>(b.velocity[a]);
      if (counts && first)
        tallies.addImpulse(particle, b.wall, a, mass * relative * (before - static_cast<double>(v[a])));
    }
    // What is behind the last bit may have been the way out.
    if (solid(pointOf(x)).distance < 0.0) {
      double n[3];
      solid.normal(b.at, n);
      for (int a = 0; a < 3; ++a) x[a] += n[a] > 0.0 ? PackedPlace<Coord>::tick : Coord(0);
    }
    if (b.strayed && first) tallies.addStray(particle);
    if (b.lost && first) *lost = 1;
  }
};

}  // namespace mesowarp::mpcd
