#include "physics/fluid/box_forces_impl.hpp"

namespace mesowarp {

// In box_forces_single_multiply.device.cpp.
extern template class PairPhaseOf<SinglePrecision, DpdForce<float, true, MultiplyMixing, math::Hardware>,
                                  PlainSum<float>>;
extern template class PairPhaseOf<SinglePrecision, DpdForce<float, false, MultiplyMixing, math::Hardware>,
                                  PlainSum<float>>;

std::unique_ptr<BoxForces<SinglePrecision>> makeSingleForces(const input::Deck& deck, i64 particles) {
  return std::make_unique<BoxForcesOf<SinglePrecision, PlainSum<float>, math::Hardware>>(deck, particles);
}

}  // namespace mesowarp
