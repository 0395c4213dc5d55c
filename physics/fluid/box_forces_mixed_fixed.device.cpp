#include "physics/fluid/box_forces_impl.hpp"

namespace mesowarp {

std::unique_ptr<BoxForces<MixedPrecision>> makeMixedFixedForces(const input::Deck& deck, i64 particles) {
  return std::make_unique<BoxForcesOf<MixedPrecision, FixedSum<double>, math::Portable>>(deck, particles);
}

}  // namespace mesowarp
