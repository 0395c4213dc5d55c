// The force among bodies, as integrators see it: one virtual call for each evaluation, templates inside. Behind it are
// four things that do not know each other:
//
//   - a law (gravity.hpp, lj_coulomb.hpp): what it reads of a body, packed for it before each sum, and its terms for
//     one pair. Its numbers are of any type: a GPU's thread has floats or doubles, a CPU's core vectors of them
//     (device/pack_cpu.hpp), each lane another body i. Roots, quotients and powers of two are a parameter:
//     HardwareLanes (core/lanes.hpp) as the machine does them fastest, or Portable (core/portable_math.hpp) with the
//     same bits everywhere.
//   - an accumulator (core/accumulators.hpp), one for each channel, which takes terms as products;
//   - the traversal (kernels/all_pairs);
//   - the subset: a rising list of bodies i, or all. Block time steps make the list by a scan, in the order of tags.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "kernels/all_pairs/all_pairs.hpp"
#include "physics/nbody/body.hpp"
#include "physics/nbody/deck/body_deck.hpp"

namespace mesowarp::nbody {

struct ForceSettings {
  std::string style = LawStyle::gravity;
  input::Precision precision = input::Precision::single;
  input::Accumulator accumulator = input::Accumulator::single;
  bool jerk = false;     // gravity: its time derivative, too
  bool bitwise = false;  // terms of narumi and potentials from portable operations alone
  double range = 0.0;    // of fixed-point and offset sums, force (gravity: acceleration); 0: setRange() or findRange()
  bool excludeAfterwards = false;
  double gravity = 1.0, softening = 0.0;
  Dielectric dielectric = Dielectric::none;
  double coulomb = 1.0, permittivity = 1.0;                  // C, d
  double alpha = 0.0, beta = 0.0, gamma = 0.0, delta = 0.0;  // of zeta
  int types = 1;
  std::vector<double> epsilon, sigma;         // [types][types]
  const comm::Communicator* ranks = nullptr;  // null: one; otherwise several, each with its block of allBodies
  int allBodies = 0;
};

// Bodies of this rank that get new forces: those of the list, rising, or all.
struct Subset {
  DeviceArray<int> active;  // empty: all
  int count = 0;
};

// The bodies it is asked about are this rank's; the forces are those of all ranks' bodies, and exclusions name bodies
// by their tags. What evaluates forces is collective.
class BodyForce {
public:
  virtual ~BodyForce() = default;
  // Takes what the law reads of the bodies.
  virtual void load(const BodyView& bodies) = 0;
  // Of the k-th active body, among those loaded: force (or acceleration, see givesForce()) in value[0..2], with the
  // jerk in value[3..5].
  virtual void sum(const backend::ExcludedPartners& exclusions, const Subset& subset,
                   const DeviceArray<backend::BodySums>& sums) = 0;
  void evaluate(const BodyView& bodies, const backend::ExcludedPartners& exclusions, const Subset& subset,
                const DeviceArray<backend::BodySums>& sums) {
    load(bodies);
    sum(exclusions, subset, sums);
  }
  // Of all pairs, in double precision whatever the forces' precision. Bitwise: whatever the order of summation.
  virtual double potential(const BodyView& bodies, const backend::ExcludedPartners& exclusions) = 0;
  virtual bool givesForce() const = 0;  // else acceleration
  virtual bool needsRange() const = 0;
  virtual double range() const = 0;  // 0: not set
  virtual void setRange(double range) = 0;
  // Largest sum of magnitudes a component of any body has, in whatever order it is summed; a sum that stays below it
  // cannot overflow. Of sums that need no range: 0.
  virtual double largestSum(const BodyView& bodies, const backend::ExcludedPartners& exclusions) = 0;
  virtual bool overflowed() const = 0;  // on this rank, since construction; on a GPU after a fence
  virtual std::size_t bytes() const = 0;
};

// Sets the range from the bodies' largest sum and a margin for what the run will bring: 6 bits of 45. Any range does
// for bodies without forces.
void findRange(BodyForce& force, const BodyView& bodies, const backend::ExcludedPartners& exclusions);

// Throws InputError for a combination that is not offered.
std::unique_ptr<BodyForce> makeBodyForce(const ForceSettings& settings);

// Compiled by physics/variants.cmake.
std::unique_ptr<BodyForce> makeGravity(const ForceSettings& settings);
std::unique_ptr<BodyForce> makeGravityWithJerk(const ForceSettings& settings);
std::unique_ptr<BodyForce> makeLennardJones(const ForceSettings& settings);
std::unique_ptr<BodyForce> makeConstantDielectric(const ForceSettings& settings);
std::unique_ptr<BodyForce> makeLinearDielectric(const ForceSettings& settings);
std::unique_ptr<BodyForce> makeSigmoidalDielectric(const ForceSettings& settings);

}  // namespace mesowarp::nbody
