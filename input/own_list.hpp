// Blocks that one method alone has and that may stand in a deck any number of times: [[name]].
#pragma once

#include <map>
#include <string>
#include <vector>

#include "input/grammar/own.hpp"
#include "input/grammar/source.hpp"

namespace mesowarp::input {

// One of them; its parameters are a value of the method's own type.
struct OwnItem {
  Own own;
  Source where;
};
using OwnLists = std::map<std::string, std::vector<OwnItem>>;  // by the block's name

}  // namespace mesowarp::input
