// One frame as text, for convertTrajectory().
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <fmt/format.h>
#include <iterator>
#include <string>
#include <vector>

#include "io/h5md/snapshot.hpp"

namespace mesowarp::io {

struct FrameStyle {
  std::vector<std::string> speciesNames;
  bool isSingle = false;               // numbers were stored in single precision: fewer digits say the same
  bool isUnwrapped = false;            // positions are unwrapped already
  std::vector<std::int64_t> molecule;  // N, any numbers, 0: single; or none
  std::vector<std::int64_t> bonded;    // N, likewise, of what bonds hold together (moleculesOf()); or none
  // Of bonds, angles and dihedrals: kinds, from 1.
  std::vector<int> bondType, angleType, dihedralType;

  // A column may not hold blanks, nor what a terminal obeys.
  std::string nameOf(std::int32_t species) const;
};

using FrameFormatter = void (*)(fmt::memory_buffer& out, const Snapshot& snapshot, const FrameStyle& style);

// "lammps-dump", "lammps-data", "vtk" or "xyz"; throws InputError for another.
FrameFormatter frameFormatter(const std::string& format);

// Of the box along an axis; of bodies, which have none, around them.
std::array<double, 2> boundsOf(const Snapshot& snapshot, std::size_t axis);

// xy, xz, yz of a box as LAMMPS has it: how far its upper edges lean.
std::array<double, 3> tiltsOf(const Snapshot& snapshot);

// Three numbers, each after a space, with as many digits as tell the value.
void appendTriple(std::back_insert_iterator<fmt::memory_buffer> out, const double* values, bool isSingle);

}  // namespace mesowarp::io
