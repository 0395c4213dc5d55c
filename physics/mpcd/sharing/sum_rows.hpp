// What travels of a cell's sums from rank to rank: a row of words of 32 bits. A link between GPUs is what packing waits
// for, so there are as few as can be: 20 bytes for four sums of 32-bit storage.
#pragma once

#include "grid/field_rows.hpp"
#include "kernels/bricks/halved_sums.hpp"
#include "physics/mpcd/sum_words.hpp"

namespace mesowarp::mpcd {

// Sums as they are.
template <int Sums>
struct WholeRow {
  static constexpr int sums = Sums, words = HalvedSums<Sums>::words;
  KOKKOS_FORCEINLINE_FUNCTION void pack(const u64 (&sum)[sums], u32 (&word)[words]) const {
    HalvedSums<Sums>::split(sum, word);
  }
  KOKKOS_FORCEINLINE_FUNCTION void addTo(u64 (&sum)[sums], const u32 (&word)[words]) const {
    u64 more[sums];
    HalvedSums<Sums>::join(word, more);
    for (int s = 0; s < sums; ++s) sum[s] += more[s];
  }
};

// Of a rule's sums: scale is that of the cells.
template <class Words>
struct RowOf : WholeRow<Words::sums> {
  RowOf() = default;
  explicit RowOf(const SumScale&) {}
};

// Of 32-bit storage: the words of all that has been added, which have room for what a cell may hold in all.
template <bool Energy>
struct RowOf<SumWords<false, Energy>> {
  using Words = SumWords<false, Energy>;
  static constexpr int sums = Words::sums, words = Words::words;
  int lowBits = 0;
  RowOf() = default;
  explicit RowOf(const SumScale& scale) : lowBits(scale.lowBits) {}
  KOKKOS_FORCEINLINE_FUNCTION void pack(const u64 (&sum)[sums], u32 (&word)[words]) const {
    Words::part(*this, sum, word);
  }
  KOKKOS_FORCEINLINE_FUNCTION void addTo(u64 (&sum)[sums], const u32 (&word)[words]) const {
    u64 more[sums];
    Words::join(*this, word, more);
    for (int s = 0; s < sums; ++s) sum[s] += more[s];
  }
};

// Where rows of so many words are: 16 bytes at a time in one column, what is left of each in another.
template <int Words>
class RowColumns {
public:
  static constexpr int rest = Words % 4, quads = Words - rest, number = rest > 0 ? 2 : 1;

  KOKKOS_FORCEINLINE_FUNCTION bool any() const { return at_[0] != nullptr; }
  KOKKOS_FORCEINLINE_FUNCTION void store(int row, const u32 (&word)[Words]) const {
    for (int k = 0; k < quads; k += 4) quad(row, k) = {{word[k], word[k + 1], word[k + 2], word[k + 3]}};
    for (int k = 0; k < rest; ++k) left(row)[k] = word[quads + k];
  }
  // Whether any is not zero.
  KOKKOS_FORCEINLINE_FUNCTION bool load(int row, u32 (&word)[Words]) const {
    for (int k = 0; k < quads; k += 4) {
      const Quad four = quad(row, k);
      for (int w = 0; w < 4; ++w) word[k + w] = four.word[w];
    }
    for (int k = 0; k < rest; ++k) word[quads + k] = left(row)[k];
    u32 all = 0;
    for (int k = 0; k < Words; ++k) all |= word[k];
    return all != 0;
  }
  KOKKOS_FORCEINLINE_FUNCTION void clear(int row) const { store(row, {}); }
  // A column's first row, and how many words further the next one is.
  void place(int column, u32* first, int pitch) { at_[column] = first, pitch_[column] = pitch; }

private:
  struct alignas(16) Quad {
    u32 word[4];
  };
  KOKKOS_FORCEINLINE_FUNCTION Quad& quad(int row, int k) const {
    return *reinterpret_cast<Quad*>(at_[0] + static_cast<std::size_t>(row) * pitch_[0] + k);
  }
  KOKKOS_FORCEINLINE_FUNCTION u32* left(int row) const { return at_[1] + static_cast<std::size_t>(row) * pitch_[1]; }
  u32* at_[2] = {};
  int pitch_[2] = {};
};

}  // namespace mesowarp::mpcd
