// DPD with `pair_noise = "multiply"` in single precision: the fastest there is. On a GPU its registers' ports are what limits it,
// so it is compiled with the order of instructions that reads the fewest (CMakeLists.txt beside this).
#include "app/box_forces_impl.hpp"

namespace mesowarp {

template class PairPhaseOf<SinglePrecision, DpdForce<float, true, MultiplyMixing, math::Hardware>, PlainSum<float>>;
template class PairPhaseOf<SinglePrecision, DpdForce<float, false, MultiplyMixing, math::Hardware>, PlainSum<float>>;

}  // namespace mesowarp
