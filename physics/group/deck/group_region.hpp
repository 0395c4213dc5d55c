// A region that a group's particles start in. No Kokkos.
#pragma once

#include <array>
#include <functional>
#include <string>

#include "input/deck.hpp"

namespace mesowarp::group {

using InRegion = std::function<bool(const std::array<double, 3>&)>;

// Of shapes with not, and, or and brackets. The deck must be there as long as it is called. Throws std::runtime_error.
InRegion regionOf(const input::Deck& deck, const std::string& region);

}  // namespace mesowarp::group
