#include "backend/sort.hpp"

#include <algorithm>
#include <utility>

#ifdef KOKKOS_ENABLE_CUDA
#include <cub/device/device_radix_sort.cuh>
#endif

namespace mesowarp::backend {
namespace {

#ifndef KOKKOS_ENABLE_CUDA
constexpr int radixBits = 8, radix = 1 << radixBits;

// counts[digit * chunks + chunk]
struct Histogram {
  DeviceArray<u32> keys;
  DeviceArray<int> counts;
  int n, chunks, shift;
  u32 mask;  // of the digit
  KOKKOS_INLINE_FUNCTION void operator()(int chunk) const {
    int local[radix] = {};
    const int first = static_cast<int>(i64(n) * chunk / chunks), last = static_cast<int>(i64(n) * (chunk + 1) / chunks);
    for (int i = first; i < last; ++i) ++local[(keys(i) >> shift) & mask];
    for (int d = 0; d < radix; ++d) counts(d * chunks + chunk) = local[d];
  }
};

struct ExclusiveScan {
  DeviceArray<int> counts;
  KOKKOS_INLINE_FUNCTION void operator()(int i, int& sum, bool final) const {
    const int value = counts(i);
    if (final) counts(i) = sum;
    sum += value;
  }
};

struct Permute {
  DeviceArray<u32> keys, newKeys;
  DeviceArray<int> values, newValues, counts;
  int n, chunks, shift;
  u32 mask;  // of the digit
  KOKKOS_INLINE_FUNCTION void operator()(int chunk) const {
    int at[radix];
    for (int d = 0; d < radix; ++d) at[d] = counts(d * chunks + chunk);
    const int first = static_cast<int>(i64(n) * chunk / chunks), last = static_cast<int>(i64(n) * (chunk + 1) / chunks);
    for (int i = first; i < last; ++i) {
      const int target = at[(keys(i) >> shift) & mask]++;
      newKeys(target) = keys(i);
      newValues(target) = values(i);
    }
  }
};

#endif

template <class View>
void reserve(View& view, const char* label, std::size_t n) {
  if (view.extent(0) != n) view = View(Kokkos::view_alloc(std::string(label), Kokkos::WithoutInitializing), n);
}

}  // namespace

Sorter::Pairs Sorter::sort(const Pairs& pairs, const Pairs& other, int bits, int firstBit) {
  const int n = static_cast<int>(pairs.keys.extent(0));
#ifdef KOKKOS_ENABLE_CUDA
  const cudaStream_t stream = Execution().cuda_stream();
  cub::DoubleBuffer<u32> k(pairs.keys.data(), other.keys.data());
  cub::DoubleBuffer<int> v(pairs.values.data(), other.values.data());
  std::size_t needed = 0;
  cub::DeviceRadixSort::SortPairs(nullptr, needed, k, v, n, firstBit, bits, stream);
  if (temporary_.extent(0) < needed) reserve(temporary_, "sort temporary", needed);
  cub::DeviceRadixSort::SortPairs(temporary_.data(), needed, k, v, n, firstBit, bits, stream);
  return k.Current() == pairs.keys.data() ? pairs : other;
#else
  const int chunks = std::max(1, Execution().concurrency());
  reserve(counts_, "sort counts", static_cast<std::size_t>(radix) * chunks);
  Pairs from = pairs, to = other;
  for (int shift = firstBit; shift < bits; shift += radixBits) {
    const u32 mask = (1u << std::min(radixBits, bits - shift)) - 1;
    Kokkos::parallel_for("sort histogram", Range(0, chunks), Histogram{from.keys, counts_, n, chunks, shift, mask});
    Kokkos::parallel_scan("sort scan", Range(0, radix * chunks), ExclusiveScan{counts_});
    Kokkos::parallel_for("sort permute", Range(0, chunks),
                         Permute{from.keys, to.keys, from.values, to.values, counts_, n, chunks, shift, mask});
    std::swap(from, to);
  }
  return from;
#endif
}

std::size_t Sorter::bytes() const {
  return counts_.extent(0) * sizeof(int) + temporary_.extent(0);
}

}  // namespace mesowarp::backend
