// A region of the box, made of [[shape]] blocks: where a group's particles are, or a population's start. No Kokkos.
#pragma once

#include <array>
#include <functional>
#include <string>

#include "input/complete.hpp"
#include "input/grammar/diagnostic.hpp"

namespace mesowarp::boundary {

using InRegion = std::function<bool(const std::array<double, 3>&)>;

// Of shapes with not, and, or and brackets. Throws std::runtime_error.
InRegion regionOf(const input::Deck& deck, const std::string& region);
// What of a key `region` is wrong, in words; empty: nothing.
std::string wrongWithRegion(const input::Deck& deck, const std::string& region);

// Of populations that start in regions (start/start_region.hpp).
void completeRegions(input::BlocksRead& read);
void checkRegions(const input::Deck& deck, input::Report& report);

}  // namespace mesowarp::boundary
