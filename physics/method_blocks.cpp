// The table of methods, as decks see them: a new method is one line here, and one in methods.cpp.
#include "input/method.hpp"
#include "physics/fluid/deck/fluid_blocks.hpp"
#include "physics/mpcd/deck/mpcd_blocks.hpp"
#include "physics/nbody/deck/body_blocks.hpp"
#include "physics/tracers/deck/tracer_blocks.hpp"

namespace mesowarp::input {

std::span<const MethodBlocks* const> methodBlocks() {
  // Measures and the usual columns of a table are of the first that a deck has: what stands beside others comes last.
  static const MethodBlocks* const all[] = {&fluid::fluidBlocks(), &nbody::bodyBlocks(), &mpcd::mpcdBlocks(),
                                            &tracers::tracerBlocks()};
  return all;
}

}  // namespace mesowarp::input
