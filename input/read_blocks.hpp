// From the deck's tree to the deck's structs, by the schema.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "input/grammar/diagnostic.hpp"
#include "input/grammar/value.hpp"

namespace mesowarp::input {

struct BlocksRead {
  Deck deck;  // as given: what follows from several blocks is still missing
  std::vector<Diagnostic> diagnostics;
  std::set<std::string> broken;  // names of blocks with errors: what builds on them is better not checked
};

BlocksRead readBlocks(const Node& root, const std::string& file);

}  // namespace mesowarp::input
