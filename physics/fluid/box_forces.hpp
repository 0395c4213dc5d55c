// The forces of a deck's particles in a box as phases of a step: one virtual call each, templates inside. The last pair
// force carries the integrator as its epilogue.
//
// BoxForces holds a deck's pair forces and bonds with one way of adding up (core/accumulators.hpp, the quasi-double
// paper's methods A to G). Each of the sources box_forces_* compiles one or some of them for one precision, so nothing
// outside knows any. Totals of bonds and of all but the last pair force wait in SummedForces; the last one merges them
// (CloseForce).
#pragma once

#include <memory>
#include <vector>

#include "kernels/pairs/pair_kernel.hpp"
#include "input/deck.hpp"
#include "physics/bonded/bonds.hpp"
#include "physics/boundary/walls.hpp"
#include "physics/integrate/drive.hpp"
#include "physics/integrate/verlet.hpp"

namespace mesowarp {

template <class P>
using MasterCoord = std::conditional_t<P::splitMaster, u64, typename P::Coord>;
template <class P>
using Epilogue =
    VerletEpilogue<P, Mover<MasterCoord<P>, typename P::Real>, Drives<typename P::Coord, typename P::Real>>;

template <class P>
class PairPhase {
public:
  virtual ~PairPhase() = default;
  virtual const char* label() const = 0;
  virtual double cutoff() const = 0;
  virtual bool readsVelocities() const = 0;  // or species
  // Adds to `force`; with sums, adds energy and virial.
  virtual void accumulate(const PairState<P>& state, const SummedForces& force, int particles,
                          ThermoSums* sums) const = 0;
  // Of the particles of these blocks, which have `force` already.
  virtual void finish(const PairState<P>& state, const SummedForces& force, const Epilogue<P>& integrator,
                      const backend::ParticleBlocks& blocks, ThermoSums* sums) const = 0;
};

template <class P>
class BoxForces {
public:
  virtual ~BoxForces() = default;
  std::vector<std::unique_ptr<PairPhase<P>>> pairs;

  // Writes to `force`; with sums, adds energy and virial.
  virtual void sumBonds(const BondState<P>& state, const SummedForces& force, int particles,
                        ThermoSums* sums) const = 0;
  // A step taken apart: the forces of `force`, then, behind what stands between, the next step.
  virtual void close(const SummedForces& force, const Epilogue<P>& integrator, const StepGuard& guard, int particles,
                     ThermoSums* sums) const = 0;
  virtual void open(const Epilogue<P>& integrator, const StepGuard& guard, const backend::ParticleBlocks& blocks,
                    ThermoSums* sums) const = 0;
  virtual std::size_t summedBytes() const = 0;  // of a particle's totals
  virtual double fixedUnit() const = 0;  // of ThermoSums::fixedForce, force
  virtual SumGrid grid() const = 0;      // of what particles add to a step's sums

  double cutoff() const;  // the largest
  bool readVelocities() const;
};

// particles: of all ranks. In box_forces_*.device.cpp, by how terms are added up: the usual way (single: float, mixed
// and double: double), in fixed point with the same bits on every machine, or, in single precision alone, in another
// way.
std::unique_ptr<BoxForces<SinglePrecision>> makeSingleForces(const input::Deck& deck, i64 particles);
std::unique_ptr<BoxForces<SinglePrecision>> makeSingleFixedForces(const input::Deck& deck, i64 particles);
std::unique_ptr<BoxForces<SinglePrecision>> makeSingleForcesOtherwise(const input::Deck& deck, i64 particles);
std::unique_ptr<BoxForces<MixedPrecision>> makeMixedForces(const input::Deck& deck, i64 particles);
std::unique_ptr<BoxForces<MixedPrecision>> makeMixedFixedForces(const input::Deck& deck, i64 particles);
std::unique_ptr<BoxForces<DoublePrecision>> makeDoubleForces(const input::Deck& deck, i64 particles);
std::unique_ptr<BoxForces<DoublePrecision>> makeDoubleFixedForces(const input::Deck& deck, i64 particles);

// As the deck's accumulator says.
template <class P>
std::unique_ptr<BoxForces<P>> makeBoxForces(const input::Deck& deck, i64 particles) {
  const input::Accumulator how = deck.sums.accumulator;
  const bool fixed = how == input::Accumulator::narumi;
  if constexpr (std::is_same_v<P, SinglePrecision>)
    return fixed                               ? makeSingleFixedForces(deck, particles)
           : how == input::Accumulator::single ? makeSingleForces(deck, particles)
                                               : makeSingleForcesOtherwise(deck, particles);
  else if constexpr (std::is_same_v<P, MixedPrecision>)
    return fixed ? makeMixedFixedForces(deck, particles) : makeMixedForces(deck, particles);
  else
    return fixed ? makeDoubleFixedForces(deck, particles) : makeDoubleForces(deck, particles);
}

template <class P>
double BoxForces<P>::cutoff() const {
  double cutoff = 0.0;
  for (const auto& phase : pairs) cutoff = phase->cutoff() > cutoff ? phase->cutoff() : cutoff;
  return cutoff;
}

template <class P>
bool BoxForces<P>::readVelocities() const {
  for (const auto& phase : pairs)
    if (phase->readsVelocities()) return true;
  return false;
}

}  // namespace mesowarp
