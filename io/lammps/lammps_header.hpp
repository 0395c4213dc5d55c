// The header of a LAMMPS data file: counts and box bounds.
#pragma once

#include <array>
#include <cstdint>

#include "io/text/text_reader.hpp"

namespace mesowarp::io {

struct LammpsHeader {
  std::int64_t atoms = -1;  // -1: not given
  std::int64_t bonds = 0;
  std::int64_t angles = 0;
  std::int64_t dihedrals = 0;
  std::int64_t impropers = 0;
  std::int64_t atomTypes = 0;
  std::int64_t bondTypes = 0;
  std::int64_t angleTypes = 0;
  std::int64_t dihedralTypes = 0;
  std::int64_t improperTypes = 0;
  std::array<double, 3> origin{};  // lower bounds, length
  std::array<double, 3> box{};     // edge lengths

  // Takes the current line; both throw InputError with the line.
  void readLine(const TextReader& in);
  // After the last line: atoms and box must have been given.
  void check(const TextReader& in) const;

private:
  bool readCounts(const TextReader& in);
  bool readBounds(const TextReader& in);
  bool readMeaningless(const TextReader& in);
};

}  // namespace mesowarp::io
