// Whether the fluid can flow through the box between the walls.
#pragma once

#include "input/grammar/diagnostic.hpp"
#include "physics/boundary/deck/solid_text.hpp"

namespace mesowarp::boundary {

// Whether a way through the fluid leads from the box into its next image along an axis, on a grid of places no more
// than a quarter of `cutoff` apart, or of some four million.
bool isOpenAlong(const input::Deck& deck, const SolidParts& parts, int axis, double cutoff);

// Of all that makes the fluid flow: that walls leave it a way.
void checkChannels(const input::Deck& deck, const SolidParts& parts, double cutoff, input::Report& report);

}  // namespace mesowarp::boundary
