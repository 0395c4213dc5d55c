#include "run/recorders/thermo_display.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <spdlog/spdlog.h>

namespace mesowarp {
namespace {

constexpr std::size_t stepWidth = 10, narrowest = 11;  // a number of six digits with its exponent

std::size_t width(const std::string& column) { return std::max(narrowest, column.size()); }

std::size_t lineWidth(const std::vector<std::string>& columns) {
  std::size_t all = stepWidth;
  for (const auto& column : columns) all += 1 + width(column);
  return all;
}

// Sums that ought to stay zero, mostly: the first to go.
bool isVector(const std::string& column) {
  return column.size() > 2 && column[column.size() - 2] == '_' && column.back() >= 'x' && column.back() <= 'z' &&
         column.rfind("pressure", 0) != 0;
}

}  // namespace

ThermoDisplay::ThermoDisplay(std::vector<std::string> columns) : shown_(columns) {
  while (shown_.size() > 1 && lineWidth(shown_) > widest) {
    const auto vector = std::find_if(shown_.rbegin(), shown_.rend(), isVector);
    shown_.erase(vector == shown_.rend() ? shown_.end() - 1 : vector.base() - 1);
  }
  for (auto& column : columns)
    if (std::find(shown_.begin(), shown_.end(), column) == shown_.end()) leftOut_.push_back(std::move(column));
}

void ThermoDisplay::print(i64 step, const std::map<std::string, double>& quantities) {
  if (rows_ == 0 && !leftOut_.empty()) spdlog::info("in thermo.csv also: {}", fmt::join(leftOut_, ", "));
  if (rows_++ % 20 == 0) {
    std::string header = fmt::format("{:>{}}", "step", stepWidth);
    for (const auto& column : shown_) header += fmt::format(" {:>{}}", column, width(column));
    spdlog::info("{}", header);
  }
  std::string row = fmt::format("{:>{}}", step, stepWidth);
  for (const auto& column : shown_) row += fmt::format(" {:>{}.6g}", quantities.at(column), width(column));
  spdlog::info("{}", row);
}

}  // namespace mesowarp
