// All pairs on a GPU, in four styles (all_pairs_shape.hpp). Here the wide one: a block loads a tile of j into shared memory, the
// next one on its way in registers; each thread keeps a few i and their sums in registers, so that a tile's body is read once for
// all of them. Included by all_pairs.hpp.
#pragma once

#include "backend/all_pairs_few_gpu.hpp"
#include "backend/all_pairs_half_gpu.hpp"

namespace mesowarp::backend {

template <class Law, template <class> class SumOf>
struct WideBlock : PairsBlockBase<Law, SumOf, Law::template perThread<SumOf>> {
  static constexpr int perThread = Law::template perThread<SumOf>, threads = wideThreads;
  using Base = PairsBlockBase<Law, SumOf, perThread>;
  using Body = typename Base::Body;
  using Here = typename Base::Here;
  using Sums = typename Base::Sums;
  static std::size_t sharedBytes(const Law& law) { return 2 * wideTile * sizeof(typename Law::Body) + law.tableBytes(); }

  __device__ void operator()(char* shared) const {
    Body* const tile = reinterpret_cast<Body*>(shared);
    const Law law = this->lawWithTable(shared + 2 * wideTile * sizeof(Body));
    const int block = blockIdx.x, part = blockIdx.y, t = threadIdx.x;
    Here here[perThread];
    SpecialPartners<Law> special[perThread];
#pragma unroll
    for (int p = 0; p < perThread; ++p) {
      const int i = this->task.bodyOf(min((block * perThread + p) * threads + t, this->task.activeCount - 1));
      here[p].set(0, loadBody<Law>(&this->task.bodies(i)), law);
      special[p] = SpecialPartners<Law>::of(this->task.onTheFly, i);
    }
    Sums sums[perThread];
    const int first = this->firstTile(part), last = this->firstTile(part + 1);
    const int start = this->task.first;
    Body mine = this->bodyAt(start + first * wideTile + t);
    for (int k = first; k < last; ++k) {
      Body* const now = tile + (k & 1) * wideTile;  // two tiles in turn: one barrier each
      now[t] = mine;
      __syncthreads();
      if (k + 1 < last) mine = this->bodyAt(start + (k + 1) * wideTile + t);
      const int begin = start + k * wideTile;
      add(law, here, special, sums, now, begin);
#pragma unroll
      for (int p = 0; p < perThread; ++p) sums[p].endTile();
    }
#pragma unroll
    for (int p = 0; p < perThread; ++p) {
      typename Base::Total total[Law::channels];
      for (int c = 0; c < Law::channels; ++c) total[c].merge(sums[p].channel[c].total(0));
      this->store(part, (block * perThread + p) * threads + t, total);
    }
  }

 private:
  // A tile, `segment` bodies at a time: those that a thread of the warp may not see are looked at one by one.
  __device__ __forceinline__ void add(const Law& law, const Here (&here)[perThread], const SpecialPartners<Law> (&special)[perThread],
                                      Sums (&sums)[perThread], const Body* tile, int begin) const {
    constexpr int segment = 32;
    if (!Law::skipSelf && !this->task.onTheFly.any()) return addAll(law, here, sums, tile, wideTile);
    for (int n = 0; n < wideTile; n += segment) {
      bool careful = false;
#pragma unroll
      for (int p = 0; p < perThread; ++p) careful = careful || special[p].within(begin + n, begin + n + segment);
      if (__any_sync(0xFFFFFFFFu, careful))
        addCarefully(law, here, special, sums, tile, begin, n, n + segment);
      else
        addAll(law, here, sums, tile + n, segment);
    }
  }
  // All p loops are unrolled: sums that are indexed would leave the registers.
  __device__ __forceinline__ void addAll(const Law& law, const Here (&here)[perThread], Sums (&sums)[perThread], const Body* tile,
                                         int count) const {
#pragma unroll Law::unroll
    for (int n = 0; n < count; ++n) {
      const Body body = tile[n];
#pragma unroll
      for (int p = 0; p < perThread; ++p) law(here[p], body, sums[p]);
    }
  }
  __device__ __forceinline__ void addCarefully(const Law& law, const Here (&here)[perThread], const SpecialPartners<Law> (&special)[perThread],
                                               Sums (&sums)[perThread], const Body* tile, int begin, int from, int to) const {
#pragma unroll 1
    for (int n = from; n < to; ++n) {
      const Body body = tile[n];
#pragma unroll
      for (int p = 0; p < perThread; ++p) {
        MaskedSums<Sums, bool> masked{sums[p], special[p].skips(this->task.onTheFly, begin + n)};
        law(here[p], body, masked);
      }
    }
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
constexpr bool pairwise = Law::paired && PairwiseSum<SumOf<typename Law::Scalar>>::possible;

// Bodies a thread in half, as many as registers hold; warps that share a tile in narrow, as long as they have little to merge.
template <class Law>
constexpr int halfBodies = sizeof(typename Law::Scalar) == 4 ? 4 : 2;
template <class Law>
constexpr int narrowSharing = Law::channels > 3 ? 1 : 2;

// Whether each of the j is one of the i, and none is left out.
template <class Law>
bool eachPairTwice(const PairsTask<Law>& task) {
  return !task.onTheFly.any() && task.active.data() == nullptr && task.first == task.base && task.last - task.first == task.activeCount;
}

template <class Law, template <class> class SumOf>
PairsShape shapeOfPairs(const PairsTask<Law>& task) {
  using Total = typename SumOf<typename Law::Scalar>::Total;
  constexpr int perThread = WideBlock<Law, SumOf>::perThread;
  static const int processors = multiprocessors(), slots = processors * residentWideBlocks<Law, SumOf>(task.law);
  const int i = task.activeCount, j = task.last - task.first;
  if (task.parts > 0) return wideShape(i, j, perThread, task.parts);
  const auto either = [&](PairsStyle style, bool better) {
    return task.style == style || (task.style == PairsStyle::fastest && better);
  };
  if constexpr (pairwise<Law, SumOf>)
    if (eachPairTwice(task)) {
      const std::size_t bytes = sizeof(Total) * Law::channels * i;
      if (either(PairsStyle::half, i >= leastHalf)) return halfShape(i, 32 * halfBodies<Law>, bytes, task.room, processors);
      if (either(PairsStyle::narrow, i >= Law::leastNarrow)) return narrowShape(i, bytes, task.room);
    }
  constexpr bool plain = std::is_same_v<SumOf<typename Law::Scalar>, PlainSum<float>>;
  if (either(PairsStyle::few, fewBodies(i, j, perThread, plain, slots)))
    return fewShape(i, j, Law::template perWarp<SumOf>, processors);
  return wideShape(i, j, perThread, bestParts(ceilDivide(i, wideThreads * perThread), j, slots));
}

template <class Law, template <class> class SumOf, int Warps, int PerThread = halfBodies<Law>, int Sharing = 1>
void launchHalf(const char* label, const PairsTask<Law>& task, const PairsShape& shape,
                typename SumOf<typename Law::Scalar>::Total* totals) {
  using Half = HalfBlock<Law, SumOf, Warps, PerThread, Sharing>;
  for (int first = 0, last; first <= shape.blocks / 2; first = last) {
    last = endOfLaunch(shape, first);
    const dim3 grid(shape.blocks, ceilDivide(last - first, shape.length));
    launchEarly<Half::threads, Half::minBlocks>(label, grid, Half::threads, Half::sharedBytes(task.law),
                                                Half{task, totals, shape.blocks, first, last, shape.length, shape.width});
  }
}
template <bool Excluding, class Law, template <class> class SumOf>
void launchFew(const char* label, const PairsTask<Law>& task, const PairsShape& shape,
               typename SumOf<typename Law::Scalar>::Total* totals) {
  using Few = FewBlock<Law, SumOf, Excluding>;
  launchEarly<Few::threads, Few::minBlocks>(label, dim3(shape.blocks, shape.parts), Few::threads, Few::sharedBytes(task.law),
                                            Few{{task, totals, shape.parts, ceilDivide(task.last - task.first, fewTile)}});
}

// totals: of the parts; null: there is one, which finishes its bodies.
template <class Law, template <class> class SumOf>
void launchPairs(const char* label, const PairsTask<Law>& task, const PairsShape& shape,
                 typename SumOf<typename Law::Scalar>::Total* totals) {
  using Wide = WideBlock<Law, SumOf>;
  if constexpr (pairwise<Law, SumOf>)
    switch (shape.style) {
      case PairsStyle::half:
        return shape.warps == 2 ? launchHalf<Law, SumOf, 2>(label, task, shape, totals) : launchHalf<Law, SumOf, 4>(label, task, shape, totals);
      case PairsStyle::narrow: return launchHalf<Law, SumOf, 1, narrowBodies, narrowSharing<Law>>(label, task, shape, totals);
      default: break;
    }
  if (shape.style == PairsStyle::few)
    return task.onTheFly.any() ? launchFew<true, Law, SumOf>(label, task, shape, totals)
                               : launchFew<false, Law, SumOf>(label, task, shape, totals);
  launchBlocks<wideThreads, 1>(label, dim3(shape.blocks, shape.parts), wideThreads, Wide::sharedBytes(task.law),
                               Wide{{task, totals, shape.parts, ceilDivide(task.last - task.first, wideTile)}});
}

// A block for 32 bodies: each warp merges a run of the parts, then what the warps have is merged, in order.
template <class Law, template <class> class SumOf>
struct MergeBlock {
  static constexpr int warps = 8, channels = Law::channels;
  using Total = typename SumOf<typename Law::Scalar>::Total;
  MergeParts<Law, SumOf> parts;

  __device__ void operator()(char* shared) const {
    Total* const all = reinterpret_cast<Total*>(shared);
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32, k = blockIdx.x * 32 + lane;
    const bool exists = k < parts.task.activeCount;
    cudaGridDependencySynchronize();
    Total total[channels];
    if (exists) parts.merge(k, parts.parts * warp / warps, parts.parts * (warp + 1) / warps, total);
    for (int c = 0; c < channels; ++c) all[(warp * channels + c) * 32 + lane] = total[c];
    __syncthreads();
    if (warp > 0 || !exists) return;
    for (int w = 1; w < warps; ++w)
      for (int c = 0; c < channels; ++c) total[c].merge(all[(w * channels + c) * 32 + lane]);
    finishBody<Law, SumOf>(parts.task, k, total);
  }
};

template <class Law, template <class> class SumOf>
void launchMerge(const char* label, const MergeParts<Law, SumOf>& parts) {
  using Block = MergeBlock<Law, SumOf>;
  launchEarly<32 * Block::warps, 1>(label, (parts.task.activeCount + 31) / 32, 32 * Block::warps,
                                    32 * Block::warps * Block::channels * sizeof(typename Block::Total), Block{parts});
}

}  // namespace mesowarp::backend
