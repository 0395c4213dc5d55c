#include "physics/mpcd/solvent_start.hpp"

#include <array>
#include <cmath>

#include "device/host_loop.hpp"
#include "device/kokkos_compatibility.hpp"
#include "device/tag_random.hpp"

namespace mesowarp::mpcd {
namespace {

using Host = Kokkos::DefaultHostExecutionSpace;

struct IntegerSums {
  i64 velocity[3] = {};
  i64 squared = 0;
  IntegerSums& operator+=(const IntegerSums& other) {
    for (int c = 0; c < 3; ++c) velocity[c] += other.velocity[c];
    squared += other.squared;
    return *this;
  }
};

// Of all rows of all ranks, in units of 2^-28; normal numbers stay below 2^4, their squares below 2^7.
IntegerSums sumsOf(const std::vector<StartRow>& rows, const comm::Communicator* ranks) {
  constexpr double unit = 0x1p28;
  IntegerSums sums;
  Kokkos::parallel_reduce(
      "sums of solvent, start", Kokkos::RangePolicy<Host, Kokkos::IndexType<i64>>(0, static_cast<i64>(rows.size())),
      [&](i64 i, IntegerSums& sum) {
        double squared = 0.0;
        for (int c = 0; c < 3; ++c) {
          const double v = rows[static_cast<std::size_t>(i)].v[c];
          sum.velocity[c] += std::llrint(v * unit);
          squared += v * v;
        }
        sum.squared += std::llrint(squared * unit);
      },
      backend::SumReducer<IntegerSums>(sums));
  if (ranks) ranks->sum(sums.velocity, 3), ranks->sum(&sums.squared, 1);
  return sums;
}

}  // namespace

std::vector<StartRow> startRows(const input::Deck& deck, const input::Population& population, const Box& box,
                                const StartRoom& room, const StartTags& tags, i64 from, i64 to,
                                const comm::Communicator* ranks) {
  const i64 count = to - from, total = tags.last - tags.first;
  std::vector<StartRow> rows(static_cast<std::size_t>(count));
  const StepKey key = stepKey(deck.run.seed, Stream::solventStart, 0);
  hostLoop("solvent, start", 0, count, [&](i64 i) {
    StartRow& row = rows[static_cast<std::size_t>(i)];
    row.tag = static_cast<u32>(from + i);
    TagRandom random(key, row.tag);
    do {
      for (int c = 0; c < 3; ++c) row.x[c] = toFixed(box, c, random.uniform() * box.size[c]);
    } while (!room.has(row.x));
    for (int c = 0; c < 3; ++c) row.v[c] = random.gaussian();
  });
  const IntegerSums sums = sumsOf(rows, ranks);
  const double all = static_cast<double>(total);
  std::array<double, 3> mean{};
  double squared = 0x1p-28 * static_cast<double>(sums.squared) / all;
  for (int c = 0; c < 3; ++c) {
    mean[c] = 0x1p-28 * static_cast<double>(sums.velocity[c]) / all;
    squared -= mean[c] * mean[c];
  }
  // T = sum m v^2 / (3 N - 3), of all species, so that the table's temperature is the deck's.
  const double thermal = population.temperature / population.mass, freedom = 3.0 - 3.0 / static_cast<double>(tags.all);
  const double factor = total > 1 && squared > 0.0 ? std::sqrt(thermal * freedom / squared) : 0.0;
  hostLoop("solvent, velocities", 0, count, [&](i64 i) {
    StartRow& row = rows[static_cast<std::size_t>(i)];
    for (int c = 0; c < 3; ++c)
      row.v[c] = (row.v[c] - mean[c]) * factor + population.velocity[static_cast<std::size_t>(c)];
  });
  return rows;
}

}  // namespace mesowarp::mpcd
