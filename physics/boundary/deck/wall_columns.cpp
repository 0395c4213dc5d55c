#include "physics/boundary/deck/wall_columns.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace mesowarp::boundary {

std::vector<std::string> wallColumnNames() {
  std::vector<std::string> names;
  for (const char axis : {'x', 'y', 'z'}) names.push_back(fmt::format("wall_force_{}", axis));
  for (int wall = 1; wall <= wallsWithColumns; ++wall)
    for (const char* what : {"force", "stress"})
      for (const char axis : {'x', 'y', 'z'}) names.push_back(fmt::format("wall{}_{}_{}", wall, what, axis));
  for (const char* name : {"wall_forces", "wall_stresses", "wall_strays"}) names.push_back(name);
  return names;
}

std::vector<std::string> wallColumnsNamedBy(const input::Deck& deck, const std::string& word) {
  std::vector<std::string> columns;
  if (word != "wall_forces" && word != "wall_stresses") return columns;
  for (std::size_t wall = 1; wall <= deck.walls.size(); ++wall)
    for (const char axis : {'x', 'y', 'z'})
      columns.push_back(fmt::format("wall{}_{}_{}", wall, word == "wall_forces" ? "force" : "stress", axis));
  return columns;
}

std::string wallColumnsMean() {
  return "; wall_force_x, …: of the particles on all walls, wall1_force_x, … on the first [[wall]], wall1_stress_x, …: "
         "that by the area of its surface, as means since the row before; wall_forces, wall_stresses: these of all "
         "walls, one by one; wall_strays: particles found inside of a "
         "wall and put back, so far";
}

void WallColumns::addTo(std::map<std::string, double>& quantities, const std::vector<double>& force,
                        std::int64_t strayed) const {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const char letter = "xyz"[axis];
    double all = 0.0;
    for (std::size_t k = axis; k < force.size(); k += 3) all += force[k];
    quantities[fmt::format("wall_force_{}", letter)] += all;
    for (std::size_t wall = 0; wall < std::max<std::size_t>(wallsWithColumns, force.size() / 3); ++wall) {
      const bool there = 3 * wall < force.size();
      const double f = there ? force[3 * wall + axis] : 0.0;
      quantities[fmt::format("wall{}_force_{}", wall + 1, letter)] += f;
      quantities[fmt::format("wall{}_stress_{}", wall + 1, letter)] +=
          there && wall < area.size() && area[wall] > 0.0 ? f / area[wall] : 0.0;
    }
  }
  quantities["wall_strays"] += static_cast<double>(strayed);
}

bool anyOfWalls(const std::vector<std::string>& columns) {
  return std::any_of(columns.begin(), columns.end(), [](const std::string& column) {
    return column.rfind("wall", 0) == 0 && column.find('_') != std::string::npos && column != "wall_time" &&
           column != "wall_strays";
  });
}

WallColumns wallColumnsOf(const input::Deck& deck, const SolidParts& parts) {
  WallColumns columns;
  for (const auto& output : deck.outputs) columns.forces = columns.forces || anyOfWalls(output.columns);
  for (const auto& measure : deck.measures) columns.forces = columns.forces || anyOfWalls(measure.columns);
  if (columns.forces) columns.area = measureSolid(deck, parts).area;
  return columns;
}

SolidMeasure measureSolid(const input::Deck& deck, const SolidParts& parts, double points) {
  // Midpoints of about so many cells, as cubic as can be.
  double volume = 1.0;
  for (const double edge : deck.box.size) volume *= edge;
  const double wanted = std::cbrt(volume / points);
  std::array<int, 3> cells{};
  std::array<double, 3> width{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    cells[axis] = std::clamp(static_cast<int>(std::lround(deck.box.size[axis] / wanted)), 8, 1024);
    width[axis] = deck.box.size[axis] / cells[axis];
  }
  // Two shells of the fluid, at half the reach and at all of it; the surface is as far before the first as that is
  // before the second.
  const double reach = 4.0 * *std::max_element(width.begin(), width.end());
  const auto peak = [&](double distance) {
    const double s = std::abs(distance) < 0.5 * reach ? std::cos(M_PI * distance / reach) : 0.0;
    return s * s * 2.0 / reach;
  };
  const Solid solid = parts.view();
  SolidMeasure measure;
  measure.area.assign(deck.walls.size(), 0.0);
  std::int64_t fluid = 0;
  for (int k = 0; k < cells[2]; ++k)
    for (int j = 0; j < cells[1]; ++j)
      for (int i = 0; i < cells[0]; ++i) {
        const auto [distance, wall] =
            solid(parts.point(deck, {(i + 0.5) * width[0], (j + 0.5) * width[1], (k + 0.5) * width[2]}));
        if (distance < 0.0) continue;
        ++fluid;
        measure.area[static_cast<std::size_t>(wall)] += 2.0 * peak(distance - 0.5 * reach) - peak(distance - reach);
      }
  const double cell = width[0] * width[1] * width[2];
  measure.fluid = static_cast<double>(fluid) * cell / volume;
  for (double& area : measure.area) area = std::max(0.0, area * cell);
  return measure;
}

}  // namespace mesowarp::boundary
