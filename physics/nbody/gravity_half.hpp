// Gravity among very many bodies on a GPU, in single precision: its kernels are in gravity_half.device.cpp alone, which
// is assembled with the order of instructions that all_pairs_half_gpu.hpp asks for. Included by what launches them.
#pragma once

#include "kernels/all_pairs/all_pairs.hpp"
#include "physics/nbody/gravity.hpp"

#ifdef KOKKOS_ENABLE_CUDA
namespace mesowarp {

template <bool Jerk>
using SingleGravity = nbody::Gravity<float, false, Jerk>;
template <bool Jerk>
using SingleGravityTask = backend::PairsView<SingleGravity<Jerk>>;

extern template void backend::launchHalf<SingleGravity<false>, PlainSum, 4>(const char*,
                                                                            const SingleGravityTask<false>&,
                                                                            const backend::PairsShape&,
                                                                            PlainTotal<float>*);
extern template void backend::launchHalf<SingleGravity<true>, PlainSum, 4>(const char*, const SingleGravityTask<true>&,
                                                                           const backend::PairsShape&,
                                                                           PlainTotal<float>*);

}  // namespace mesowarp
#endif
