// Exclusive prefix sums on a GPU: one block of threads where it can do all, which saves a launch and CUB's set-up; else
// CUB's single-pass scan.
#pragma once

#include <cub/block/block_scan.cuh>
#include <cub/device/device_scan.cuh>

#include "device/launch_gpu.hpp"

namespace mesowarp::backend {

// Loads everything before the first sum, so that memory is waited for once.
struct ScanInOneBlock {
  static constexpr int threads = 1024, tiles = 4, tile = 4 * threads, most = tiles * tile;
  using Scan = cub::BlockScan<int, threads>;
  const int* in;
  int* out;
  int count;

  __device__ void operator()(char* shared) const {
    auto& storage = *reinterpret_cast<Scan::TempStorage*>(shared);
    int item[tiles][4];
#pragma unroll
    for (int t = 0; t < tiles; ++t)
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        const int at = t * tile + 4 * static_cast<int>(threadIdx.x) + k;
        item[t][k] = at < count ? in[at] : 0;
      }
    int before = 0;
#pragma unroll
    for (int t = 0; t < tiles; ++t) {
      if (t * tile >= count) break;
      int sum = 0;
      Scan(storage).ExclusiveSum(item[t], item[t], sum);
      for (int k = 0; k < 4; ++k) {
        const int at = t * tile + 4 * static_cast<int>(threadIdx.x) + k;
        if (at < count) out[at] = before + item[t][k];
      }
      before += sum;
      __syncthreads();
    }
  }
};

inline void exclusiveScan(const char* label, const DeviceArray<int>& in, const DeviceArray<int>& out,
                          DeviceArray<char>& temporary) {
  const int count = static_cast<int>(in.extent(0));
  if (count <= ScanInOneBlock::most) {
    launchBlocks<ScanInOneBlock::threads, 1>(label, 1, ScanInOneBlock::threads,
                                             sizeof(ScanInOneBlock::Scan::TempStorage),
                                             ScanInOneBlock{in.data(), out.data(), count});
    return;
  }
  const cudaStream_t stream = Execution().cuda_stream();
  std::size_t needed = 0;
  cub::DeviceScan::ExclusiveSum(nullptr, needed, in.data(), out.data(), count, stream);
  if (temporary.extent(0) < needed)
    temporary = DeviceArray<char>(Kokkos::view_alloc("scan temporary", Kokkos::WithoutInitializing), needed);
  cub::DeviceScan::ExclusiveSum(temporary.data(), needed, in.data(), out.data(), count, stream);
}

}  // namespace mesowarp::backend
