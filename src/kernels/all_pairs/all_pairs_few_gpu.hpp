// Few bodies on a GPU, the few style: a warp has 2 to 8 bodies i, all its lanes the same, and each lane takes every
// 128th j (a block has four warps), straight from the cache: no barrier until the lanes', then the warps' sums are
// merged. The kernel is launched before the one before it has ended. Included by all_pairs_gpu.hpp.
#pragma once

#include "kernels/all_pairs/all_pairs_block_gpu.hpp"

namespace mesowarp::backend {

// Excluding: some j are left out as the sum goes; without, chunks of j need no branches and their loads overlap.
template <class Law, template <class> class SumOf, bool Excluding>
struct FewBlock : PairsBlockBase<Law, SumOf, Law::template perWarp<SumOf>> {
  static constexpr int perWarp = Law::template perWarp<SumOf>, threads = fewTile, channels = Law::channels;
  static constexpr int minBlocks = (sizeof(typename Law::Scalar) == 4 ? 2 : 1) * (perWarp <= 2 ? 4 : 2);
  static constexpr bool careful = Law::skipSelf || Excluding;
  static constexpr int unroll = perWarp * Law::readBytes <= 64 ? 4 : 2;  // bodies j that are loaded at once
  using Base = PairsBlockBase<Law, SumOf, perWarp>;
  using Body = typename Law::Body;
  using Total = typename Base::Total;
  using Sums = typename Base::Sums;

  static std::size_t sharedBytes(const Law& law) { return totalsBytes() + law.tableBytes(); }

  __device__ void operator()(char* shared) const {
    const int t = threadIdx.x, lane = t & 31, warp = t >> 5;
    const int first = this->firstTile(blockIdx.y), last = this->firstTile(blockIdx.y + 1);
    int k[perWarp];
#pragma unroll
    for (int p = 0; p < perWarp; ++p)
      k[p] = min(static_cast<int>(blockIdx.x) * perWarp + p, this->task.activeCount - 1);
    cudaGridDependencySynchronize();  // up to here the kernel before may still run (launchEarly)
    int self[perWarp];
    Body body[perWarp];
#pragma unroll
    for (int p = 0; p < perWarp; ++p) self[p] = this->task.bodyOf(k[p]);
#pragma unroll
    for (int p = 0; p < perWarp; ++p) body[p] = loadBody<Law>(&this->task.bodies(self[p]));
    const Law law = this->lawWithTable(shared + totalsBytes());
    typename Base::Here here[perWarp];
#pragma unroll
    for (int p = 0; p < perWarp; ++p) here[p].set(0, body[p], law);
    // Where the j are that some i must not see.
    int lowest = 0x7FFFFFFF, highest = -1;
    if constexpr (careful) {
#pragma unroll
      for (int p = 0; p < perWarp; ++p) {
        if (Law::skipSelf) lowest = min(lowest, self[p]), highest = max(highest, self[p]);
        if constexpr (Excluding) {
          const auto special = SpecialPartners<Law>::of(this->task.onTheFly, self[p]);
          if (special.first <= special.last) lowest = min(lowest, special.first), highest = max(highest, special.last);
        }
      }
    }
    Sums sums[perWarp];
    int begin = this->task.first + first * threads + warp * 32;  // of the 32 j that come next
    const auto add = [&](const Body& other) {
      if (careful && begin <= highest && begin + 32 > lowest) {
#pragma unroll
        for (int p = 0; p < perWarp; ++p) {
          bool skip = Law::skipSelf && self[p] == begin + lane;
          if constexpr (Excluding)
            skip = SpecialPartners<Law>::of(this->task.onTheFly, self[p]).skips(this->task.onTheFly, begin + lane);
          MaskedSums<Sums, bool> masked{sums[p], skip};
          law(here[p], other, masked);
        }
      } else {
#pragma unroll
        for (int p = 0; p < perWarp; ++p) law(here[p], other, sums[p]);
      }
      begin += threads;
    };
    int tile = first;
    const auto endTile = [&](int terms) {
      if (summedInTiles<SumOf<typename Law::Scalar>> && tile / mostTerms != (tile + terms) / mostTerms)
#pragma unroll
        for (int p = 0; p < perWarp; ++p) sums[p].endTile();
    };
    const int full = min(last, (this->task.last - this->task.first) / threads);
#pragma unroll 1
    for (; tile + unroll <= full; tile += unroll) {
      const Body* const at = &this->task.bodies(begin + lane);
      Body others[unroll];
#pragma unroll
      for (int u = 0; u < unroll; ++u) others[u] = loadBody<Law>(at + u * threads);
#pragma unroll
      for (int u = 0; u < unroll; ++u) add(others[u]);
      endTile(unroll);
    }
#pragma unroll 1
    for (; tile < last; ++tile) {
      add(this->bodyAt(begin + lane));
      endTile(1);
    }
    cudaTriggerProgrammaticLaunchCompletion();
    Total total[perWarp * channels];
#pragma unroll
    for (int p = 0; p < perWarp; ++p) {
      sums[p].endTile();
#pragma unroll
      for (int c = 0; c < channels; ++c) total[p * channels + c].merge(sums[p].channel[c].total(0));
    }
    merge(reinterpret_cast<Total*>(shared), t, total);
  }

private:
  static __host__ __device__ constexpr std::size_t totalsBytes() {
    return (fewWarps * perWarp * channels * sizeof(Total) + 15) / 16 * 16;
  }

  // The lanes' totals and then the warps', always in the same order. With each halving of a warp a lane keeps half of
  // the bodies.
  __device__ void merge(Total* all, int t, Total (&total)[perWarp * channels]) const {
    const int lane = t & 31, warp = t >> 5;
    int own = 0;
#pragma unroll
    for (int bits = 16, n = perWarp; bits > 0; bits /= 2) {
      if (n > 1) {
        n /= 2;
        const bool upper = lane & bits;
        own = 2 * own + (upper ? 1 : 0);
#pragma unroll
        for (int m = 0; m < n * channels; ++m) {
          const Total give = upper ? total[m] : total[m + n * channels];
          if (upper) total[m] = total[m + n * channels];
          total[m].merge(ofLane(give, lane ^ bits));
        }
      } else {
#pragma unroll
        for (int c = 0; c < channels; ++c) mergeLane(total[c], bits);
      }
    }
    if (lane % (32 / perWarp) == 0)
#pragma unroll
      for (int c = 0; c < channels; ++c) all[(warp * perWarp + own) * channels + c] = total[c];
    __syncthreads();
    if (t >= perWarp) return;
    Total sum[channels];
#pragma unroll
    for (int w = 0; w < fewWarps; ++w)
#pragma unroll
      for (int c = 0; c < channels; ++c) sum[c].merge(all[(w * perWarp + t) * channels + c]);
    this->store(blockIdx.y, blockIdx.x * perWarp + t, sum);
  }
};

}  // namespace mesowarp::backend
