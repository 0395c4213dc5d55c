// DPD with `pair_noise = "multiply"` in single precision: the fastest there is. It has a file of its own because on a
// GPU it gains from another order of instructions than the rest (CMakeLists.txt beside this).
#include "physics/fluid/box_forces_impl.hpp"

namespace mesowarp {

template class PairPhaseOf<SinglePrecision, DpdForce<float, true, MultiplyMixing, math::Hardware>, PlainSum<float>>;
template class PairPhaseOf<SinglePrecision, DpdForce<float, false, MultiplyMixing, math::Hardware>, PlainSum<float>>;

}  // namespace mesowarp
