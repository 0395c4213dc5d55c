// The steps of a collision solvent: streams and collides its particles. What a deck's rule, precision and drives are,
// is known behind this alone.
#pragma once

#include <memory>

#include "physics/boundary/wall_tallies.hpp"
#include "physics/mpcd/solutes/solutes.hpp"
#include "physics/mpcd/solvent_population.hpp"

namespace mesowarp::mpcd {

class Collisions {
public:
  virtual ~Collisions() = default;
  // The collision before, if it has not been done yet; streams to this step; finds what its collision will be.
  // Collective.
  virtual void advance(i64 step) = 0;
  // Does the collision that waits.
  virtual void settle() = 0;
  // The state is another one, and nothing waits.
  virtual void restart() = 0;
  virtual std::size_t bytes() const = 0;
  // What walls get of the solvent; null: there are none.
  virtual boundary::WallRecord* wallRecord() { return nullptr; }
};

// solutes: null: none.
template <class P>
std::unique_ptr<Collisions> makeCollisions(SolventOf<P>& solvent, const input::Deck& deck,
                                           std::unique_ptr<SolutesOf<P>> solutes);

}  // namespace mesowarp::mpcd
