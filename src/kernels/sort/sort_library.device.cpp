#include "kernels/sort/sort_library.hpp"

#include <algorithm>

#ifdef KOKKOS_ENABLE_CUDA
#include <cub/device/device_radix_sort.cuh>
#endif

namespace mesowarp::backend {

#ifdef KOKKOS_ENABLE_CUDA

SortPairs LibrarySort::sort(const SortPairs& pairs, const SortPairs& other, int bits, int firstBit) {
  const int n = static_cast<int>(pairs.keys.extent(0));
  const cudaStream_t stream = Execution().cuda_stream();
  cub::DoubleBuffer<u32> k(pairs.keys.data(), other.keys.data());
  cub::DoubleBuffer<int> v(pairs.values.data(), other.values.data());
  std::size_t needed = 0;
  cub::DeviceRadixSort::SortPairs(nullptr, needed, k, v, n, firstBit, bits, stream);
  if (temporary_.extent(0) < needed)
    temporary_ = DeviceArray<char>(Kokkos::view_alloc("sort temporary", Kokkos::WithoutInitializing), needed);
  cub::DeviceRadixSort::SortPairs(temporary_.data(), needed, k, v, n, firstBit, bits, stream);
  return k.Current() == pairs.keys.data() ? pairs : other;
}

#else

SortPairs LibrarySort::sort(const SortPairs& pairs, const SortPairs& other, int bits, int firstBit) {
  const std::size_t n = pairs.keys.extent(0);
  const u32 mask = bits >= 32 ? ~u32{0} : (u32{1} << bits) - 1;
  packed_.resize(n);  // what counts of the key, above the place it comes from
  for (std::size_t i = 0; i < n; ++i) packed_[i] = static_cast<u64>((pairs.keys(i) & mask) >> firstBit) << 32 | i;
  std::stable_sort(packed_.begin(), packed_.end(), [](u64 a, u64 b) { return a >> 32 < b >> 32; });
  for (std::size_t i = 0; i < n; ++i) {
    const u32 source = static_cast<u32>(packed_[i]);
    other.keys(i) = pairs.keys(source);
    other.values(i) = pairs.values(source);
  }
  return other;
}

#endif

}  // namespace mesowarp::backend
