// A closed surface of triangles with shared vertices: what a cell's membrane is a mesh of.
#pragma once

#include <string>
#include <vector>

#include "physics/membrane/mesh/points.hpp"

namespace mesowarp::membrane {

struct Surface {
  std::vector<Point> vertex;                 // length
  std::vector<std::array<int, 3>> triangle;  // counter-clockwise seen from outside
};

double areaOf(const Surface& surface, std::size_t triangle);  // length^2
double areaOf(const Surface& surface);
double volumeOf(const Surface& surface);  // length^3; below 0: inside out
Point centreOf(const Surface& surface);   // of its vertices
// The largest distance of a vertex from the centre, and of two vertices that an edge joins; length.
double radiusOf(const Surface& surface);
double longestEdge(const Surface& surface);

// In words, what keeps a surface from being one cell's membrane: an edge that is open, or that more than two triangles
// share, or that two go along in the same direction; a triangle without an area or with a corner twice; a vertex that
// no triangle has, or that two fans of triangles meet in; several surfaces, or one with a handle; a volume of zero.
// Triangles that are all inside out are turned round first. Empty: nothing.
std::string makeUsable(Surface& surface);

}  // namespace mesowarp::membrane
