// All pairs on a GPU. A block loads a tile of j into shared memory, the next one on its way in registers; each thread keeps
// a few i and their sums in registers, so that a tile's body is read once for all of them. Included by all_pairs.hpp.
#pragma once

#include "backend/all_pairs.hpp"
#include "backend/lane_totals_gpu.hpp"
#include "backend/launch_gpu.hpp"

namespace mesowarp::backend {

// What wide and sliced blocks share. PerThread: i in a thread's registers.
template <class Law, template <class> class SumOf, int PerThread>
struct PairsBlockBase {
  using Real = typename Law::Scalar;
  using Body = typename Law::Body;
  using Sums = SumSet<Law, SumOf<Real>>;
  using Total = typename SumOf<Real>::Total;
  using Here = typename Law::template At<Real>;

  PairsTask<Law> task;
  Total* totals;  // null: there is one part
  int blocks, parts, tiles;

  // The law with its table, if it has one, in shared memory.
  __device__ Law lawWithTable(char* at) const {
    Law law = task.law;
    law.stage(at, threadIdx.x, blockDim.x);
    return law;
  }
  __device__ void loadHere(const Law& law, int k, Here& here, SpecialPartners<Law>& special) const {
    const int i = k < task.activeCount ? task.bodyOf(k) : -1;
    here.set(0, i >= 0 ? task.bodies(i) : Law::padding(), law);
    special = SpecialPartners<Law>::of(task.onTheFly, i);
  }
  // Where a part of the tiles begins. Both factors are small: parts are at most 64 (all_pairs_shape.hpp).
  __device__ int firstTile(int part) const {
    return parts == 1 ? part * tiles : static_cast<int>(static_cast<u32>(tiles) * static_cast<u32>(part) / static_cast<u32>(parts));
  }
  __device__ Body bodyAt(int j) const { return j < task.last ? task.bodies(j) : Law::padding(); }
  // The `count` bodies tile[first], tile[first + stride], ... of the tile whose first body is `begin`; `first` is below `stride`.
  // Where a thread of the warp may not see all of them, they are looked at one by one, `Segment` at a time.
  template <int Unroll, int Segment>
  __device__ __forceinline__ void add(const Law& law, const Here (&here)[PerThread],
                                      const SpecialPartners<Law> (&special)[PerThread], Sums (&sums)[PerThread],
                                      const Body* tile, int begin, int count, int first, int stride) const {
    if (Law::skipSelf || task.onTheFly.any()) {
      for (int n = 0; n < count; n += Segment) {
        bool careful = false;
#pragma unroll
        for (int p = 0; p < PerThread; ++p) careful = careful || special[p].within(begin + n * stride, begin + (n + Segment) * stride);
        if (__any_sync(0xFFFFFFFFu, careful))
          addCarefully(law, here, special, sums, tile, begin, n, n + Segment < count ? n + Segment : count, first, stride);
        else
          addAll<Unroll>(law, here, sums, tile + n * stride, count - n < Segment ? count - n : Segment, first, stride);
      }
    } else {
      addAll<Unroll>(law, here, sums, tile, count, first, stride);
    }
  }

 private:
  // All p loops are unrolled: sums that are indexed would leave the registers.
  template <int Unroll>
  __device__ __forceinline__ void addAll(const Law& law, const Here (&here)[PerThread], Sums (&sums)[PerThread], const Body* tile,
                                         int count, int first, int stride) const {
#pragma unroll Unroll
    for (int n = 0; n < count; ++n) {
      const Body body = tile[first + n * stride];
#pragma unroll
      for (int p = 0; p < PerThread; ++p) law(here[p], body, sums[p]);
    }
  }
  __device__ __forceinline__ void addCarefully(const Law& law, const Here (&here)[PerThread], const SpecialPartners<Law> (&special)[PerThread],
                                               Sums (&sums)[PerThread], const Body* tile, int begin, int from, int to, int first,
                                               int stride) const {
#pragma unroll 1
    for (int n = from; n < to; ++n) {
      const Body body = tile[first + n * stride];
#pragma unroll
      for (int p = 0; p < PerThread; ++p) {
        MaskedSums<Sums, bool> masked{sums[p], special[p].skips(task.onTheFly, begin + first + n * stride)};
        law(here[p], body, masked);
      }
    }
  }

 public:
  __device__ void store(int part, int k, Total (&total)[Law::channels]) const {
    if (k >= task.activeCount) return;
    if (!totals) return finishBody<Law, SumOf>(task, k, total);
    for (int c = 0; c < Law::channels; ++c)
      totals[(static_cast<std::size_t>(part) * Law::channels + c) * task.activeCount + k] = total[c];
  }
};

template <class Law, template <class> class SumOf>
struct WideBlock : PairsBlockBase<Law, SumOf, Law::template perThread<SumOf>> {
  static constexpr int perThread = Law::template perThread<SumOf>, threads = wideThreads;
  static std::size_t sharedBytes(const Law& law) { return 2 * wideTile * sizeof(typename Law::Body) + law.tableBytes(); }

  __device__ void operator()(char* shared) const {
    using Body = typename Law::Body;
    Body* const tile = reinterpret_cast<Body*>(shared);
    const Law law = this->lawWithTable(shared + 2 * wideTile * sizeof(Body));
    const int block = blockIdx.x % this->blocks, part = blockIdx.x / this->blocks, t = threadIdx.x;
    typename WideBlock::Here here[perThread];
    SpecialPartners<Law> special[perThread];
#pragma unroll
    for (int p = 0; p < perThread; ++p)
      this->loadHere(law, (block * perThread + p) * threads + t, here[p], special[p]);
    typename WideBlock::Sums sums[perThread];
    const int first = this->firstTile(part), last = this->firstTile(part + 1);
    const int start = this->task.first;
    Body mine = this->bodyAt(start + first * wideTile + t);
    for (int k = first; k < last; ++k) {
      Body* const now = tile + (k & 1) * wideTile;  // two tiles in turn: one barrier each
      now[t] = mine;
      __syncthreads();
      if (k + 1 < last) mine = this->bodyAt(start + (k + 1) * wideTile + t);
      const int begin = start + k * wideTile;
      this->template add<Law::unroll, 32>(law, here, special, sums, now, begin, wideTile, 0, 1);
#pragma unroll
      for (int p = 0; p < perThread; ++p) sums[p].endTile();
    }
#pragma unroll
    for (int p = 0; p < perThread; ++p) {
      typename WideBlock::Total total[Law::channels];
      for (int c = 0; c < Law::channels; ++c) total[c].merge(sums[p].channel[c].total(0));
      this->store(part, (block * perThread + p) * threads + t, total);
    }
  }
};

constexpr int slicedPerThread = 2;

template <class Law, template <class> class SumOf>
struct SlicedBlock : PairsBlockBase<Law, SumOf, slicedPerThread> {
  static constexpr int perThread = slicedPerThread, threads = slicedThreads;
  using Total = typename PairsBlockBase<Law, SumOf, perThread>::Total;
  int lanesLog2;

  static std::size_t tileBytes() {
    return std::max(slicedTile * sizeof(typename Law::Body), threads * Law::channels * sizeof(Total));
  }
  static std::size_t sharedBytes(const Law& law) { return tileBytes() + law.tableBytes(); }

  __device__ void operator()(char* shared) const {
    using Body = typename Law::Body;
    Body* const tile = reinterpret_cast<Body*>(shared);
    constexpr std::size_t tileEnd = slicedTile * sizeof(Body), totalsEnd = threads * Law::channels * sizeof(Total);
    const Law law = this->lawWithTable(shared + (tileEnd > totalsEnd ? tileEnd : totalsEnd));
    const int block = blockIdx.x % this->blocks, part = blockIdx.x / this->blocks, t = threadIdx.x;
    const int lanes = 1 << lanesLog2, lane = t & (lanes - 1), slice = t >> lanesLog2, slices = threads >> lanesLog2;
    typename SlicedBlock::Here here[perThread];
    SpecialPartners<Law> special[perThread];
#pragma unroll
    for (int p = 0; p < perThread; ++p)
      this->loadHere(law, (block * perThread + p) * lanes + lane, here[p], special[p]);
    typename SlicedBlock::Sums sums[perThread];
    const int first = this->firstTile(part), last = this->firstTile(part + 1);
    const int start = this->task.first;
    Body mine = this->bodyAt(start + first * slicedTile + t);
    for (int k = first; k < last; ++k) {
      __syncthreads();
      tile[t] = mine;
      __syncthreads();
      if (k + 1 < last) mine = this->bodyAt(start + (k + 1) * slicedTile + t);
      const int begin = start + k * slicedTile;
      this->template add<4, 4>(law, here, special, sums, tile, begin, lanes, slice, slices);
#pragma unroll
      for (int p = 0; p < perThread; ++p) sums[p].endTile();
    }
#pragma unroll
    for (int p = 0; p < perThread; ++p) {
      Total total[Law::channels];
      for (int c = 0; c < Law::channels; ++c) total[c].merge(sums[p].channel[c].total(0));
      merge(reinterpret_cast<Total*>(shared), lanes, t, total);
      if (slice == 0) this->store(part, (block * perThread + p) * lanes + lane, total);
    }
  }

 private:
  // The slices' totals, in an order that depends on `lanes` alone; slice 0 has the result. Within warps first: what is left is
  // one slice a warp, or a few warps.
  __device__ void merge(Total* all, int lanes, int t, Total (&total)[Law::channels]) const {
    for (int d = lanes; d < 32; d *= 2)
      for (int c = 0; c < Law::channels; ++c) mergeLane(total[c], d);
    const int widthLog2 = lanes < 32 ? 5 : lanesLog2, groups = threads >> widthLog2, within = t & ((1 << widthLog2) - 1);
    __syncthreads();
    if (within < lanes)
      for (int c = 0; c < Law::channels; ++c) all[(c * groups + (t >> widthLog2)) * lanes + within] = total[c];
    __syncthreads();
    if (t >= lanes) return;
#pragma unroll 4
    for (int g = 1; g < groups; ++g)
      for (int c = 0; c < Law::channels; ++c) total[c].merge(all[(c * groups + g) * lanes + t]);
  }
};

inline int multiprocessors() {
  int device = 0, count = 0;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&count, cudaDevAttrMultiProcessorCount, device);
  return count;
}

template <class Law, template <class> class SumOf>
int residentWideBlocks(const Law& law) {
  int blocks = 0;
  const auto kernel = runBlocks<WideBlock<Law, SumOf>, wideThreads, 1>;
  const std::size_t shared = WideBlock<Law, SumOf>::sharedBytes(law);
  if (shared > 48 * 1024)
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, static_cast<int>(shared));
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, wideThreads, shared);
  return std::max(1, blocks);
}

template <class Law, template <class> class SumOf>
PairsShape shapeOfPairs(const PairsTask<Law>& task) {
  constexpr int perThread = WideBlock<Law, SumOf>::perThread;
  static const int processors = multiprocessors(), resident = residentWideBlocks<Law, SumOf>(task.law);
  const int j = task.last - task.first;
  return task.parts > 0 ? wideShape(task.activeCount, j, perThread, task.parts)
                        : pairsShape(task.activeCount, j, perThread, slicedPerThread, processors, resident);
}

// totals: of the parts; null: there is one, which finishes its bodies.
template <class Law, template <class> class SumOf>
void launchPairs(const char* label, const PairsTask<Law>& task, const PairsShape& shape,
                 typename SumOf<typename Law::Scalar>::Total* totals) {
  using Wide = WideBlock<Law, SumOf>;
  using Sliced = SlicedBlock<Law, SumOf>;
  const int tiles = ceilDivide(task.last - task.first, shape.sliced ? slicedTile : wideTile);
  if (shape.sliced)
    launchBlocks<slicedThreads, 2>(label, shape.blocks * shape.parts, slicedThreads, Sliced::sharedBytes(task.law),
                                   Sliced{{task, totals, shape.blocks, shape.parts, tiles}, shape.lanesLog2});
  else
    launchBlocks<wideThreads, 1>(label, shape.blocks * shape.parts, wideThreads, Wide::sharedBytes(task.law),
                                 Wide{{task, totals, shape.blocks, shape.parts, tiles}});
}

template <class Kernel>
void launchMerge(const char* label, int count, const Kernel& kernel) {
  launchRange<256, 1>(label, count, kernel);
}

}  // namespace mesowarp::backend
