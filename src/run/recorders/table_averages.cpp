#include "run/recorders/table_averages.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "input/method.hpp"
#include "run/recorders/no_value.hpp"
#include "run/recorders/thermo.hpp"

namespace mesowarp {
namespace {

bool keepsItsEnergy(const input::Deck& deck) {
  const auto methods = input::methodsOf(deck);
  return std::all_of(methods.begin(), methods.end(), [&](auto* method) { return method->keepsEnergy(deck); });
}

double largestEnergyError(const std::vector<double>& energy) {
  double largest = 0.0;
  for (const double e : energy) largest = std::max(largest, std::abs(e - energy.front()));
  return energy.empty() || energy.front() == 0.0 ? noValue : largest / std::abs(energy.front());
}

const ColumnAverage* find(const TableAverages& averages, const std::string& column) {
  const auto it =
      std::find_if(averages.columns.begin(), averages.columns.end(), [&](const auto& a) { return a.column == column; });
  return it == averages.columns.end() ? nullptr : &*it;
}

}  // namespace

bool isBookkeeping(const std::string& column) {
  return column == "time" || column == "wall_time" || column == "particle_steps_per_second" || column == "rebuilds";
}

TableAverages tableAverages(const std::vector<std::pair<std::string, std::vector<double>>>& columns,
                            const input::Deck& deck) {
  TableAverages averages;
  averages.energyError = noValue;
  for (const auto& [name, all] : columns) {
    if (isBookkeeping(name)) continue;
    averages.rows = all.size() - all.size() / 2;
    const auto [mean, error] = blockAverage({all.begin() + static_cast<std::ptrdiff_t>(all.size() / 2), all.end()});
    averages.columns.push_back({name, mean, error});
    if (name == "total_energy" && keepsItsEnergy(deck)) averages.energyError = largestEnergyError(all);
  }
  return averages;
}

nlohmann::json jsonOf(const TableAverages& averages) {
  nlohmann::json json{{"rows", averages.rows}};
  for (const auto& [column, mean, error] : averages.columns) json[column] = mean, json[column + "_error"] = error;
  if (!std::isnan(averages.energyError)) json["relative_energy_error"] = averages.energyError;
  return json;
}

std::string textOf(const TableAverages& averages, const input::Deck& deck) {
  const auto shown = input::methodsOf(deck).front()->headlines();
  std::string text;
  for (const auto& [column, name] : shown)
    if (const auto* a = find(averages, column))
      text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name, withError(a->mean, a->error));
  if (!std::isnan(averages.energyError))
    text += fmt::format("{}largest relative energy error {:.2g}", text.empty() ? "" : ", ", averages.energyError);
  return text;
}

std::string withError(double value, double error) {
  if (!std::isfinite(value) || !std::isfinite(error)) return fmt::format("{:.6g}", value);
  if (!(error > 0.0)) return fmt::format("{:.10g} ± 0", value);
  const int places = 1 - static_cast<int>(std::floor(std::log10(error)));
  if (places > 15) return fmt::format("{:.16g} ± {:.1e}", value, error);
  return fmt::format("{:.{}f} ± {:.{}f}", value, std::max(places, 0), error, std::max(places, 0));
}

}  // namespace mesowarp
