// Particles on the host, as the initial state makes them; index = tag.
#pragma once

#include <array>
#include <vector>

#include "core/box.hpp"
#include "input/deck.hpp"

namespace mesowarp {

struct HostParticles {
  std::vector<std::array<u64, 3>> position;     // 64-bit coordinates
  std::vector<std::array<double, 3>> velocity;
  std::vector<u32> species;
  struct Bond {
    u32 a, b;  // tags
    int type;  // index into the deck's bonds
  };
  std::vector<Bond> bonds;

  int count() const { return static_cast<int>(position.size()); }
  int mostBondsOfAParticle() const;
};

Box boxOf(const input::Deck& deck);
std::vector<double> massesOf(const input::Deck& deck);  // of each species

// Builds the state the deck asks for. Throws InputError (files that do not fit the deck).
HostParticles makeInitialState(const input::Deck& deck);

}  // namespace mesowarp
