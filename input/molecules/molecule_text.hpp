// Molecules in words: "A4(B2)A4" is a chain of eight A with a branch of two B at the fourth one. A letter is a bead, a
// number behind it says how many follow each other; round brackets are a branch at the bead before them, with a number
// behind several of the same (a star: "A(B5)3"); square ones with a number repeat what is in them ("[A2B]10", a comb:
// "[A(B3)]10").
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "input/deck.hpp"

namespace mesowarp::input {

// Beads in the order in which they are written; each but the first is bonded to one before it.
struct Molecule {
  std::string beads;        // a letter each
  std::vector<int> parent;  // -1: none
  bool branched() const;
};

struct MoleculeError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Throws MoleculeError, which says where it goes wrong.
Molecule moleculeOf(const std::string& text);

// Of a population: as its `molecule` says, or a chain of its `blocks`.
Molecule moleculeOf(const Population& population);

}  // namespace mesowarp::input
