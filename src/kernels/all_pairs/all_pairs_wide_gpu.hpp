// Bodies on a GPU, the wide style: a block of 128 threads loads a tile of 128 j into one of two halves of shared
// memory, the next one on its way in registers, with one barrier for each tile; each thread keeps 2 or 4 bodies i and
// their sums in registers, so that a tile's body is read once for all of them. Included by all_pairs_gpu.hpp.
#pragma once

#include "kernels/all_pairs/all_pairs_block_gpu.hpp"
#include "kernels/all_pairs/all_pairs_shape.hpp"

namespace mesowarp::backend {

template <class Law, template <class> class SumOf>
struct WideBlock : PairsBlockBase<Law, SumOf, Law::template perThread<SumOf>> {
  static constexpr int perThread = Law::template perThread<SumOf>, threads = wideThreads;
  using Base = PairsBlockBase<Law, SumOf, perThread>;
  using Body = typename Base::Body;
  using Here = typename Base::Here;
  using Sums = typename Base::Sums;
  static std::size_t sharedBytes(const Law& law) {
    return 2 * wideTile * sizeof(typename Law::Body) + law.tableBytes();
  }

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
  __device__ __forceinline__ void add(const Law& law, const Here (&here)[perThread],
                                      const SpecialPartners<Law> (&special)[perThread], Sums (&sums)[perThread],
                                      const Body* tile, int begin) const {
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
  __device__ __forceinline__ void addAll(const Law& law, const Here (&here)[perThread], Sums (&sums)[perThread],
                                         const Body* tile, int count) const {
#pragma unroll Law::unroll
    for (int n = 0; n < count; ++n) {
      const Body body = tile[n];
#pragma unroll
      for (int p = 0; p < perThread; ++p) law(here[p], body, sums[p]);
    }
  }
  __device__ __forceinline__ void addCarefully(const Law& law, const Here (&here)[perThread],
                                               const SpecialPartners<Law> (&special)[perThread],
                                               Sums (&sums)[perThread], const Body* tile, int begin, int from,
                                               int to) const {
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

}  // namespace mesowarp::backend
