#include "io/text/profile_layout.hpp"

#include <algorithm>

namespace mesowarp::io::profile {

bool isChosen(const Quantity& quantity, const std::vector<std::string>& chosen) {
  return std::find(chosen.begin(), chosen.end(), quantity.name) != chosen.end();
}

std::vector<BinSeries> binSeriesOf(const std::vector<std::string>& chosen) {
  std::vector<BinSeries> series{{"count", &ProfileBlock::count, 1, false}};
  for (const auto& quantity : quantities)
    if (isChosen(quantity, chosen)) series.push_back({quantity.name, quantity.value, quantity.width, false});
  for (const auto& quantity : quantities)
    if (isChosen(quantity, chosen))
      series.push_back({quantity.name + std::string("_error"), quantity.error, quantity.width, true});
  return series;
}

namespace {

// velocity: velocity_x, velocity_y, velocity_z; the others: one column.
void addColumns(std::vector<std::string>& columns, const Quantity& quantity, const std::string& suffix) {
  for (std::size_t axis = 0; axis < quantity.width; ++axis)
    columns.push_back(quantity.name + (quantity.width > 1 ? std::string("_") + "xyz"[axis] : "") + suffix);
}

}  // namespace

std::vector<std::string> csvColumnsOf(const std::vector<std::string>& chosen) {
  std::vector<std::string> columns{"block", "first_step", "last_step", "coordinate"};
  for (const auto& quantity : quantities)
    if (isChosen(quantity, chosen)) addColumns(columns, quantity, "");
  columns.insert(columns.end(), {"samples", "count"});
  for (const auto& quantity : quantities)
    if (isChosen(quantity, chosen)) addColumns(columns, quantity, "_error");
  return columns;
}

}  // namespace mesowarp::io::profile
