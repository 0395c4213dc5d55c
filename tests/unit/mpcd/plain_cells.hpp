// Solvent particles of a snapshot in double precision, and which cells they are in.
#pragma once

#include "tests/unit/mpcd/mpcd_decks.hpp"

namespace mesowarp::test {

struct Plain {
  std::vector<std::array<double, 3>> x, v;
  std::vector<double> m;
  explicit Plain(const io::Snapshot& s) : x(s.tag.size()), v(s.tag.size()), m(s.mass) {
    for (std::size_t i = 0; i < x.size(); ++i)
      for (std::size_t a = 0; a < 3; ++a) x[i][a] = s.position[3 * i + a], v[i][a] = s.velocity[3 * i + a];
  }
};

// Particles of each cell of the grid that step has.
inline std::map<u64, std::vector<std::size_t>> cellsAt(const Plain& p, const input::Deck& deck, i64 step) {
  const CellNumbers cellOf(deck, step);
  std::map<u64, std::vector<std::size_t>> cells;
  for (std::size_t i = 0; i < p.x.size(); ++i) {
    cells[cellOf(p.x[i])].push_back(i);
  }
  return cells;
}

inline std::array<double, 3> meanOf(const Plain& p, const std::vector<std::size_t>& cell) {
  std::array<double, 3> mean{};
  double mass = 0.0;
  for (const std::size_t i : cell) mass += p.m[i];
  for (const std::size_t i : cell)
    for (std::size_t a = 0; a < 3; ++a) mean[a] += p.v[i][a] * p.m[i] / mass;
  return mean;
}
inline double squaredDistance(const std::array<double, 3>& a, const std::array<double, 3>& b) {
  return (a[0] - b[0]) * (a[0] - b[0]) + (a[1] - b[1]) * (a[1] - b[1]) + (a[2] - b[2]) * (a[2] - b[2]);
}

inline Plain streamed(Plain p, const input::Deck& deck) {
  for (std::size_t i = 0; i < p.x.size(); ++i)
    for (std::size_t a = 0; a < 3; ++a) p.x[i][a] += p.v[i][a] * mpcd::collisionTime(deck);
  return p;
}

}  // namespace mesowarp::test
