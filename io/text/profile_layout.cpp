#include "io/text/profile_layout.hpp"

#include <algorithm>

namespace mesowarp::io::profile {

bool isChosen(const Quantity& quantity, const std::vector<std::string>& chosen) {
  return std::find(chosen.begin(), chosen.end(), quantity.name) != chosen.end();
}

std::vector<std::string> furtherOf(const std::vector<std::string>& chosen) {
  std::vector<std::string> names;
  for (const auto& name : chosen)
    if (std::none_of(quantities.begin(), quantities.end(), [&](const Quantity& q) { return q.name == name; }))
      names.push_back(name);
  return names;
}

const std::vector<double>& BinSeries::of(const ProfileBlock& block) const {
  static const std::vector<double> none;
  if (member) return block.*member;
  const auto& all = isOptional ? block.furtherError : block.further;
  return further < all.size() ? all[further] : none;
}

std::vector<BinSeries> binSeriesOf(const std::vector<std::string>& chosen) {
  std::vector<BinSeries> series{{"count", &ProfileBlock::count, 1, false}};
  for (const auto& quantity : quantities)
    if (isChosen(quantity, chosen)) series.push_back({quantity.name, quantity.value, quantity.width, false});
  const auto names = furtherOf(chosen);
  for (std::size_t k = 0; k < names.size(); ++k) series.push_back({names[k], nullptr, 1, false, k});
  for (const auto& quantity : quantities)
    if (isChosen(quantity, chosen))
      series.push_back({quantity.name + std::string("_error"), quantity.error, quantity.width, true});
  for (std::size_t k = 0; k < names.size(); ++k) series.push_back({names[k] + "_error", nullptr, 1, true, k});
  return series;
}

namespace {

// velocity: velocity_x, velocity_y, velocity_z; the others: one column.
void addColumns(std::vector<std::string>& columns, const Quantity& quantity, const ProfileLayout& layout,
                const std::string& suffix) {
  for (std::size_t k = 0; k < quantity.width; ++k)
    columns.push_back(quantity.name + (quantity.width > 1 ? "_" + layout.components[k] : "") + suffix);
}

}  // namespace

std::vector<std::string> csvColumnsOf(const ProfileLayout& layout) {
  const std::vector<std::string>& chosen = layout.quantities;
  std::vector<std::string> columns{"block", "first_step", "last_step", layout.along};
  for (const auto& quantity : quantities)
    if (isChosen(quantity, chosen)) addColumns(columns, quantity, layout, "");
  const auto names = furtherOf(chosen);
  columns.insert(columns.end(), names.begin(), names.end());
  columns.insert(columns.end(), {"samples", "count"});
  for (const auto& quantity : quantities)
    if (isChosen(quantity, chosen)) addColumns(columns, quantity, layout, "_error");
  for (const auto& name : names) columns.push_back(name + "_error");
  return columns;
}

}  // namespace mesowarp::io::profile
