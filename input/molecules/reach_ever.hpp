// How far forces and bonds come to reach where their numbers change with the step, and what else ghosts are needed for
// (membranes). Who knows fills it in; lists, cells and ghosts are made for it.
#pragma once

namespace mesowarp::input {

// Of an interaction, in its `own`: the largest cutoff, length; 0: it stays.
struct CutoffEver {
  double cutoff = 0.0;
};
// Of a deck, in its `own`: the most that ghosts need, and the most that they should have where parts have room for it,
// length; 0: what bonds, angles and dihedrals say.
struct BondsEver {
  double reach = 0.0, longest = 0.0;
};

}  // namespace mesowarp::input
