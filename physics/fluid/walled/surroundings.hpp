// Where in a box a particle may feel walls: the box in cells of about a cutoff, each of which is far in the fluid, far
// in the solid, or near a surface. How far off a surface is need then be asked for few particles, and only those.
// Distances of a point and of the middle of its cell differ by no more than they are apart, or on a grid of distances
// that often `steepest`.
#pragma once

#include <array>
#include <vector>

#include "physics/boundary/deck/solid_text.hpp"

namespace mesowarp::fluid {

class Surroundings {
public:
  enum Kind : unsigned char { inFluid, inSolid, near };  // inSolid: deeper than a cutoff

  // copies: boundaries between so many equal parts along each axis are boundaries of cells.
  Surroundings(const input::Deck& deck, const boundary::SolidParts& parts, const std::array<int, 3>& copies,
               double cutoff);

  Kind at(const std::array<double, 3>& place) const {
    std::array<int, 3> cell{};
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double number = place[axis] * perLength_[axis];
      if (!(number >= 0.0 && number < static_cast<double>(cells_[axis]))) return near;  // outside of the box
      cell[axis] = static_cast<int>(number);
    }
    return kind_[numberOf(cell)];
  }
  // Of a copy: inFluid or inSolid if all of it is, else near.
  Kind ofCopy(const std::array<int, 3>& copy) const;

private:
  std::size_t numberOf(const std::array<int, 3>& cell) const {
    return (static_cast<std::size_t>(cell[2]) * static_cast<std::size_t>(cells_[1]) +
            static_cast<std::size_t>(cell[1])) *
               static_cast<std::size_t>(cells_[0]) +
           static_cast<std::size_t>(cell[0]);
  }

  std::array<int, 3> perCopy_{}, cells_{};
  std::array<double, 3> perLength_{};  // cells
  std::vector<Kind> kind_;
};

}  // namespace mesowarp::fluid
