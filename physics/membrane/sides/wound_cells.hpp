// The cells of all membranes that keep two fluids apart, as Winding reads them.
#pragma once

#include <string>
#include <vector>

#include "input/deck.hpp"
#include "physics/membrane/deck/membrane_deck.hpp"
#include "physics/membrane/sides/winding.hpp"

namespace mesowarp::membrane {

// A membrane with two sides: cells of a population, and the numbers of the species in and outside of it.
struct TwoSides {
  const input::Population* cells;
  std::uint32_t firstTag;
  std::int64_t count;  // cells
  int vertices;        // of each
  std::uint32_t inside, outside;
  std::int64_t checkEvery;  // steps; 0: never
};
std::vector<TwoSides> twoSidesOf(const input::Deck& deck);

// What a particle that no cell (membrane: -1), or one of some membrane, has around it should be.
struct Side {
  std::uint32_t species;  // that it is to have from now on
  bool wrong;             // it has had another, or has one that does not belong there
};
struct SideRule {
  std::uint32_t inside[mostWithSides]{}, outside[mostWithSides]{};
  int membranes = 0;

  explicit SideRule(const std::vector<TwoSides>& all) {
    for (const TwoSides& one : all) inside[membranes] = one.inside, outside[membranes++] = one.outside;
  }
  MESOWARP_ANYWHERE Side of(std::uint32_t species, int membrane) const {
    if (membrane >= 0) return {species == outside[membrane] ? inside[membrane] : species, species != inside[membrane]};
    for (int m = 0; m < membranes; ++m)
      if (species == inside[m]) return {outside[m], true};
    return {species, false};
  }
};

class WoundCells {
public:
  explicit WoundCells(const std::vector<TwoSides>& all);
  // Unwrapped places of all vertices: three numbers each, membrane by membrane.
  void place(const std::vector<std::int64_t>& places, const SlidPlaces& slid = {});
  std::size_t placesNeeded() const { return vertex_.size(); }
  Winding view() const {
    return {cells_.data(), static_cast<int>(cells_.size()), vertex_.data(), corner_.data(), slid_};
  }
  const std::vector<WoundCell>& cells() const { return cells_; }
  const std::vector<std::int32_t>& vertices() const { return vertex_; }
  const std::vector<std::int32_t>& corners() const { return corner_; }

private:
  void intoBox(WoundCell& cell) const;
  SlidPlaces slid_;
  std::vector<int> sizes_;  // vertices of each cell
  std::vector<WoundCell> cells_;
  std::vector<std::int32_t> vertex_, corner_;
};

}  // namespace mesowarp::membrane
