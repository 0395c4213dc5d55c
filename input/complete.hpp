// What follows from several parameters together: the rest of the deck's meaning, and errors no single key shows.
#pragma once

#include "input/read_blocks.hpp"

namespace mesowarp::input {

// All of the below, in this order, each as far as the blocks it needs could be read.
void complete(BlocksRead& read);

// What bodies and other particles do not share: blocks, kinds, styles; defaults of bodies.
void completeMethod(BlocksRead& read);
// Names are unique; a measure's default name; paths of files are relative to the deck's folder.
void completeNames(BlocksRead& read);
// Species of populations, letters of polymers; interactions name species and cover every pair; bonds name populations.
void completeSpecies(BlocksRead& read);
// sigma^2 = 2 gamma k_BT of every DPD interaction; cutoffs of Lennard-Jones.
void completeForces(BlocksRead& read);
// Accumulator and range of the sums; needs masses and cutoffs.
void completeSums(BlocksRead& read);
// Deck::faces from the boundaries.
void completeFaces(BlocksRead& read);
// A table for a deck that asks for no output, and a final checkpoint for one that does not speak of checkpoints.
void completeOutputs(BlocksRead& read);

// Default columns of a table about bodies.
std::vector<std::string> bodyColumns();

// About `rows` rows in `steps` steps: the largest of 1, 2, 5, 10, 20, … that is not above steps / rows, at least 1.
std::int64_t roundInterval(std::int64_t steps, std::int64_t rows);

}  // namespace mesowarp::input
