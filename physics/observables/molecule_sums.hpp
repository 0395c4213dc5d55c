// Sums over the particles of each molecule.
#pragma once

#include "physics/observables/measured_particles.hpp"

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
};

// The same on the device.
struct MoleculeTable {
  int molecules = 0, longest = 0;
  DeviceArray<i32> moleculeOf;
  DeviceArray<Vec3<i32>> shift;
  DeviceArray<i32> end;      // of each tag: as above; 2 more: it is the molecule's lowest tag
  DeviceArray<double> mass;  // of each species
};
MoleculeTable moleculeTable(const MoleculeParts& parts, const MeasuredBox& box);

// Of each molecule: lengths, the same on all ranks and for any number of them.
struct MoleculeShape {
  std::array<double, 3> centre{};    // of mass; unwrapped
  std::array<double, 3> endToEnd{};  // last end minus first; zero where there are no two ends
  std::array<double, 6> gyration{};  // mean of r r, weighted by mass, about the centre: xx, yy, zz, xy, xz, yz
};
// shapes: false: the centres alone. Collective.
std::vector<MoleculeShape> moleculeShapes(const MeasuredParticles& particles, const MeasuredBox& box,
                                          const MoleculeTable& table, const MoleculeParts& parts, bool shapes);

}  // namespace mesowarp::observables
