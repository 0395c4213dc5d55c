// What a table tells of one cell, from the places of its vertices.
#pragma once

#include "physics/membrane/deck/membrane_deck.hpp"
#include "physics/membrane/mesh/rings.hpp"

namespace mesowarp::membrane {

struct CellMeasures {
  Point centre{};  // mean of the vertices, length
  Point normal{};  // direction of the shortest axis, its z component not below 0
  Point axes{};    // roots of the eigenvalues of the gyration tensor, longest first, length
  Point extent{};  // along x, y, z, length
  double area = 0, volume = 0;
  double asphericity = 0;  // sum of (l_i - l_j)^2 over 2 (l_1 + l_2 + l_3)^2 of these eigenvalues: 0 of a sphere
  double springs = 0, bending = 0, areaEnergy = 0, volumeEnergy = 0;  // energies
};

// Names of what cellRow() gives.
std::vector<std::string> cellColumns();
std::vector<double> cellRow(const CellMeasures& measures);

// Of cells of one mesh.
class CellMeter {
public:
  CellMeter(const Surface& mesh, const Mechanics& mechanics);
  // place: of each vertex, unwrapped.
  CellMeasures operator()(const std::vector<Point>& place) const;

private:
  void addEnergies(const Surface& now, CellMeasures& cell) const;
  Surface mesh_;
  Mechanics mechanics_;
  std::vector<std::array<int, 4>> hinges_;  // the edge's ends, the corners on its left and right
  std::vector<double> length0_, cosine0_, sine0_;
};

}  // namespace mesowarp::membrane
