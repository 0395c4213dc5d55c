// Where a cell is, and how it is turned.
#pragma once

#include "input/deck.hpp"
#include "physics/membrane/deck/membrane_deck.hpp"

namespace mesowarp::membrane {

struct Pose {
  Point centre{};
  Point x{1, 0, 0}, y{0, 1, 0}, z{0, 0, 1};  // where the mesh's axes point
  Point operator()(const Point& p) const { return centre + p[0] * x + p[1] * y + p[2] * z; }
};

// Turned from z to a direction by the shortest way.
Pose towards(const Point& normal);
// By a quaternion, of any length but 0; of length 1.
Pose turnedBy(const std::array<double, 4>& quaternion);
Pose rotated(const std::array<double, 4>& quaternion);
// Of cells whose places are given, by `centers` or by a file, which is read once. Throws InputError. None where
// `centers` or `normals` have numbers missing, which is told elsewhere.
const std::vector<Pose>& listedPoses(const input::Population& population);
// Cells whose places `check` looks at; of more, the start of a run tells (cell_start.cpp).
constexpr std::size_t mostChecked = 1000;

// On a grid of as many places as are needed, each a box round the mesh with its axis along z, spread evenly; empty: the
// box of the deck has no room for so many.
std::vector<Pose> latticePoses(const Surface& mesh, const input::BoxBlock& box, std::int64_t cells);

// Whether a place is inside a closed surface, by its winding number (van Oosterom & Strackee, IEEE Trans. Biomed. Eng.
// 30 (1983) 125).
bool isInside(const Surface& surface, const Point& place);
// Whether two cells are in each other, or vertices nearer than `apart`, in a box with these edges.
bool overlap(const Surface& a, const Pose& poseA, const Surface& b, const Pose& poseB, const input::BoxBlock& box,
             double apart);

}  // namespace mesowarp::membrane
