// The checkpoint that the tests write: distributed arrays of two lengths, and whole ones.
#pragma once

#include <string>
#include <vector>

#include "io/checkpoint/checkpoint.hpp"
#include "tests/mpi/io_support.hpp"

namespace mesowarp::io::test {

// 200,000 rows: several blocks of the hash.
struct Sample {
  std::vector<double> position;
  std::vector<std::uint32_t> tag;
  std::vector<std::uint8_t> few{1, 2, 3, 4, 5, 6, 7};
  std::vector<std::int64_t> counters{11, 12, 13}, rankRows;

  explicit Sample(std::size_t rows) {
    for (std::size_t i = 0; i < rows; ++i) {
      tag.push_back(static_cast<std::uint32_t>(i * 7919 + 1));
      for (int axis = 0; axis < 3; ++axis) position.push_back(0.1 * static_cast<double>(i) + axis);
    }
  }
};

// The views of a rank; of all rows for one process.
inline std::vector<ArrayView> viewsOf(const Sample& all, const comm::Communicator& ranks, bool alone) {
  const auto part = [&](const char* name, ElementType type, std::size_t width, const auto& data) {
    const std::size_t rows = data.size() / width;
    const std::size_t first = alone ? 0 : unequalFirst(ranks, ranks.rank(), rows);
    const std::size_t last = alone ? rows : unequalFirst(ranks, ranks.rank() + 1, rows);
    return ArrayView{name, type, last - first, width, data.data() + first * width, Spread::distributed};
  };
  const bool isRoot = alone || ranks.root();
  return {part("position", ElementType::f64, 3, all.position),
          {"counters", ElementType::i64, isRoot ? 3UL : 0UL, 1, isRoot ? all.counters.data() : nullptr},
          part("water/tag", ElementType::u32, 1, all.tag),
          part("few", ElementType::u8, 1, all.few),
          part("none", ElementType::f32, 2, std::vector<float>()),
          {"rank_rows", ElementType::i64, all.rankRows.size(), 1, all.rankRows.data()}};
}

inline std::string write(const std::string& directory, std::int64_t step, const Sample& all,
                         const comm::Communicator& ranks, bool alone, std::int64_t writers) {
  return writeCheckpoint(directory, step, viewsOf(all, ranks, alone),
                         {{"deck", std::string("[run]\n\0", 7)}, {"none", ""}}, {{"step", step}, {"ranks", writers}},
                         alone ? nullptr : &ranks);
}

inline Sample sampleOf(const comm::Communicator& ranks, std::size_t rows) {
  Sample sample(rows);
  for (int rank = 0; rank < ranks.size(); ++rank)
    sample.rankRows.push_back(
        static_cast<std::int64_t>(unequalFirst(ranks, rank + 1, rows) - unequalFirst(ranks, rank, rows)));
  return sample;
}

}  // namespace mesowarp::io::test
