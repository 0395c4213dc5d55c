// The CPU's loop over pairs for every force, accumulator and variant that box_forces_*.device.cpp and the sources of
// forces apart (apart_loops.hpp) compile of one precision, to be compiled for vector units that the machine need not
// have and read by test_vector_loops.py: PairLoop<…>::evaluate alone.
#pragma once

#include "kernels/pairs/pair_block_cpu.hpp"
#include "physics/pair/dpd.hpp"
#include "physics/pair/lennard_jones.hpp"
#include "tests/unit/support/test_exchange.hpp"

namespace mesowarp::test {

// What PairLoop needs of a PairKernel.
template <class P_, class Force_, class Sum_, bool OneSpecies>
struct Kernel {
  using P = P_;
  using Force = Force_;
  using Sum = Sum_;
  static constexpr bool oneSpecies = OneSpecies;
  PairState<P> state;
  CoefficientTable<Force> pairs;
  OwnReads<Force> reads;
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
template <class P, class Math>
using Exchange = ExchangeForce<typename P::Real, Math>;

}  // namespace mesowarp::test

#define MESOWARP_PAIR_LOOP(P, FORCE, SUM, MATH, ONE, OBSERVE)                                                          \
  template void mesowarp::backend::PairLoop<                                                                           \
      mesowarp::test::Kernel<mesowarp::P, mesowarp::test::FORCE<mesowarp::P, mesowarp::math::MATH>, mesowarp::SUM,     \
                             ONE>,                                                                                     \
      OBSERVE>::evaluate(int);
#define MESOWARP_PAIR_LOOPS_OF(SUM, MATH, ONE, OBSERVE, P)                                                             \
  MESOWARP_PAIR_LOOP(P, Lj, SUM, MATH, ONE, OBSERVE)                                                                   \
  MESOWARP_PAIR_LOOP(P, DpdTea, SUM, MATH, ONE, OBSERVE)                                                               \
  MESOWARP_PAIR_LOOP(P, DpdTeaPower, SUM, MATH, ONE, OBSERVE)                                                          \
  MESOWARP_PAIR_LOOP(P, DpdMultiply, SUM, MATH, ONE, OBSERVE)                                                          \
  MESOWARP_PAIR_LOOP(P, DpdMultiplyPower, SUM, MATH, ONE, OBSERVE)                                                     \
  MESOWARP_PAIR_LOOP(P, Exchange, SUM, MATH, ONE, OBSERVE)
// Several species, plain and observed; one species, plain.
#define MESOWARP_PAIR_LOOPS(P, SUM, MATH)                                                                              \
  MESOWARP_PAIR_LOOPS_OF(SUM, MATH, false, false, P)                                                                   \
  MESOWARP_PAIR_LOOPS_OF(SUM, MATH, false, true, P)
#define MESOWARP_PAIR_LOOPS_ONE(P, SUM, MATH) MESOWARP_PAIR_LOOPS_OF(SUM, MATH, true, false, P)
