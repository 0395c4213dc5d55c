#include "io/lammps/lammps_header.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <initializer_list>
#include <limits>
#include <string_view>

namespace mesowarp::io {

namespace {

constexpr std::int64_t maxCount = std::numeric_limits<std::uint32_t>::max();  // tags have 32 bits
constexpr std::int64_t maxTypes = 1000000;

// Whether the line is this many numbers (or other words) and then these words.
bool matches(const TextReader& in, std::size_t numbers, std::initializer_list<std::string_view> names) {
  const auto& words = in.words();
  return words.size() == numbers + names.size() &&
         std::equal(names.begin(), names.end(), words.begin() + static_cast<std::ptrdiff_t>(numbers));
}

}  // namespace

void LammpsHeader::readLine(const TextReader& in) {
  if (!readCounts(in) && !readBounds(in) && !readMeaningless(in))
    in.fail(fmt::format("header line \"{}\" is not supported", in.text().substr(0, 60)));
}

bool LammpsHeader::readCounts(const TextReader& in) {
  if (matches(in, 1, {"atoms"}))
    atoms = in.integer(0, "number of atoms", 0, maxCount);
  else if (matches(in, 1, {"bonds"}))
    bonds = in.integer(0, "number of bonds", 0, maxCount);
  else if (matches(in, 1, {"angles"}))
    angles = in.integer(0, "number of angles", 0, maxCount);
  else if (matches(in, 1, {"dihedrals"}))
    dihedrals = in.integer(0, "number of dihedrals", 0, maxCount);
  else if (matches(in, 1, {"impropers"}))
    impropers = in.integer(0, "number of impropers", 0, maxCount);
  else if (matches(in, 1, {"improper", "types"}))
    improperTypes = in.integer(0, "number of improper types", 0, maxTypes);
  else if (matches(in, 1, {"angle", "types"}))
    angleTypes = in.integer(0, "number of angle types", 0, maxTypes);
  else if (matches(in, 1, {"dihedral", "types"}))
    dihedralTypes = in.integer(0, "number of dihedral types", 0, maxTypes);
  else if (matches(in, 1, {"atom", "types"}))
    atomTypes = in.integer(0, "number of atom types", 0, maxTypes);
  else if (matches(in, 1, {"bond", "types"}))
    bondTypes = in.integer(0, "number of bond types", 0, maxTypes);
  else
    return false;
  return true;
}

bool LammpsHeader::readBounds(const TextReader& in) {
  static constexpr std::array<std::array<std::string_view, 2>, 3> names{
      {{"xlo", "xhi"}, {"ylo", "yhi"}, {"zlo", "zhi"}}};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (!matches(in, 2, {names[axis][0], names[axis][1]})) continue;
    origin[axis] = in.real(0, "lower box bound");
    box[axis] = in.real(1, "upper box bound") - origin[axis];
    if (!(box[axis] > 0.0 && std::isfinite(box[axis]))) in.fail("the upper box bound must be above the lower one");
    return true;
  }
  if (!matches(in, 3, {"xy", "xz", "yz"})) return false;
  for (std::size_t i = 0; i < 3; ++i)
    if (in.real(i, "tilt factor") != 0.0) in.fail("tilted (triclinic) boxes are not supported");
  return true;
}

// Other types, the memory that LAMMPS should set aside, and counts of what there is none of ("0 angles").
bool LammpsHeader::readMeaningless(const TextReader& in) {
  const auto& words = in.words();
  const bool isTypes = words.size() == 3 && words[2] == "types", isExtra = words.size() > 2 && words[1] == "extra";
  if (isTypes || isExtra) return in.integer(0, "number", 0, maxCount) >= 0;
  return words.size() == 2 && words[0] == "0";
}

void LammpsHeader::check(const TextReader& in) const {
  if (atoms < 0) in.fail("the header does not give the number of atoms");
  for (const double length : box)
    if (length == 0.0) in.fail("the header does not give all of xlo xhi, ylo yhi, zlo zhi");
}

}  // namespace mesowarp::io
