// Names of a deck's groups, which measures may name beside species; their method fills it in.
#pragma once

#include <string>
#include <vector>

namespace mesowarp::input {

struct GroupNames {
  std::vector<std::string> all;
};

}  // namespace mesowarp::input
