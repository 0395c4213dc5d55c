// Paths and names of a trajectory file, shared by writer, reader and XDMF.
#pragma once

#include <string>

#include "io/h5md/h5md.hpp"

namespace mesowarp::io::h5md {

inline constexpr const char* particleGroup = "particles/all";
inline constexpr const char* boxGroup = "particles/all/box";
inline constexpr const char* edgesGroup = "particles/all/box/edges";
inline constexpr const char* slideGroup = "particles/all/box/slide";  // of a sheared box
inline constexpr const char* stepDataset = "particles/all/position/step";
inline constexpr const char* timeDataset = "particles/all/position/time";
inline constexpr const char* bondDataset = "connectivity/bonds";
inline constexpr const char* angleDataset = "connectivity/angles";
inline constexpr const char* dihedralDataset = "connectivity/dihedrals";
inline constexpr const char* moleculeDataset = "particles/all/molecule";
inline constexpr const char* tagDataset = "particles/all/tag";
inline constexpr const char* deckDataset = "parameters/deck";
inline constexpr const char* speciesNamesDataset = "parameters/species_names";
inline constexpr const char* solutesDataset = "parameters/solutes";
inline constexpr const char* fieldsDataset = "parameters/trajectory_fields";
inline constexpr const char* precisionDataset = "parameters/trajectory_precision";

inline bool isConstant(TrajectoryField field) {
  return field == TrajectoryField::species || field == TrajectoryField::mass || field == TrajectoryField::id;
}

// The group of a field over time, or the dataset of a constant one.
inline std::string pathOf(TrajectoryField field) {
  return std::string(particleGroup) + "/" + std::string(nameOf(field));
}

// The dataset with the numbers, [frames][N][3], of concentrations [frames][N][S], or [N].
inline std::string valuePath(TrajectoryField field) {
  return isConstant(field) ? pathOf(field) : pathOf(field) + "/value";
}

// The axis of a sheared box's gradient, -1 of any other box. Throws RunError. In h5md_reader.cpp.
int readGradient(hid_t file);

}  // namespace mesowarp::io::h5md
