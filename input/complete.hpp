// What follows from several parameters together: the rest of the deck's meaning, and errors no single key shows.
#pragma once

#include <string>
#include <vector>

#include "input/method.hpp"
#include "input/read_blocks.hpp"

namespace mesowarp::input {

// All of the below, in this order, each as far as the blocks it needs could be read; between species and faces, what
// methods complete.
void complete(BlocksRead& read);

// Blocks, kinds, styles and columns that the methods of the deck's populations do not have; default columns.
void completeMethods(BlocksRead& read);
// Names are unique; a measure's default name; paths of files are relative to the deck's folder.
void completeNames(BlocksRead& read);
// Species of populations, letters of polymers; interactions name species and cover every pair; bonds name populations.
void completeSpecies(BlocksRead& read);
// Deck::faces from the boundaries.
void completeFaces(BlocksRead& read);
// A table for a deck that asks for no output, and a final checkpoint for one that does not speak of checkpoints.
void completeOutputs(BlocksRead& read);

// Gives a table the columns that a method has where none are named, if it has such of its own.
void useUsualColumns(const MethodBlocks& method, Output& output);

// Files that a deck names, kept in Deck::own.
struct NamedFile {
  std::string key;       // where: "shape.0.file"
  std::string path;      // in full
  bool ofStart = false;  // particles began there; a run that goes on does not need it
};
struct NamedFiles {
  std::vector<NamedFile> all;
};

// A file that a key names relative to the deck's folder: its path in full, here and among the deck's NamedFiles.
void nameFile(Deck& deck, const std::string& key, std::string& file, bool ofStart = false);

// About `rows` rows in `steps` steps: the largest of 1, 2, 5, 10, 20, … that is not above steps / rows, at least 1.
std::int64_t roundInterval(std::int64_t steps, std::int64_t rows);

}  // namespace mesowarp::input
