// The same for the forces that are compiled apart, with the usual ways of adding up: physics/fluid/apart/
// conservative.hpp and physics/fluid/apart/transport.hpp. All look their coefficients up; of transport's forces those
// that may end a step have a loop for one species beside, and so has the density, which nobody observes.
#pragma once

#include "pair_loops.hpp"
#include "physics/pair/between_molecules.hpp"
#include "physics/pair/flow_friction.hpp"
#include "physics/pair/many_body.hpp"
#include "physics/pair/morse.hpp"
#include "physics/pair/soft.hpp"
#include "physics/pair/table.hpp"
#include "physics/transport/transport_force.hpp"

namespace mesowarp::test {

template <class P, class Math>
using Friction = FlowFriction<typename P::Real, Math>;
template <class P, class Math>
using Soft = SoftForce<typename P::Real, Math>;
template <class P, class Math>
using Table = TableForce<typename P::Real, Math>;
template <class P, class Math>
using Morse = MorseForce<typename P::Real, Math>;
template <class P, class Math>
using SoftBetween = BetweenMolecules<Soft<P, Math>>;
template <class P, class Math>
using LjBetween = BetweenMolecules<Lj<P, Math>>;
template <class P, class Math>
using MorseBetween = BetweenMolecules<Morse<P, Math>>;
template <class P, class Math>
using Density = DensitySum<typename P::Real, Math>;
template <class P, class Math>
using ManyBody = ManyBodyForce<typename P::Real, Math>;
template <class P, class Math>
using RandomFlux = transport::RandomFlux<typename P::Real, Math>;
template <class P, class Math>
using FurtherFlux = transport::FluxForce<typename P::Real, Math>;
template <class P, class Math>
using Transport1 = transport::TransportForce<typename P::Real, 1, Math>;
template <class P, class Math>
using Transport4 = transport::TransportForce<typename P::Real, 4, Math>;
template <class P, class Math>
using Transport12 = transport::TransportForce<typename P::Real, 12, Math>;

}  // namespace mesowarp::test

// Several species, plain and observed.
#define MESOWARP_LOOKING_UP(P, FORCE, SUM, MATH)                                                                       \
  MESOWARP_PAIR_LOOP(P, FORCE, SUM, MATH, false, false)                                                                \
  MESOWARP_PAIR_LOOP(P, FORCE, SUM, MATH, false, true)
#define MESOWARP_CONSERVATIVE_LOOPS(P, SUM, MATH)                                                                      \
  MESOWARP_LOOKING_UP(P, Friction, SUM, MATH)                                                                          \
  MESOWARP_LOOKING_UP(P, Soft, SUM, MATH)                                                                              \
  MESOWARP_LOOKING_UP(P, Table, SUM, MATH)                                                                             \
  MESOWARP_LOOKING_UP(P, Morse, SUM, MATH)                                                                             \
  MESOWARP_LOOKING_UP(P, SoftBetween, SUM, MATH)                                                                       \
  MESOWARP_LOOKING_UP(P, LjBetween, SUM, MATH)                                                                         \
  MESOWARP_LOOKING_UP(P, MorseBetween, SUM, MATH)                                                                      \
  MESOWARP_LOOKING_UP(P, ManyBody, SUM, MATH)                                                                          \
  MESOWARP_PAIR_LOOP(P, Density, SUM, MATH, false, false)                                                              \
  MESOWARP_PAIR_LOOP(P, Density, SUM, MATH, true, false)
#define MESOWARP_TRANSPORT_LOOPS(P, SUM, MATH)                                                                         \
  MESOWARP_LOOKING_UP(P, RandomFlux, SUM, MATH)                                                                        \
  MESOWARP_LOOKING_UP(P, FurtherFlux, SUM, MATH)                                                                       \
  MESOWARP_TRANSPORT_LOOPS_OF(P, Transport1, SUM, MATH)                                                                \
  MESOWARP_TRANSPORT_LOOPS_OF(P, Transport4, SUM, MATH)                                                                \
  MESOWARP_TRANSPORT_LOOPS_OF(P, Transport12, SUM, MATH)
#define MESOWARP_TRANSPORT_LOOPS_OF(P, FORCE, SUM, MATH)                                                               \
  MESOWARP_LOOKING_UP(P, FORCE, SUM, MATH)                                                                             \
  MESOWARP_PAIR_LOOP(P, FORCE, SUM, MATH, true, false)
