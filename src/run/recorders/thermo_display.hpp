// Rows of the table on the screen: the columns that fit.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/types.hpp"

namespace mesowarp {

class ThermoDisplay {
public:
  static constexpr std::size_t widest = 100;  // characters of a line

  explicit ThermoDisplay(std::vector<std::string> columns);

  // A row, now and then with the columns' names above, into the log.
  void print(i64 step, const std::map<std::string, double>& quantities);

  const std::vector<std::string>& shown() const { return shown_; }

private:
  std::vector<std::string> shown_, leftOut_;  // in the table's order
  std::size_t rows_ = 0;
};

}  // namespace mesowarp
