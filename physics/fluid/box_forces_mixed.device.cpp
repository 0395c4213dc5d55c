#include "physics/fluid/box_forces_impl.hpp"

namespace mesowarp {

std::unique_ptr<BoxForces<MixedPrecision>> makeMixedForces(const input::Deck& deck, i64 particles) {
  return std::make_unique<BoxForcesOf<MixedPrecision, PlainSum<double>, math::Hardware>>(deck, particles);
}

}  // namespace mesowarp
