#include "physics/membrane/sides/wound_cells.hpp"

#include <algorithm>

#include "physics/membrane/deck/membrane_deck.hpp"

namespace mesowarp::membrane {
namespace {

std::uint32_t numberOf(const input::Deck& deck, const std::string& species) {
  return static_cast<std::uint32_t>(std::find(deck.species.begin(), deck.species.end(), species) -
                                    deck.species.begin());
}

}  // namespace

std::vector<TwoSides> twoSidesOf(const input::Deck& deck) {
  std::vector<TwoSides> all;
  for (const auto& [cells, firstTag] : membranePopulations(deck)) {
    const MembraneKeys* keys = membraneOf(deck, cells->name);
    if (keys == nullptr || keys->inside.empty()) continue;
    all.push_back({cells, firstTag, cellCount(*cells, deck.box), static_cast<int>(verticesOf(cellsOf(*cells))),
                   numberOf(deck, keys->inside), numberOf(deck, keys->outside), keys->check_every});
  }
  return all;
}

WoundCells::WoundCells(const std::vector<TwoSides>& all) {
  std::int32_t vertex = 0;
  for (std::size_t m = 0; m < all.size(); ++m) {
    const auto mesh = meshOf(cellsOf(*all[m].cells));
    const auto triangle = static_cast<std::int32_t>(corner_.size() / 3);
    for (const auto& t : mesh->triangle) corner_.insert(corner_.end(), t.begin(), t.end());
    for (std::int64_t c = 0; c < all[m].count; ++c, vertex += all[m].vertices) {
      WoundCell cell;
      cell.vertex = vertex, cell.triangle = triangle;
      cell.triangles = static_cast<std::int32_t>(mesh->triangle.size()), cell.membrane = static_cast<std::int32_t>(m);
      cells_.push_back(cell), sizes_.push_back(all[m].vertices);
    }
  }
  vertex_.resize(3 * static_cast<std::size_t>(vertex));
}

void WoundCells::place(const std::vector<std::int64_t>& places, const SlidPlaces& slid) {
  slid_ = slid;
  for (std::size_t k = 0; k < cells_.size(); ++k) {
    WoundCell& cell = cells_[k];
    const std::size_t first = 3 * static_cast<std::size_t>(cell.vertex),
                      last = first + 3 * static_cast<std::size_t>(sizes_[k]);
    for (std::size_t axis = 0; axis < 3; ++axis) {
      std::int64_t sum = 0;  // from the first one, so that it stays small
      for (std::size_t v = first; v < last; v += 3) sum += places[v + axis] - places[first + axis];
      cell.centre[axis] = places[first + axis] + sum / sizes_[k];
      cell.low[axis] = cell.high[axis] = 0;
      for (std::size_t v = first; v < last; v += 3) {
        const auto at = static_cast<std::int32_t>(places[v + axis] - cell.centre[axis]);
        vertex_[v + axis] = at;
        cell.low[axis] = std::min(cell.low[axis], at), cell.high[axis] = std::max(cell.high[axis], at);
      }
    }
    if (slid.on()) intoBox(cell);
  }
}

// As places of particles are.
void WoundCells::intoBox(WoundCell& cell) const {
  std::int64_t& up = cell.centre[slid_.gradient];
  std::int64_t boxes = up / slid_.height;
  if (up < boxes * slid_.height) --boxes;
  up -= boxes * slid_.height;
  cell.centre[slid_.flow] -= boxes * slid_.offset;
}

}  // namespace mesowarp::membrane
