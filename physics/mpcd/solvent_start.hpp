// Where solvent particles start, and how fast: by tags alone. Mean velocity and kinetic energy are taken from integer
// sums, so they have the same bits on any number of ranks and threads.
#pragma once

#include <array>

#include "comm/communicator.hpp"
#include "core/box.hpp"
#include "input/deck.hpp"
#include "physics/boundary/solid.hpp"
#include "start/host_particles.hpp"

namespace mesowarp::mpcd {

struct StartRow {
  u64 x[3];  // 64-bit coordinates
  double v[3];
  u32 tag;
};

// Where particles may start: outside of a solid (none: everywhere), as positions are stored, in `bits` bits.
struct StartRoom {
  boundary::Solid solid;
  int bits = 64;
  bool has(const u64 (&x)[3]) const {
    const int cut = 64 - bits;
    return solid.count == 0 || !(solid({{x[0] >> cut << cut, x[1] >> cut << cut, x[2] >> cut << cut}}).distance < 0.0);
  }
};

// Tags of a species: first, ... last - 1, of as many as there are in all.
struct StartTags {
  i64 first, last, all;
};

// A row for each tag of a species. Net momentum is that of population.velocity, the temperature is exact.
class StartRows {
public:
  // Tags from, ... to - 1 are this rank's of the species; collective.
  StartRows(u64 seed, const input::Population& population, const Box& box, const StartRoom& room, const StartTags& tags,
            i64 from, i64 to, const comm::Communicator* ranks);
  StartRow operator()(u32 tag) const {
    StartRow row = drawn_[static_cast<std::size_t>(tag - first_)];
    for (int c = 0; c < 3; ++c) row.v[c] = (row.v[c] - mean_[c]) * factor_ + drift_[static_cast<std::size_t>(c)];
    return row;
  }

private:
  LargeVector<StartRow> drawn_;  // of the normal distribution
  i64 first_;                    // tag
  std::array<double, 3> mean_{}, drift_{};
  double factor_ = 0.0;
};

}  // namespace mesowarp::mpcd
