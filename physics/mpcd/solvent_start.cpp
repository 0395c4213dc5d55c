#include "physics/mpcd/solvent_start.hpp"

#include <algorithm>
#include <cmath>

#include "device/host_loop.hpp"
#include "device/tag_random.hpp"

namespace mesowarp::mpcd {
namespace {

struct IntegerSums {
  i64 velocity[3] = {};
  i64 squared = 0;
  KOKKOS_INLINE_FUNCTION IntegerSums& operator+=(const IntegerSums& other) {
    for (int c = 0; c < 3; ++c) velocity[c] += other.velocity[c];
    squared += other.squared;
    return *this;
  }
};

StartRow draw(StepKey key, u32 tag, const Box& box, const StartRoom& room) {
  StartRow row;
  row.tag = tag;
  TagRandom random(key, tag);
  do {
    for (int c = 0; c < 3; ++c) row.x[c] = toFixed(box, c, random.uniform() * box.size[c]);
  } while (!room.has(row.x));
  for (int c = 0; c < 3; ++c) row.v[c] = random.gaussian();
  return row;
}
// The same, if there is room at the first try.
bool draw(const TagDraws& draws, int l, const Box& box, const StartRoom& room, StartRow& row) {
  for (int c = 0; c < 3; ++c) row.x[c] = toFixed(box, c, draws.uniform(l, c) * box.size[c]);
  if (!room.has(row.x)) return false;
  for (int c = 0; c < 3; ++c) row.v[c] = draws.gaussian(l, 3 + 2 * c);
  return true;
}

}  // namespace

// Sums over all rows of all ranks are in units of 2^-28; normal numbers stay below 2^4, their squares below 2^7.
StartRows::StartRows(u64 seed, const input::Population& population, const Box& box, const StartRoom& room,
                     const StartTags& tags, i64 from, i64 to, const comm::Communicator* ranks)
    : drawn_(static_cast<std::size_t>(to - from)), first_(from), drift_(population.velocity) {
  const StepKey key = stepKey(seed, Stream::solventStart, 0);
  constexpr double unit = 0x1p28;
  const auto add = [](const StartRow& row, IntegerSums& sum) {
    double squared = 0.0;
    for (int c = 0; c < 3; ++c) {
      sum.velocity[c] += std::llrint(row.v[c] * unit);
      squared += row.v[c] * row.v[c];
    }
    sum.squared += std::llrint(squared * unit);
  };
  const i64 blocks = (to - from + TagDraws::tags - 1) / TagDraws::tags;
  auto sums = hostSum<IntegerSums>("sums of solvent, start", 0, blocks, [&](i64 block, IntegerSums& sum) {
    const i64 first = from + block * TagDraws::tags;
    const int count = static_cast<int>(std::min<i64>(TagDraws::tags, to - first));
    const TagDraws draws(key, static_cast<u32>(first), 9);
    for (int l = 0; l < count; ++l) {
      StartRow& row = drawn_[static_cast<std::size_t>(first - from + l)];
      row.tag = static_cast<u32>(first + l);
      if (!draw(draws, l, box, room, row)) row = draw(key, row.tag, box, room);
      add(row, sum);
    }
  });
  if (ranks) ranks->sum(sums.velocity, 3), ranks->sum(&sums.squared, 1);
  const i64 total = tags.last - tags.first;
  const double all = static_cast<double>(total);
  double squared = static_cast<double>(sums.squared) / unit / all;
  for (int c = 0; c < 3; ++c) {
    mean_[c] = static_cast<double>(sums.velocity[c]) / unit / all;
    squared -= mean_[c] * mean_[c];
  }
  // T = sum m v^2 / (3 N - 3), of all species, so that the table's temperature is the deck's.
  const double thermal = population.temperature / population.mass, freedom = 3.0 - 3.0 / static_cast<double>(tags.all);
  factor_ = total > 1 && squared > 0.0 ? std::sqrt(thermal * freedom / squared) : 0.0;
}

}  // namespace mesowarp::mpcd
