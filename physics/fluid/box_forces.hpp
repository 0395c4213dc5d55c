// The forces of a deck's particles in a box as phases of a step: one virtual call each, templates inside. The last pair
// force carries the integrator as its epilogue.
//
// BoxForces holds a deck's pair forces and bonds with one way of adding up (core/accumulators.hpp, the quasi-double
// paper's methods A to G). Each of the sources box_forces_* compiles one or some of them for one precision, so nothing
// outside knows any. Totals of bonds and of all but the last pair force wait in SummedForces; the last one merges them
// (CloseForce).
#pragma once

#include <algorithm>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "input/deck.hpp"
#include "kernels/pairs/pair_kernel.hpp"
#include "physics/bonded/bonds.hpp"
#include "physics/boundary/walls.hpp"
#include "physics/integrate/drive.hpp"
#include "physics/integrate/verlet.hpp"
#include "state/field_request.hpp"

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
  // Whether it sums forces; else nothing but sums of its own, which others read in the same step.
  virtual bool sumsForces() const = 0;
  virtual bool readsVelocities() const = 0;  // or species
  // What it reads of particles, or sums, beside the fields that all particles have.
  virtual std::vector<FieldRequest> fields() const = 0;
  // Among these sums the forces before it in a step have stored some already, to which it adds.
  virtual void storeAfter(std::set<std::string>& stored) = 0;
  // Its coefficients become those of this deck, which differs in numbers of its interactions alone, not in cutoffs.
  virtual void follow(const input::Deck& deck) = 0;
  // Where all these fields lie: before it runs, since buffers change places. watched: somebody looks at the step's end.
  virtual void bind(const FieldRegistry& fields, const StepFlags& flags, bool watched) = 0;
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
  // Their coefficients become those of this deck, which differs in numbers of its bonds alone.
  virtual void followBonds(const input::Deck& deck) = 0;
  // A step taken apart: the forces of `force`, then, behind what stands between, the next step.
  virtual void close(const SummedForces& force, const Epilogue<P>& integrator, const StepGuard& guard, int particles,
                     ThermoSums* sums) const = 0;
  virtual void open(const Epilogue<P>& integrator, const StepGuard& guard, const backend::ParticleBlocks& blocks,
                    ThermoSums* sums) const = 0;
  virtual std::size_t summedBytes() const = 0;  // of a particle's totals
  virtual double fixedUnit() const = 0;         // of ThermoSums::fixedForce, force
  virtual SumGrid grid() const = 0;             // of what particles add to a step's sums

  double cutoff() const;  // the largest
  int summing() const;    // so many sum forces
  bool readVelocities() const;
  std::vector<FieldRequest> fields() const;  // that the population must have for them
};

// One way of computing and adding up: box_forces.device.cpp.in is compiled once for each (variants.cmake). Usually
// terms are added up in float in single precision and in double in the others; in fixed point they have the same bits
// on every machine; single precision has other ways, too. particles: of all ranks.
template <class P, class Sum, class Math>
std::unique_ptr<BoxForces<P>> makeBoxForcesOf(const input::Deck& deck, i64 particles);

// As the deck's accumulator says.
template <class P>
std::unique_ptr<BoxForces<P>> makeBoxForces(const input::Deck& deck, i64 particles) {
  using Real = typename P::Real;
  using input::Accumulator;
  const Accumulator how = deck.sums.accumulator;
  if (how == Accumulator::narumi) return makeBoxForcesOf<P, FixedSum<Real>, math::Portable>(deck, particles);
  if constexpr (std::is_same_v<P, SinglePrecision>) switch (how) {
    case Accumulator::double_sum:
      return makeBoxForcesOf<P, WideSum<Real>, math::Hardware>(deck, particles);
    case Accumulator::takahashi_iitaka:
      return makeBoxForcesOf<P, TakahashiIitakaSum<Real>, math::Hardware>(deck, particles);
    case Accumulator::nitadori:
      return makeBoxForcesOf<P, NitadoriSum<Real>, math::Hardware>(deck, particles);
    case Accumulator::modified_nitadori:
      return makeBoxForcesOf<P, ModifiedNitadoriSum<Real>, math::Hardware>(deck, particles);
    default:
      break;
    }
  return makeBoxForcesOf<P, PlainSum<Real>, math::Hardware>(deck, particles);
}

template <class P>
double BoxForces<P>::cutoff() const {
  double cutoff = 0.0;
  for (const auto& phase : pairs) cutoff = phase->cutoff() > cutoff ? phase->cutoff() : cutoff;
  return cutoff;
}

template <class P>
int BoxForces<P>::summing() const {
  return static_cast<int>(
      std::count_if(pairs.begin(), pairs.end(), [](const auto& phase) { return phase->sumsForces(); }));
}

template <class P>
bool BoxForces<P>::readVelocities() const {
  for (const auto& phase : pairs)
    if (phase->readsVelocities()) return true;
  return false;
}

template <class P>
std::vector<FieldRequest> BoxForces<P>::fields() const {
  std::vector<FieldRequest> all;
  for (const auto& phase : pairs)
    for (const auto& field : phase->fields()) addRequest(all, field);
  return all;
}

}  // namespace mesowarp
