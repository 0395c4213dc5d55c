// How much of the box walls leave.
#pragma once

#include <array>

#include "physics/boundary/deck/solid_text.hpp"

namespace mesowarp::boundary {

// Part of the box that is not solid: 0 to 1. The box is halved where the surface may pass, and the smallest pieces are
// cut by a plane: exact for planes across an axis, and to about 10^-4 for what is bent.
double fluidPart(const input::Deck& deck, const SolidParts& parts);

// A solid, which may be small or thin, or nothing.
struct SolidRoom {
  double part = 0.0;                    // of the box, to 10^-3 where it is 1/2000 of the box thick
  std::array<double, 3> low{}, high{};  // edges of a block that has all of it
};
SolidRoom solidRoom(const input::Deck& deck, const SolidParts& parts);

}  // namespace mesowarp::boundary
