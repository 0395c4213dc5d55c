// Host-side pictures of a particle system: what the writers take and the readers give.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace mesowarp::io {

// Of a trajectory: position, image, velocity, force and concentration are stored each frame, species, mass and id once.
enum class TrajectoryField { position, image, velocity, force, concentration, species, mass, id };

// A field that a method has added to its particles.
struct OwnField {
  std::string name;
  std::size_t rowBytes = 0;     // of a particle
  std::size_t numberBytes = 0;  // of each number
  bool shown = false;           // it is what viewers should see
  std::vector<std::byte> data;  // N rows
};

// One frame, ordered by tag, or a rank's part of it: N particles of consecutive tags. Shapes: N or 3N (xyz of a
// particle together). Absent fields are empty.
struct Snapshot {
  std::int64_t step = 0;
  double time = 0.0;
  std::array<double, 3> box{};  // length; the box is [0, box)
  std::array<bool, 3> periodic{true, true, true};
  // Of a sheared box (core/shear.hpp): the axis of its gradient, and how far the images above have gone beside that
  // edge, length. Unwrapped positions are position + image * box + image[gradient] * slide.
  int gradient = -1;  // -1: it is not sheared
  std::array<double, 3> slide{};
  std::int64_t first = 0;             // tag of the first particle here; ranks hold parts in their own order
  std::int64_t total = -1;            // particles of all ranks; -1: they are all here
  std::vector<std::uint32_t> tag;     // N, strictly increasing, from `first`
  std::vector<std::int32_t> species;  // N, index into the species names
  std::vector<double> mass;           // N
  std::vector<double> position;       // 3N, wrapped into the box
  std::vector<std::int32_t> image;    // 3N, box lengths to add for the unwrapped position
  std::vector<double> velocity;       // 3N
  std::vector<double> force;          // 3N
  std::vector<double> concentration;  // SN, of S solutes
  std::vector<OwnField> own;          // N each
  std::vector<std::uint32_t> bonds;   // 2B, tags of bonded pairs whose lower one is here, ascending; constant in time
  std::vector<std::uint32_t> angles,
      dihedrals;                        // 3A and 4D, along the bonds, of those whose first one is here; likewise
  std::vector<std::uint32_t> molecule;  // N, from 1, 0: single; constant in time

  // What unwraps a coordinate; where there are images.
  double shift(std::size_t particle, std::size_t axis) const {
    const double boxes = image[3 * particle + axis] * box[axis];
    return gradient < 0 ? boxes : boxes + image[3 * particle + static_cast<std::size_t>(gradient)] * slide[axis];
  }
};

// An initial state read from a file.
struct FileState {
  std::array<double, 3> box{};            // as the file gives it; all zero if it does not
  std::vector<std::int32_t> type;         // N, from 1 (LAMMPS) ; own HDF5: species index + 1
  std::vector<std::string> speciesNames;  // own HDF5 only
  std::vector<double> position;           // 3N, moved so that the box starts at 0, wrapped
  std::vector<std::int32_t> image;        // 3N or empty; box lengths to add for the unwrapped position
  bool imagesGiven = false;               // by the file; else they only undo the wrapping of positions outside the box
  std::vector<double> velocity;           // 3N or empty
  std::vector<double> massOfType;         // by type - 1, or empty; 0 where the file gives none, or several
  struct Bond {
    int type;
    std::int64_t a, b;
  };  // indices into the arrays above
  std::vector<Bond> bonds;
  template <std::size_t N>
  struct Term {
    int type;
    std::array<std::int64_t, N> of;  // indices, along the bonds
  };
  std::vector<Term<3>> angles;
  std::vector<Term<4>> dihedrals;
  std::vector<std::int64_t> molecule;  // N or empty; 0: of none
  bool typesTold = true;               // of bonds, angles, dihedrals; else all are 1
  bool slidBox = false;                // images of its box had gone with a shear flow, which is forgotten
};

}  // namespace mesowarp::io
