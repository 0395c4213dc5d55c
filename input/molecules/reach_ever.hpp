// How far forces and bonds come to reach where their numbers change with the step. The method that changes them fills
// it in; lists, cells and ghosts are made for it.
#pragma once

namespace mesowarp::input {

// Of an interaction, in its `own`: the largest cutoff, length; 0: it stays.
struct CutoffEver {
  double cutoff = 0.0;
};
// Of a deck, in its `own`: the most that ghosts need for bonds, and the longest FENE bond, length; 0: they stay.
struct BondsEver {
  double reach = 0.0, longest = 0.0;
};

}  // namespace mesowarp::input
