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

void Sorter::sort(DeviceArray<u32>& keys, DeviceArray<int>& values, int bits) {
  const int n = static_cast<int>(keys.extent(0));
  reserve(otherKeys_, "sort keys", keys.extent(0));
  reserve(otherValues_, "sort values", keys.extent(0));
#ifdef KOKKOS_ENABLE_CUDA
  const cudaStream_t stream = Execution().cuda_stream();
  cub::DoubleBuffer<u32> k(keys.data(), otherKeys_.data());
  cub::DoubleBuffer<int> v(values.data(), otherValues_.data());
  std::size_t needed = 0;
  cub::DeviceRadixSort::SortPairs(nullptr, needed, k, v, n, 0, bits, stream);
  if (temporary_.extent(0) < needed) reserve(temporary_, "sort temporary", needed);
  cub::DeviceRadixSort::SortPairs(temporary_.data(), needed, k, v, n, 0, bits, stream);
  if (k.Current() != keys.data()) {
    std::swap(keys, otherKeys_);
    std::swap(values, otherValues_);
  }
#else
  const int chunks = std::max(1, Execution().concurrency());
  reserve(counts_, "sort counts", static_cast<std::size_t>(radix) * chunks);
  for (int shift = 0; shift < bits; shift += radixBits) {
    const u32 mask = (1u << std::min(radixBits, bits - shift)) - 1;
    Kokkos::parallel_for("sort histogram", Range(0, chunks), Histogram{keys, counts_, n, chunks, shift, mask});
    Kokkos::parallel_scan("sort scan", Range(0, radix * chunks), ExclusiveScan{counts_});
    Kokkos::parallel_for("sort permute", Range(0, chunks),
                         Permute{keys, otherKeys_, values, otherValues_, counts_, n, chunks, shift, mask});
    std::swap(keys, otherKeys_);
    std::swap(values, otherValues_);
  }
#endif
}

std::size_t Sorter::bytes() const {
  return otherKeys_.extent(0) * sizeof(u32) + otherValues_.extent(0) * sizeof(int) +
         counts_.extent(0) * sizeof(int) + temporary_.extent(0);
}

}  // namespace mesowarp::backend
