// The solid of a deck's walls, as a program of operations (physics/boundary/solid.hpp). Without Kokkos, for checks too.
#pragma once

#include <stdexcept>
#include <string>
#include <vector>

#include "input/deck.hpp"
#include "physics/boundary/solid.hpp"

namespace mesowarp::boundary {

// Memory of a Solid.
struct SolidParts {
  std::vector<SolidOperation> operations;
  std::vector<std::vector<float>> values;  // of each grid
  std::vector<DistanceGrid> grids;
  std::vector<WallMotion> motions;
  double tick[3]{};

  SolidParts() = default;
  SolidParts(SolidParts&&) = default;  // grids point into values, which move along
  SolidParts& operator=(SolidParts&&) = default;

  // Valid while this is there and does not change.
  Solid view() const {
    return {operations.data(),
            static_cast<int>(operations.size()),
            grids.data(),
            motions.data(),
            {tick[0], tick[1], tick[2]}};
  }
  Solid::Point point(const input::Deck& deck, const std::array<double, 3>& x) const;
};

// Something of a wall's `solid` or a shape, which `path` of the deck is to blame for.
struct SolidError : std::runtime_error {
  SolidError(std::string path_, const std::string& what) : std::runtime_error(what), path(std::move(path_)) {}
  std::string path;
};

// What is around the walls feels them from so far: how finely their grids must be sampled, and how deep. Lengths.
struct SolidReach {
  double shortest, longest;
  const char* what;  // the shortest is, in words
};
SolidReach reachOfForces(const input::Deck& deck);

// Throws SolidError. Reads files of shapes.
SolidParts solidOf(const input::Deck& deck, const SolidReach& reach);
inline SolidParts solidOf(const input::Deck& deck) { return solidOf(deck, reachOfForces(deck)); }

// Whether a wall's `solid` has that shape in it.
bool namesShape(const std::string& solid, const std::string& shape);

// 64-bit coordinate of a length, which may lie outside of the box.
std::uint64_t coordinateOf(const input::Deck& deck, int axis, double length);

}  // namespace mesowarp::boundary
