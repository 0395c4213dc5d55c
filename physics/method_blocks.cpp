// The table of methods, as decks see them. A new method is one line here and one in methods.cpp.
#include "input/method.hpp"
#include "physics/fluid/deck/fluid_blocks.hpp"
#include "physics/nbody/deck/body_blocks.hpp"

namespace mesowarp::input {

std::span<const MethodBlocks* const> methodBlocks() {
  static const fluid::FluidBlocks fluid;
  static const nbody::BodyBlocks bodies;
  static const MethodBlocks* const all[] = {&fluid, &bodies};
  return all;
}

}  // namespace mesowarp::input
