// The one list of random streams. A number is keyed by (seed, stream, step, tag or pair of tags); two uses that share a
// stream would see the same numbers, so each use has its own line here. 5 is
// free: numbers stay what they are, since results depend on them.
#pragma once

#include <cstdint>

namespace mesowarp {

enum class Stream : std::uint32_t {
  pairNoise = 1,        // DPD random force, keyed by both tags and the step
  initialPosition = 2,  // random placement, keyed by the tag
  initialVelocity = 3,  // Maxwell velocities, keyed by the tag
  chainStep = 4,        // random walk of a polymer, keyed by the bead's tag
  langevin = 6,         // noise of the Langevin thermostat, keyed by the tag and the step
  initialBody = 7,      // places and velocities of Plummer and uniform spheres, keyed by the tag
  tracerStart = 8,      // where tracers start, keyed by the tag
  tracerStep = 9,       // steps of tracers, keyed by the tag and the step
  solventStart = 10,    // where solvent particles start and how fast, keyed by the tag
  gridShift = 11,       // of the collision cells, keyed by the step
  cellAxis = 12,        // of a cell's rotation, keyed by the cell and the step
  cellEnergy = 13,      // of a cell's thermostat, keyed by the cell and the step
  solventNoise = 14,    // velocities of Andersen collisions, keyed by the tag and the step
  guestNoise = 15,      // the same of particles that are embedded in the solvent, which have tags of their own
  virtualSolvent = 16,  // virtual particles of a cell that a wall cuts, keyed by the cell and the step
  wallNoise = 17,       // of the drag at walls, keyed by the tag and the step
  inflow = 18,          // of velocities in an inflow, keyed by the tag and the step
  relaxation = 25,      // where particles that lie on each other go, keyed by the tag and the step
  boxNoise = 26,        // of a barostat, keyed by the group of axes and the step
  pairCollision = 27,   // of the Lowe-Andersen thermostat, keyed by both tags and the step
  cellPose = 40,        // where membranes start and how they are turned, keyed by the tag of the first vertex
};

// Within Stream::pairNoise: a pair has a number of each of these in a step. Forces that act in one deck share none.
struct PairStream {
  static constexpr std::uint32_t force = 0;            // DPD random force
  static constexpr std::uint32_t transport = 1;        // random flux of the first species; the next ones follow
  static constexpr std::uint32_t membrane = 1u << 16;  // noise of an edge along x; y and z follow
};

}  // namespace mesowarp
