// The pair force of a step without its integration, which the program compiles together alone.
#pragma once

#include <functional>

#include "input/deck.hpp"
#include "kernels/pairs/pair_kernel.hpp"

namespace mesowarp {

// Adds the DPD forces of so many particles, of one species, to their sums.
template <class P>
using PairForceAlone = std::function<void(const PairState<P>&, const SummedForces&, int)>;

// Of a deck of `mesowarp bench`.
template <class P>
PairForceAlone<P> pairForceAlone(const input::Deck& deck, i64 particles);

}  // namespace mesowarp
