// Columns of a table that walls fill.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "physics/boundary/deck/solid_text.hpp"

namespace mesowarp::boundary {

// Walls whose columns can be asked for one by one, from 1.
constexpr int wallsWithColumns = 4;

// All of them, and what they mean.
std::vector<std::string> wallColumnNames();
std::string wallColumnsMean();
// "wall_forces", "wall_stresses": those of each wall, however many there are. Empty: another word.
std::vector<std::string> wallColumnsNamedBy(const input::Deck& deck, const std::string& word);

// Whether one of them is a force or a stress: a mean since somebody's last look.
bool anyOfWalls(const std::vector<std::string>& columns);

struct WallColumns {
  bool forces = false;       // a table or a measure asks for forces or stresses
  std::vector<double> area;  // of each wall's surface, length^2

  // force: 3 numbers a wall.
  void addTo(std::map<std::string, double>& quantities, const std::vector<double>& force, std::int64_t strayed) const;
};
WallColumns wallColumnsOf(const input::Deck& deck, const SolidParts& parts);

// What walls leave of the box, from points on a regular grid: part of the box that is fluid; area of each wall's
// surface, length^2: the integral over the fluid of a narrow peak at distance zero (where
// two solids touch there is none).
struct SolidMeasure {
  double fluid = 0.0;
  std::vector<double> area;
};
constexpr double finePoints = 2097152.0, coarsePoints = 65536.0;  // a coarse grid may miss a narrow gap
SolidMeasure measureSolid(const input::Deck& deck, const SolidParts& parts, double points = finePoints);

}  // namespace mesowarp::boundary
