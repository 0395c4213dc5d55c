// All pairs on a GPU, in four styles (all_pairs_shape.hpp): which one, and its launches. Included by all_pairs.hpp.
#pragma once

#include "kernels/all_pairs/all_pairs_few_gpu.hpp"
#include "kernels/all_pairs/all_pairs_half_gpu.hpp"
#include "kernels/all_pairs/all_pairs_merge_gpu.hpp"
#include "kernels/all_pairs/all_pairs_wide_gpu.hpp"

namespace mesowarp::backend {

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
constexpr bool pairwise = Law::paired&& PairwiseSum<SumOf<typename Law::Scalar>>::possible;

// Bodies per thread in half, as many as registers hold; warps that share a tile in narrow, as long as they have little
// to merge.
template <class Law>
constexpr int halfBodies = sizeof(typename Law::Scalar) == 4 ? 4 : 2;
template <class Law>
constexpr int narrowSharing = Law::channels > 3 ? 1 : 2;
// Distances side by side in narrow, where a law looks up so much that copies of its table are worth a larger block.
template <class Law, template <class> class SumOf>
constexpr int narrowAbreast = Law::looksUp&& std::is_same_v<SumOf<typename Law::Scalar>, PlainSum<float>> ? 4 : 1;

// Whether each of the j is one of the i, and none is left out.
template <class Law>
bool eachPairTwice(const PairsView<Law>& task) {
  return !task.onTheFly.any() && task.active.data() == nullptr && task.first == task.base &&
         task.last - task.first == task.activeCount;
}

template <class Law, template <class> class SumOf>
PairsShape shapeOfPairs(const PairsView<Law>& task) {
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
      if (either(PairsStyle::half, i >= tuning::halfFrom))
        return halfShape(i, 32 * halfBodies<Law>, bytes, task.room, processors);
      if (either(PairsStyle::narrow, i >= Law::leastNarrow))
        return narrowShape(i, bestAbreast(i, narrowAbreast<Law, SumOf>, processors), bytes, task.room);
    }
  if constexpr (!seldomAsked<Law>) {
    constexpr bool plain = std::is_same_v<SumOf<typename Law::Scalar>, PlainSum<float>>;
    if (either(PairsStyle::few, fewBodies(i, j, perThread, plain, slots)))
      return fewShape(i, j, Law::template perWarp<SumOf>, processors);
  }
  return wideShape(i, j, perThread, bestParts(ceilDivide(i, wideThreads * perThread), j, slots));
}

template <class Law, template <class> class SumOf, int Warps, int PerThread = halfBodies<Law>, int Sharing = 1,
          int Abreast = 1>
void launchHalf(const char* label, const PairsView<Law>& task, const PairsShape& shape,
                typename SumOf<typename Law::Scalar>::Total* totals) {
  using Half = HalfBlock<Law, SumOf, Warps, PerThread, Sharing, Abreast>;
  const u32 copies = Half::copiesOf(task.law);
  for (int first = 0, last; first <= shape.blocks / 2; first = last) {
    last = endOfLaunch(shape, first);
    const dim3 grid(shape.blocks, rowsOfLaunch(shape, first, last));
    launchEarly<Half::threads, Half::minBlocks>(
        label, grid, Half::threads, Half::sharedBytes(task.law),
        Half{task, totals, shape.blocks, first, last, shape.length, shape.width, copies});
  }
}
template <bool Excluding, class Law, template <class> class SumOf>
void launchFew(const char* label, const PairsView<Law>& task, const PairsShape& shape,
               typename SumOf<typename Law::Scalar>::Total* totals) {
  using Few = FewBlock<Law, SumOf, Excluding>;
  launchEarly<Few::threads, Few::minBlocks>(
      label, dim3(shape.blocks, shape.parts), Few::threads, Few::sharedBytes(task.law),
      Few{{task, totals, shape.parts, ceilDivide(task.last - task.first, fewTile)}});
}

// totals: of the parts; null: there is one, which finishes its bodies.
template <class Law, template <class> class SumOf>
void launchPairs(const char* label, const PairsView<Law>& task, const PairsShape& shape,
                 typename SumOf<typename Law::Scalar>::Total* totals) {
  using Wide = WideBlock<Law, SumOf>;
  if constexpr (pairwise<Law, SumOf>) switch (shape.style) {
    case PairsStyle::half:
      return shape.warps == 2 ? launchHalf<Law, SumOf, 2>(label, task, shape, totals)
                              : launchHalf<Law, SumOf, 4>(label, task, shape, totals);
    case PairsStyle::narrow:
      if constexpr (narrowAbreast < Law, SumOf >> 1)
        if (shape.abreast > 1)
          return launchHalf<Law, SumOf, 1, narrowBodies, narrowSharing<Law>, narrowAbreast<Law, SumOf>>(label, task,
                                                                                                        shape, totals);
      return launchHalf<Law, SumOf, 1, narrowBodies, narrowSharing<Law>>(label, task, shape, totals);
    default:
      break;
    }
  if constexpr (!seldomAsked<Law>)
    if (shape.style == PairsStyle::few)
      return task.onTheFly.any() ? launchFew<true, Law, SumOf>(label, task, shape, totals)
                                 : launchFew<false, Law, SumOf>(label, task, shape, totals);
  launchBlocks<wideThreads, 1>(label, dim3(shape.blocks, shape.parts), wideThreads, Wide::sharedBytes(task.law),
                               Wide{{task, totals, shape.parts, ceilDivide(task.last - task.first, wideTile)}});
}

template <class Law, template <class> class SumOf>
void launchMerge(const char* label, const MergeParts<Law, SumOf>& parts) {
  using Block = MergeBlock<Law, SumOf>;
  launchEarly<32 * Block::warps, 1>(label, (parts.task.activeCount + 31) / 32, 32 * Block::warps,
                                    32 * Block::warps * Block::channels * sizeof(typename Block::Total), Block{parts});
}

}  // namespace mesowarp::backend
