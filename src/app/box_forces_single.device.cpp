#include "app/box_forces_impl.hpp"

namespace mesowarp {

std::unique_ptr<BoxForces<SinglePrecision>> makeSingleForces(const input::Deck& deck, i64 particles) {
  return std::make_unique<BoxForcesOf<SinglePrecision, PlainSum<float>, math::Hardware>>(deck, particles);
}

}  // namespace mesowarp
