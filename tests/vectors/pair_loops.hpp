// The CPU's loop over pairs for every force, accumulator and variant that box_forces_*.device.cpp compile of one
// precision, to be compiled for vector units that the machine need not have and read by test_vector_loops.py:
// PairBlock<…>::evaluate alone.
#pragma once

#include "kernels/pairs/pair_block_cpu.hpp"
#include "physics/pair/dpd.hpp"
#include "physics/pair/lennard_jones.hpp"

namespace mesowarp::test {

// What PairBlock needs of a PairKernel.
template <class P_, class Force_, class Sum_, bool OneSpecies>
struct Kernel {
  using P = P_;
  using Force = Force_;
  using Sum = Sum_;
  static constexpr bool oneSpecies = OneSpecies;
  PairState<P> state;
  PairTable<Force> pairs;
};

template <class P, class Math>
using Lj = LennardJonesForce<typename P::Real, Math>;
template <class P, class Math>
using DpdTea = DpdForce<typename P::Real, true, TeaMixing, Math>;
template <class P, class Math>
using DpdTeaPower = DpdForce<typename P::Real, false, TeaMixing, Math>;
template <class P, class Math>
using DpdMultiply = DpdForce<typename P::Real, true, MultiplyMixing, Math>;
template <class P, class Math>
using DpdMultiplyPower = DpdForce<typename P::Real, false, MultiplyMixing, Math>;

}  // namespace mesowarp::test

// Plain and observed.
#define MESOWARP_PAIR_LOOPS_OF(P, FORCE, SUM, MATH, ONE)                                                               \
  template void mesowarp::backend::PairBlock<                                                                          \
      mesowarp::test::Kernel<mesowarp::P, mesowarp::test::FORCE<mesowarp::P, mesowarp::math::MATH>, mesowarp::SUM,     \
                             ONE>,                                                                                     \
      false>::evaluate(int);                                                                                           \
  template void mesowarp::backend::PairBlock<                                                                          \
      mesowarp::test::Kernel<mesowarp::P, mesowarp::test::FORCE<mesowarp::P, mesowarp::math::MATH>, mesowarp::SUM,     \
                             ONE>,                                                                                     \
      true>::evaluate(int);
#define MESOWARP_PAIR_LOOPS(P, SUM, MATH, ONE)                                                                         \
  MESOWARP_PAIR_LOOPS_OF(P, Lj, SUM, MATH, ONE)                                                                        \
  MESOWARP_PAIR_LOOPS_OF(P, DpdTea, SUM, MATH, ONE)                                                                    \
  MESOWARP_PAIR_LOOPS_OF(P, DpdTeaPower, SUM, MATH, ONE)                                                               \
  MESOWARP_PAIR_LOOPS_OF(P, DpdMultiply, SUM, MATH, ONE)                                                               \
  MESOWARP_PAIR_LOOPS_OF(P, DpdMultiplyPower, SUM, MATH, ONE)
