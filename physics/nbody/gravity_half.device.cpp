#include "physics/nbody/gravity_half.hpp"

#ifdef KOKKOS_ENABLE_CUDA
namespace mesowarp {

template void backend::launchHalf<SingleGravity<false>, PlainSum, 4>(const char*, const SingleGravityTask<false>&,
                                                                     const backend::PairsShape&, PlainTotal<float>*);
template void backend::launchHalf<SingleGravity<true>, PlainSum, 4>(const char*, const SingleGravityTask<true>&,
                                                                    const backend::PairsShape&, PlainTotal<float>*);

}  // namespace mesowarp
#endif
