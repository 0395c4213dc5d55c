// Where something stands in a deck.
#pragma once

#include <string>

namespace mesowarp::input {

// 1-based line and column; line 0: a default, or, if `option` says so, an override.
struct Source {
  int line = 0;
  int column = 0;
  std::string option;  // "--set run.steps=100" if a command-line override gave the value
};

}  // namespace mesowarp::input
