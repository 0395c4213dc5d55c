// The Atoms section of a LAMMPS data file.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "io/h5md/snapshot.hpp"
#include "io/text/text_reader.hpp"

namespace mesowarp::io {

class LammpsAtoms {
public:
  // At the section's first line; style: see readLammpsData().
  void start(const TextReader& in, const std::string& style, std::int64_t typeCount);
  void readLine(const TextReader& in);
  // Orders the atoms by id and fills the state's type, position and image; the state's box is set. Lines of atoms that
  // are wrong only in view of the others are named.
  void finish(const TextReader& in, const std::array<double, 3>& origin, const std::array<bool, 3>& periodic,
              FileState& state);

  std::size_t count() const { return atoms_.size(); }
  // The index of the atom whose id is a word of the current line.
  std::size_t indexOf(const TextReader& in, std::size_t word) const;

private:
  struct Atom {
    std::int64_t id;
    std::int64_t line;
    std::int32_t type;
    std::int64_t molecule;  // 0: of none
    std::array<double, 3> position;
    std::array<std::int32_t, 3> image;
  };

  void chooseColumns(const TextReader& in);
  // Of an atom along an axis, from the lower bound on: its place in the box, and in `boxes` how many boxes away it was.
  double placed(const TextReader& in, const Atom& atom, std::size_t axis, double offset, double length, bool periodic,
                double& boxes) const;

  std::string style_;
  std::int64_t typeCount_ = 0;
  std::size_t typeWord_ = 0;  // columns of the type and of x; 0: not chosen yet
  std::size_t xWord_ = 0;
  bool flagged_ = false;  // lines have image flags
  std::vector<Atom> atoms_;
};

}  // namespace mesowarp::io
