// Forces of a population's membranes with one way of adding up, behind one virtual call a step.
//
// Bytes of a vertex and step (mixed precision): own position and velocity 32, row 8, indices of its ring and of what is
// beyond 12 x 4, sum of forces read and written 48: 136, which no order of work saves. The 12 other positions and 6
// velocities, 288 bytes, come from caches if the vertices of a cell are near each other in time: rows of one rank are
// in the order of tags, cell by cell, and so are the mesh's 6 x 56 bytes, which all cells share. Area and volume take
// the same again, but for velocities and sums. At 4.8 TB/s the floor is 0.05 ns a vertex and step for both kernels; the
// arithmetic, 1.3 thousand operations in double precision, is 0.04 ns of an H200's.
#pragma once

#include <memory>

#include "core/random.hpp"
#include "core/sums.hpp"
#include "kernels/pairs/summed_forces.hpp"
#include "physics/membrane/model/cell_sums.hpp"

namespace mesowarp::membrane {

template <class P>
class MembraneForces {
public:
  virtual ~MembraneForces() = default;
  // Moduli, frictions, temperature and stretching forces are those of another deck from now on, that differs in nothing
  // else.
  virtual void follow(const input::Deck& now) = 0;
  // Adds shares to the cells' sums.
  virtual void addShares(const VertexState<P>& state, const CellArrays<typename P::Coord>& cells, int rows) const = 0;
  // Adds to `force`; with sums, adds energy and virial.
  virtual void addForces(const VertexState<P>& state, const CellArrays<typename P::Coord>& cells,
                         const SummedForces& force, int rows, ThermoSums* sums) const = 0;
};

// Of a population whose first vertex has this tag; particles: of all ranks. As the deck's accumulator says.
template <class P>
std::unique_ptr<MembraneForces<P>> makeMembraneForces(const input::Deck& deck, const input::Population& population,
                                                      u32 firstTag, i64 particles);

}  // namespace mesowarp::membrane
