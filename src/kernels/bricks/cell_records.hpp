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
  static constexpr int pairs = Record<Number, N>::pairs, wholePairs = N / 2;
  // Of numbers: a row of a CPU begins at a multiple of 16 bytes. In planes an odd number, the last one, has its own.
  static constexpr int row = InPlanes ? N : (pairs + 1) / 2 * 4;

  Number* at = nullptr;
  std::size_t cells = 0;

  static std::size_t numbers(std::size_t cells) { return cells * row; }
  static CellRecords over(Number* numbers, std::size_t cells) { return {numbers, cells}; }

  KOKKOS_FORCEINLINE_FUNCTION Record<Number, N> load(int cell) const {
    if constexpr (!InPlanes) return loadPairs<Number, N>(rowOf(cell), 1);
    Record<Number, N> record;
#ifdef __CUDA_ARCH__
#pragma unroll
#endif
    for (int k = 0; k < wholePairs; ++k) {
      const Pair pair = *inPlane(k, cell);
      record.number[2 * k] = pair.first, record.number[2 * k + 1] = pair.second;
    }
    if constexpr (N % 2 == 1) record.number[N - 1] = *single(cell), record.number[N] = Number(0);
    return record;
  }
  // The first N of the numbers.
  KOKKOS_FORCEINLINE_FUNCTION void store(int cell, const Number* number) const {
    if constexpr (!InPlanes) {
      for (int k = 0; k < pairs; ++k) rowOf(cell)[k] = {number[2 * k], number[2 * k + 1]};
    } else {
      for (int k = 0; k < wholePairs; ++k) *inPlane(k, cell) = {number[2 * k], number[2 * k + 1]};
      if constexpr (N % 2 == 1) *single(cell) = number[N - 1];
    }
  }

private:
  KOKKOS_FORCEINLINE_FUNCTION Pair* rowOf(int cell) const {
    return reinterpret_cast<Pair*>(at + static_cast<std::size_t>(cell) * row);
  }
  KOKKOS_FORCEINLINE_FUNCTION Pair* inPlane(int k, int cell) const {
    return reinterpret_cast<Pair*>(at) + (k * cells + static_cast<std::size_t>(cell));
  }
  KOKKOS_FORCEINLINE_FUNCTION Number* single(int cell) const {
    return at + (2 * wholePairs * cells + static_cast<std::size_t>(cell));
  }
};

}  // namespace mesowarp
