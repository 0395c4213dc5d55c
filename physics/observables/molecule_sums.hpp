// Sums over the particles of each molecule, and over molecules; numbers of each molecule stay on the device.
#pragma once

#include "physics/observables/measured_particles.hpp"
#include "physics/observables/origins.hpp"

namespace mesowarp::observables {

// Which particles make a molecule, by tags, and which images make it whole.
struct MoleculeParts {
  int molecules = 0;
  int longest = 0;                        // particles of one
  std::vector<i32> moleculeOf;            // of each tag; -1: it is of none
  std::vector<std::array<i32, 3>> shift;  // of each tag: periods to add
  std::vector<signed char> end;           // of each tag: -1 for a first end, 1 for a last, 0
  std::vector<int> size;                  // of each molecule
  std::vector<double> mass;               // of each molecule
  std::vector<u32> first;                 // of each molecule: its lowest tag
  std::vector<i32> linear;                // of each molecule, 1: it has two ends, each bead between them two bonds
};

// The same on the device.
struct MoleculeTable {
  int molecules = 0, longest = 0;
  DeviceArray<i32> moleculeOf;
  DeviceArray<Vec3<i32>> shift;
  DeviceArray<i32> end;      // of each tag: as above; 4 more: it is the molecule's lowest tag
  DeviceArray<double> mass;  // of each species
  DeviceArray<double> all;   // of each molecule: its mass
  DeviceArray<i32> linear;
};
MoleculeTable moleculeTable(const MoleculeParts& parts, const MeasuredBox& box);

// What molecules are: twelve numbers of each, the same on all ranks and for any number of them. Arrays are kept from
// step to step.
struct MoleculeShapes {
  // The centre of mass, unwrapped (3); the last end minus the first, zero where there are no two ends (3); the mean of
  // r r, weighted by mass, about the centre: xx, yy, zz, xy, xz, yz. Lengths and their squares.
  static constexpr int width = 12;
  DeviceArray<double> numbers;
  DeviceArray<i64> first, sums;
};
// shapes: false: the centres alone. Collective.
void findShapes(const MeasuredParticles& particles, const MeasuredBox& box, const MoleculeTable& table, bool shapes,
                MoleculeShapes& to);

// Sums over molecules, of Re over those that are linear.
struct ChainSums {
  double linear = 0.0, re2 = 0.0, rg2 = 0.0, re = 0.0, rg = 0.0, anisotropy = 0.0;
};
struct ChainSizes {
  ChainSums sums;
  std::vector<i64> counts;  // by bins from 0 to r_max: of Re, then of Rg
};
ChainSizes chainSizes(const MoleculeShapes& shapes, const MoleculeTable& table, int bins, double rMax);

// Three numbers of each molecule.
DeviceArray<double> centresOf(const MoleculeShapes& shapes, const MoleculeTable& table);
// Of displacements since the centres were `origin`: now * scale - origin / scale.
MovedSums centresMoved(const MoleculeShapes& now, const DeviceArray<double>& origin, const MoleculeTable& table,
                       const Vec3<double>& scale);

}  // namespace mesowarp::observables
