// The signed distance to a deck's walls.
#include <memory>

#include "physics/boundary/deck/solid_text.hpp"
#include "physics/fluid/deck/fluid_blocks.hpp"

namespace mesowarp::fluid {

FluidBlocks::Distance FluidBlocks::distanceToWalls(const input::Deck& deck) const {
  if (deck.walls.empty()) return {};
  const auto parts = std::make_shared<boundary::SolidParts>(boundary::solidOf(deck));
  return [parts, &deck](const std::array<double, 3>& x) { return parts->view()(parts->point(deck, x)).distance; };
}

}  // namespace mesowarp::fluid
