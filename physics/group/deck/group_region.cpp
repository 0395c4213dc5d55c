#include "physics/group/deck/group_region.hpp"

#include <memory>

#include "physics/boundary/deck/solid_text.hpp"

namespace mesowarp::group {

// The inside of a solid made of these shapes.
InRegion regionOf(const input::Deck& deck, const std::string& region) {
  auto alone = std::make_shared<input::Deck>(deck);
  input::Wall solid;
  solid.name = "region", solid.solid = region;
  alone->walls = {solid};
  const auto parts = std::make_shared<boundary::SolidParts>(boundary::solidOf(*alone));
  return [alone, parts](const std::array<double, 3>& x) { return parts->view()(parts->point(*alone, x)).distance < 0; };
}

}  // namespace mesowarp::group
