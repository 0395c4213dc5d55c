// Bodies on the host, as their initial state makes them, in the order of their tags.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "core/types.hpp"
#include "input/deck.hpp"

namespace mesowarp::nbody {

struct HostBodies {
  std::vector<std::array<double, 3>> position, velocity;
  std::vector<double> mass, charge;
  std::vector<u32> species;
  std::vector<std::array<u32, 2>> exclusions;  // pairs without a force, each once

  int count() const { return static_cast<int>(position.size()); }
  // Drops the bodies before `first` and from `first + count` on; exclusions all stay.
  void keep(std::size_t first, std::size_t count);
};

// What the deck's populations of bodies start from, the same on any machine. Throws InputError (files that do not fit
// the deck, two bodies in one place).
HostBodies makeInitialBodies(const input::Deck& deck);

}  // namespace mesowarp::nbody
