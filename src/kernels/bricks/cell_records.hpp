// What a cell keeps for its particles: N numbers. On a CPU a cell's numbers follow each other, so that a particle finds
// them in one cache line. On a GPU pairs of numbers do, and all cells' first pairs come before the second ones: threads
// side by side, of cells side by side, then read and write whole lines.
#pragma once

#include "device/config.hpp"

namespace mesowarp {

template <class Number>
struct alignas(2 * sizeof(Number)) NumberPair {
  Number first, second;
};

// A record in registers.
template <class Number, int N>
struct Record {
  static constexpr int pairs = (N + 1) / 2;
  Number number[2 * pairs];
  KOKKOS_FORCEINLINE_FUNCTION Number operator()(int k) const { return number[k]; }
};

// Pairs of a record, `pitch` apart.
template <class Number, int N>
KOKKOS_FORCEINLINE_FUNCTION Record<Number, N> loadPairs(const NumberPair<Number>* at, std::size_t pitch) {
  Record<Number, N> record;
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
  for (int k = 0; k < record.pairs; ++k) {
    const NumberPair<Number> pair = at[k * pitch];
    record.number[2 * k] = pair.first, record.number[2 * k + 1] = pair.second;
  }
  return record;
}

template <class Number, int N, bool InPlanes = backend::onGpu>
struct CellRecords {
  using Pair = NumberPair<Number>;
  static constexpr int pairs = Record<Number, N>::pairs;
  // Of pairs: a row of a CPU begins at a multiple of 16 bytes.
  static constexpr int row = InPlanes ? pairs : (pairs + 1) / 2 * 2;

  Pair* at = nullptr;
  std::size_t cells = 0;

  static std::size_t numbers(std::size_t cells) { return cells * 2 * row; }
  static CellRecords over(Number* numbers, std::size_t cells) { return {reinterpret_cast<Pair*>(numbers), cells}; }

  KOKKOS_FORCEINLINE_FUNCTION std::size_t pitch() const { return InPlanes ? cells : 1; }
  KOKKOS_FORCEINLINE_FUNCTION Pair* of(int cell) const {
    return at + static_cast<std::size_t>(cell) * (InPlanes ? 1 : row);
  }
  KOKKOS_FORCEINLINE_FUNCTION Record<Number, N> load(int cell) const { return loadPairs<Number, N>(of(cell), pitch()); }
  KOKKOS_FORCEINLINE_FUNCTION void store(int cell, const Number (&number)[2 * pairs]) const {
    for (int k = 0; k < pairs; ++k) of(cell)[k * pitch()] = {number[2 * k], number[2 * k + 1]};
  }
};

}  // namespace mesowarp
