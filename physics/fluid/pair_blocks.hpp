// What of the pair kernels of a CPU does not depend on the force (kernels/pairs/pair_block_cpu.hpp), for the shapes
// that most forces have and the usual ways of adding up: compiled once, in sources made of pair_blocks.device.cpp.in,
// and left out of all others. On a GPU a kernel is its force's own, and there is nothing to share.
#pragma once

#include "kernels/pairs/pair_kernel.hpp"
#include "physics/fluid/box_forces.hpp"

#ifdef KOKKOS_ENABLE_CUDA
#define MESOWARP_PAIR_BLOCKS(WHERE, P, SUM)
#else
// Forces that read velocities and noise (DPD), and those that read neither; where coefficients are looked up, all four
// ways to run, else plain ones: last forces, and those of the second kind (PairPhaseOf::usual).
#define MESOWARP_PAIR_BLOCKS(WHERE, P, SUM)                                                                            \
  MESOWARP_PLAIN_BLOCKS(WHERE, AddedBlocks, P, SUM, false, false)                                                      \
  MESOWARP_PAIR_BLOCKS_OF(WHERE, P, SUM, true)                                                                         \
  MESOWARP_PAIR_BLOCKS_OF(WHERE, P, SUM, false)
#define MESOWARP_PAIR_BLOCKS_OF(WHERE, P, SUM, DPD)                                                                    \
  MESOWARP_PLAIN_BLOCKS(WHERE, LastBlocks, P, SUM, DPD, false)                                                         \
  MESOWARP_PLAIN_BLOCKS(WHERE, LastBlocks, P, SUM, DPD, true)                                                          \
  MESOWARP_PLAIN_BLOCKS(WHERE, AddedBlocks, P, SUM, DPD, true)                                                         \
  MESOWARP_OBSERVED_BLOCKS(WHERE, LastBlocks, P, SUM, DPD)                                                             \
  MESOWARP_OBSERVED_BLOCKS(WHERE, AddedBlocks, P, SUM, DPD)
#define MESOWARP_PLAIN_BLOCKS(WHERE, BLOCKS, P, SUM, DPD, SPECIES)                                                     \
  WHERE template void backend::runBlocks(const char*, const BLOCKS<P, SUM, backend::FetchedParts<DPD, DPD, SPECIES>>&);
#define MESOWARP_OBSERVED_BLOCKS(WHERE, BLOCKS, P, SUM, DPD)                                                           \
  WHERE template void backend::observeBlocks(                                                                          \
      const char*, const BLOCKS<P, SUM, backend::FetchedParts<DPD, DPD, true>>&, ThermoSums&);

namespace mesowarp {

template <class P, class Sum, class Fetched>
using LastBlocks = backend::PairBlockKernel<backend::PairShape<P, Sum, Fetched, 0>,
                                            CloseForce<typename P::Real, typename Sum::Total, Epilogue<P>>>;
template <class P, class Sum, class Fetched>
using AddedBlocks = backend::PairBlockKernel<backend::PairShape<P, Sum, Fetched, 0>, AddToForce<typename Sum::Total>>;

}  // namespace mesowarp
#endif
