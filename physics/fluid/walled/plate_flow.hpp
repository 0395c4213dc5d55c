// A fluid of a deck between two plates: the flow in which is found out before a run what walls need.
#pragma once

#include "input/deck.hpp"

namespace mesowarp::fluid {

struct PlateFlow {
  // Lengths in cutoffs.
  static constexpr double gap = 6.0, thickness = 1.6, height = gap + 2.0 * thickness;
  static constexpr double speedOfPlates = 2.0;  // in thermal velocities

  input::Deck deck;      // two walls and the fluid between them, nothing that drives or changes it
  double width = 10.0;   // of the plates, in cutoffs
  double cutoff = 0.0;   // the largest of its interactions, length
  double reach = 0.0;    // r_c of the drag: the largest cutoff of DPD's, length
  double mass = 1.0;     // of a particle
  double thermal = 0.0;  // velocity
};

// Of the deck's fluid in the first step, with single beads, without membranes, at walls like this one.
PlateFlow plateFlow(const input::Deck& of, const input::Wall& like);

}  // namespace mesowarp::fluid
