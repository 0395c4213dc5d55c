#include "physics/fluid/box_forces_impl.hpp"

namespace mesowarp {

std::unique_ptr<BoxForces<SinglePrecision>> makeSingleFixedForces(const input::Deck& deck, i64 particles) {
  return std::make_unique<BoxForcesOf<SinglePrecision, FixedSum<float>, math::Portable>>(deck, particles);
}

}  // namespace mesowarp
