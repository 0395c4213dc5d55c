// Meshes that are made, not read: a sphere of any number of vertices with nearly equal triangles, and from it the shape
// of a red blood cell at rest.
#pragma once

#include "physics/membrane/mesh/surface.hpp"

namespace mesowarp::membrane {

constexpr int fewestVertices = 12, mostVertices = 20000;

// Of this diameter, about the origin. 10 f^2 + 2 vertices (12, 42, 162, 642, 2562, …): an icosahedron's triangles, each
// cut into f^2; any other number: a spiral of points that repel their neighbours. Degrees are 5 to 7.
Surface sphereOf(int vertices, double diameter);

// The biconcave disc of Evans and Fung (Microvasc. Res. 4 (1972) 335), axis along z:
//   z^2 = D^2 (1 - 4 q) (a0 + a1 q + a2 q^2)^2, q = (x^2 + y^2) / D^2, a = 0.0518, 2.0026, -4.491.
// Of D = 7.82 um area and volume are 135 um^2 and 94 um^3. A sphere's mesh is laid on it, and its vertices slide along
// the surface until their distances are even.
Surface bloodCellOf(int vertices, double diameter);

}  // namespace mesowarp::membrane
