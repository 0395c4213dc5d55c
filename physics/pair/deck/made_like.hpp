// [[interaction]] blocks that the program adds, such as those of the frozen particles of walls. No Kokkos.
#pragma once

namespace mesowarp {

// Of an interaction, in its `own`: the number of the block of the deck that it is made like; -1: the deck has it.
struct MadeLike {
  int block = -1;
};

}  // namespace mesowarp
