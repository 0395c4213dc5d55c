// Reads a table that TableWriter wrote.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace mesowarp::io {

struct Table {
  std::vector<std::int64_t> step;
  std::map<std::string, std::vector<double>> columns;  // as many numbers each as there are steps
};

// The same numbers as were written; ends at the first row that is incomplete or holds something else. A file that is
// missing or empty gives an empty table.
Table readTable(const std::string& path);

}  // namespace mesowarp::io
