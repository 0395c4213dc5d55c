// What a deck says of membranes: cells of one mesh as a [[population]], their mechanics as a [[membrane]], forces that
// stretch them as a [[stretch]]. No Kokkos.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "input/deck.hpp"
#include "physics/membrane/mesh/surface.hpp"

namespace mesowarp::membrane {

constexpr const char *kind = "membrane", *redCell = "red-cell", *sphere = "sphere";

// [[population]] of kind "membrane".
struct CellKeys {
  std::string mesh = redCell;   // or sphere, or a file
  int vertices = 500;           // of a mesh that is made
  double diameter = 8.0;        // likewise, length
  double scale = 1.0;           // of a file's mesh, lengths of the deck for one of the file
  double hematocrit = 0.0;      // part of the box, without its walls, that the cells' volume is; 0: count
  double open = 1.0;            // part of the box that walls leave; the parser fills it in
  std::vector<double> centers;  // three numbers a cell, length
  std::vector<double> normals;  // three numbers a cell, or for all: where the mesh's z axis points
  std::string poses;            // a file of them; empty: none

  bool listed() const { return !centers.empty() || !poses.empty(); }
};

// [[membrane]]. Moduli in units of the deck, or in SI where length_unit says what a length of the deck is.
struct MembraneKeys {
  std::string population;
  double shear_modulus = 0.0;        // mu0, energy / length^2 (N / m)
  double bending_modulus = 0.0;      // kappa, energy (J)
  double area_modulus = -1.0;        // k_g; below 0: 49 mu0
  double local_area_modulus = -1.0;  // k_l; below 0: mu0
  double volume_modulus = -1.0;      // k_v, energy / length^3 (N / m^2); below 0: 200 mu0 / radius
  double extension = 1.0 / 2.2;      // x0, stress-free over largest length of an edge
  double exponent = 2.0;             // m
  double friction = 0.0;             // gamma^T, mass / time
  double friction_along = -1.0;      // gamma^C; below 0: a third of gamma^T
  double reduced_volume = 0.0;       // of V0; 0: the mesh's volume
  int angles = 0;                    // theta0: of a sphere, flat, of the mesh
  int area_volume = 0;               // of now, of the step before, or of the three before
  double length_unit = 0.0;          // m; 0: moduli are in units of the deck
  double kelvin = 310.0;             // what run.temperature is
  std::int64_t table_every = 0;      // steps between rows of cells.csv; 0: none
  std::string inside, outside;       // species that it keeps apart; empty: it lets all through
  std::int64_t check_every = 1000;   // steps between searches for particles on the wrong side; 0: none
};

// [[stretch]]
struct StretchKeys {
  std::string population;
  double force = 0.0;      // on each end, energy / length, or newtons where the membrane has a length_unit
  double fraction = 0.02;  // of the vertices, at either end
  int axis = 0;
};

constexpr const char* cellFile = "cells.csv";
constexpr const char* inCells = "cells";         // population.initial: of the particles that are in cells
constexpr int mostWithSides = 8;                 // membranes
constexpr const char* wrongSide = "wrong_side";  // column of a table
// Some [[membrane]] has table_every.
bool hasCellTable(const input::Deck& deck);

inline bool isMembrane(const input::Population& population) { return population.kind == kind; }
bool hasMembranes(const input::Deck& deck);
// Some membrane keeps two fluids apart.
bool hasTwoSides(const input::Deck& deck);
// Those of a deck, each with the tag of its first vertex.
std::vector<std::pair<const input::Population*, std::uint32_t>> membranePopulations(const input::Deck& deck);
const CellKeys& cellsOf(const input::Population& population);
// The [[membrane]] of a population, and the number of its block; null: it has none.
const MembraneKeys* membraneOf(const input::Deck& deck, const std::string& population);
std::vector<MembraneKeys> membranesOf(const input::Deck& deck);
std::vector<StretchKeys> stretchesOf(const input::Deck& deck);

// "cell 3 of population rbc, vertex 17"; empty: the tag is no vertex'. apart: of another tag, how far from the vertex
// it is; then with the triangle at the vertex whose edge is longest against its length in the mesh.
std::string partOf(const input::Deck& deck, std::uint32_t tag, const std::function<double(std::uint32_t)>& apart = {});

// A population's mesh, about its centre; made or read once. Throws InputError: it cannot be read, or used.
std::shared_ptr<const Surface> meshOf(const CellKeys& keys);
// 0: the mesh cannot be had, which is told elsewhere.
std::int64_t verticesOf(const CellKeys& keys);
std::int64_t cellCount(const input::Population& population, const input::BoxBlock& box);
// The volume of the box that walls leave.
double roomIn(const input::BoxBlock& box, const CellKeys& keys);

// What follows from the keys, in units of the deck.
struct Mechanics {
  double shear, bending, global, local, volume;  // mu0, kappa, k_g, k_l, k_v
  double x0, exponent;
  double frictionAll, frictionAlong;  // gamma^T, gamma^C
  double area0, volume0;              // of a cell
  bool lagged, extrapolated;  // area and volume that forces know: of the step before; guessed from the last three
  int angles;
  double unit;  // energies / lengths of the deck for 1 N; 1 without a length_unit
  // Linear analysis of the sheet (Fedosov, Caswell, Karniadakis, Biophys. J. 98 (2010) 2215).
  double areaCompression() const { return 2.0 * shear + global + local; }  // K
  double young() const { return 4.0 * areaCompression() * shear / (areaCompression() + shear); }
  double poisson() const { return (areaCompression() - shear) / (areaCompression() + shear); }
  double hinge() const;  // k_b = 2 kappa / sqrt(3)
  // The sheet's viscosity in its plane: drawn out along one axis, sqrt(3) / 2 (gamma^T + gamma^C / 2); in simple shear,
  // where gamma^T resists the rotation, too, sqrt(3) (gamma^T + gamma^C / 4).
  double viscosityDrawn() const;
  double viscositySheared() const;
};
Mechanics mechanicsOf(const input::Deck& deck, const MembraneKeys& keys, const Surface& mesh);

// Largest frequency (squared, over a vertex' mass) and friction rate (times the mass) that the membrane itself has,
// estimated: energy / length^2, mass / time.
double stiffness(const Mechanics& mechanics, const Surface& mesh);
double frictionRate(const Mechanics& mechanics);
// Of the whole cell's area and volume: sum over vertices of k_g |grad A|^2 / A0 + k_v |grad V|^2 / V0 at rest. Forces
// that know them a step late drive such a motion, at the rate dt times that / (2 m).
double breathingStiffness(const Mechanics& mechanics, const Surface& mesh);
// The farthest that a vertex is from those that its forces know, length.
double ringReach(const Surface& mesh);

}  // namespace mesowarp::membrane
