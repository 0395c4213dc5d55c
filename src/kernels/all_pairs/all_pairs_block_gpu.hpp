// What the styles of all_pairs_gpu.hpp share: how a body is loaded, and a block's place among the parts. Blocks are
// plain functions of a thread's number and shared memory, so tests/emulated can run them by threads of the host.
//
// A body's own term and its excluded partners cost nothing in most tiles: a warp (CPU: a block) looks once for each
// tile whether any of its bodies has one there, and only then tests pairs.
#pragma once

#include "device/lane_totals_gpu.hpp"
#include "device/launch_gpu.hpp"
#include "kernels/all_pairs/pairs_task.hpp"

namespace mesowarp::backend {

// What a law reads of a body, in words of 16 bytes and, if need be, a last one of 4.
template <class Law>
struct BodyWords {
  using Body = typename Law::Body;
  static constexpr int quads = (Law::readBytes + 8) / 16;
  static constexpr bool last = Law::readBytes > 16 * quads;
  u32 word[sizeof(Body) / sizeof(u32)] = {};

  __device__ __forceinline__ void set(int q, const uint4& four) {
    word[4 * q] = four.x, word[4 * q + 1] = four.y, word[4 * q + 2] = four.z, word[4 * q + 3] = four.w;
  }
  __device__ __forceinline__ uint4 quad(int q) const {
    return make_uint4(word[4 * q], word[4 * q + 1], word[4 * q + 2], word[4 * q + 3]);
  }
  __device__ __forceinline__ Body body() const {
    Body b;
    memcpy(&b, word, sizeof(Body));
    return b;
  }
};
// Compilers load such a structure number by number.
template <class Law>
__device__ __forceinline__ typename Law::Body loadBody(const typename Law::Body* at) {
  BodyWords<Law> words;
  const char* const bytes = reinterpret_cast<const char*>(at);
#pragma unroll
  for (int q = 0; q < words.quads; ++q) words.set(q, reinterpret_cast<const uint4*>(bytes)[q]);
  if (words.last) words.word[4 * words.quads] = reinterpret_cast<const u32*>(bytes)[4 * words.quads];
  return words.body();
}

// What wide blocks and those of few bodies share. PerThread: i in a thread's registers.
template <class Law, template <class> class SumOf, int PerThread>
struct PairsBlockBase {
  using Real = typename Law::Scalar;
  using Body = typename Law::Body;
  using Sums = SumSet<Law, SumOf<Real>>;
  using Total = typename SumOf<Real>::Total;
  using Here = typename Law::template At<Real>;

  PairsView<Law> task;
  Total* totals;  // null: there is one part
  int parts, tiles;

  // The law with its table, if it has one, in shared memory.
  __device__ Law lawWithTable(char* at) const {
    Law law = task.law;
    law.stage(at, threadIdx.x, blockDim.x);
    return law;
  }
  // Where a part of the tiles begins. Both factors are small: at most a few hundred parts (all_pairs_shape.hpp).
  __device__ int firstTile(int part) const {
    return parts == 1 ? part * tiles
                      : static_cast<int>(static_cast<u32>(tiles) * static_cast<u32>(part) / static_cast<u32>(parts));
  }
  __device__ Body bodyAt(int j) const { return j < task.last ? loadBody<Law>(&task.bodies(j)) : Law::padding(); }
  __device__ void store(int part, int k, Total (&total)[Law::channels]) const {
    if (k >= task.activeCount) return;
    if (!totals) return finishBody<Law, SumOf>(task, k, total);
    for (int c = 0; c < Law::channels; ++c)
      totals[(static_cast<std::size_t>(part) * Law::channels + c) * task.activeCount + k] = total[c];
  }
};

}  // namespace mesowarp::backend
