#include "physics/fluid/box_forces_impl.hpp"

namespace mesowarp {

std::unique_ptr<BoxForces<DoublePrecision>> makeDoubleFixedForces(const input::Deck& deck, i64 particles) {
  return std::make_unique<BoxForcesOf<DoublePrecision, FixedSum<double>, math::Portable>>(deck, particles);
}

}  // namespace mesowarp
