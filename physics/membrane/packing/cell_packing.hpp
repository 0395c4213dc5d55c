// Cells side by side in a box, as many as there is room for, turned any way: small ones at random places that grow, and
// push each other off while they do (as hard particles grow in Lubachevsky & Stillinger, J. Stat. Phys. 60 (1990) 561,
// here without velocities).
//
// Cells are rigid. Where a vertex of one is nearer to another's surface than the gap, both are moved and turned apart,
// by the mean of what their vertices lack; if all are free the cells grow a little. Each cell gathers its own moves, so
// the result does not depend on the threads.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "input/deck.hpp"
#include "physics/membrane/deck/poses.hpp"
#include "physics/membrane/packing/distance_field.hpp"

namespace mesowarp::membrane {

struct PackedCell {
  std::shared_ptr<const Surface> mesh;
  Pose pose;
  bool fixed = false, turns = true;  // it stays where it is; it may be turned
};

class CellPacking {
public:
  // gap: between a vertex and another cell's surface, length. offWalls: of a place, the distance from walls, below 0 in
  // them; empty: there are none. Walls at the box' ends are where it is not periodic.
  CellPacking(const input::BoxBlock& box, double gap, std::function<double(const Point&)> offWalls)
      : box_(box), gap_(gap), offWalls_(std::move(offWalls)) {}
  void add(PackedCell cell);

  // Grows all that are not fixed, from where they are, to their whole size; closely: vertices then lack a
  // twentieth of the gap at most, if it can be had, else a third. True: there is room for all, none lacks more than
  // half of the gap. Else `worst()` is the cell that is pushed most, and `size()` how large they have become, as a part
  // of their size.
  bool grow(bool closely);
  // At their whole size: two cells of which one has a vertex inside of the other, the first such pair.
  std::optional<std::pair<std::size_t, std::size_t>> firstOverlap();
  std::size_t worst() const { return worst_; }
  double size() const { return size_; }
  const std::vector<PackedCell>& cells() const { return cells_; }

private:
  struct Push {
    Point move{}, turn{};
    double depth = 0.0;  // the most that a vertex lacks
  };
  struct Near {
    std::size_t cell;
    Point shift;  // of the image of it, from where it is
  };
  void findNeighbours();
  double relax(bool coarse);  // one round; the largest depth
  Push pushOn(std::size_t i, bool coarse) const;
  bool inside(std::size_t of, std::size_t surface, const Point& way) const;
  bool overlap(std::size_t i, const Near& near) const;
  void pushApart(std::size_t i, const Near& near, bool coarse, Push& push) const;
  void pushOffWalls(std::size_t i, bool coarse, Push& push) const;
  double wallDistance(const Point& p) const;
  double sizeOf(std::size_t i) const { return cells_[i].fixed ? 1.0 : size_; }
  Point placeOf(std::size_t i, const Point& vertex) const;

  input::BoxBlock box_;
  double gap_, size_ = 0.0;
  std::function<double(const Point&)> offWalls_;
  std::vector<PackedCell> cells_;
  std::vector<const DistanceField*> field_;  // of each cell
  std::vector<std::pair<std::shared_ptr<const Surface>, std::unique_ptr<DistanceField>>> fields_;
  std::vector<std::vector<Near>> near_;  // of each cell
  std::vector<Push> push_;
  std::size_t worst_ = 0;
};

}  // namespace mesowarp::membrane
