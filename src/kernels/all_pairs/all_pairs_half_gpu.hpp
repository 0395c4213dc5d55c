// Many bodies on a GPU, the half style: each pair once, for both of its bodies. A thread keeps a few i and their sums
// in registers; 32 j, with what they have got so far, go round the lanes of a warp (bodies in shared memory, sums in
// registers that are shuffled along), and from warp to warp of a block, which all have other i.
//
// Tiles of bodies meet in the order of their distance around a ring, so that every block has the same work; at distance
// 0, and at half of an even ring, each body looks at all others instead. What a tile got at one distance is kept in a
// slot of its own, and slots are merged in order; where half a gigabyte does not hold them, a second launch merges into
// those of the first.
//
// All of a thread's bodies meet a j before terms are added, those of i first and then those of j, backwards: an
// instruction that reads a register the one before has read waits for one less (perf/log/nbody.md).
//
// The narrow style is the same with 2 bodies i for each thread and tiles of 64, whose 32 j of each kind two warps
// share. Where a law looks pairs of types up, a block takes four distances side by side, and has its table in shared
// memory as often as spares the lanes each other's banks. Included by all_pairs_gpu.hpp.
#pragma once

#include "kernels/all_pairs/all_pairs_block_gpu.hpp"
#include "kernels/all_pairs/pairwise_sums_gpu.hpp"

namespace mesowarp::backend {

// PerThread: i in a thread's registers. Sharing: warps that have the same i, and every Sharing-th 32 j each; then Warps
// is 1. Abreast: a block takes so many distances side by side, by so many times Sharing warps, and its blocks that have
// tiles meet themselves so many of those; with 1, one distance after the other.
template <class Law, template <class> class SumOf, int Warps, int PerThread, int Sharing = 1, int Abreast = 1>
struct HalfBlock {
  using Real = typename Law::Scalar;
  using Body = typename Law::Body;
  using Sum = SumOf<Real>;
  using Pairwise = PairwiseSum<Sum>;
  using Tile = typename Pairwise::Tile;
  using Seen = typename Pairwise::Seen;
  using Total = typename Sum::Total;
  static constexpr int perThread = PerThread, threads = 32 * Warps * Sharing * Abreast, bodies = 32 * Warps * perThread;
  static constexpr int channels = Law::channels;
  static constexpr bool inTiles = summedInTiles<Sum>;
  static constexpr int minBlocks = 16 / (Warps * Abreast);  // of a multiprocessor
  static_assert(bodies <= 512 && (Sharing * Abreast == 1 || (Warps == 1 && perThread % Sharing == 0)));
  struct Tiles {
    Tile of[channels];
  };

  // 32 j twice, so that each lane can begin with its own and go on; their words side by side, so that no bank of shared
  // memory is met twice.
  struct Around {
    using Words = BodyWords<Law>;
    uint4 quad[Words::quads][64];
    u32 last[Words::last ? 64 : 4];
    __device__ void put(int lane, const Body& body) {
      Words words;
      memcpy(words.word, &body, sizeof(Body));
#pragma unroll
      for (int q = 0; q < Words::quads; ++q) quad[q][lane] = quad[q][lane + 32] = words.quad(q);
      if (Words::last) last[lane] = last[lane + 32] = words.word[4 * Words::quads];
    }
    struct View {
      const uint4* quad;
      const u32* last;
      __device__ __forceinline__ Body operator[](int n) const {
        Words words;
#pragma unroll
        for (int q = 0; q < Words::quads; ++q) words.set(q, quad[64 * q + n]);
        if (Words::last) words.word[4 * Words::quads] = last[n];
        return words.body();
      }
    };
    __device__ View from(int lane) const { return {&quad[0][lane], &last[Words::last ? lane : 0]}; }
  };
  static_assert(sizeof(Around) % 16 == 0);

  PairsView<Law> task;
  Total* totals;    // [slot][channel][k]: `width` slots of j, one for each distance, then one for each range of
                    // distances, of i
  int tiles;        // of all bodies
  int first, last;  // distances of this launch; behind the first launch slots are merged into
  int length;       // distances per block, one after the other
  int width;
  u32 copies;  // of the table

  // In shared memory: totals of i, where tiles have an end or warps share i; the j that pass from warp to warp; those
  // of each warp; the table, where there is room as often as spares threads each other's banks.
  static constexpr bool mergesTotals = Sharing * Abreast > 1, keepsTotals = inTiles || mergesTotals;
  static constexpr std::size_t passingAt = keepsTotals ? threads * perThread * channels * sizeof(Total) : 0;
  static constexpr std::size_t aroundAt = passingAt + (Warps > 1 ? threads * sizeof(Tiles) : 0);
  static constexpr std::size_t tableAt = aroundAt + threads / 32 * sizeof(Around);
  static_assert(aroundAt % 16 == 0);
  static u32 copiesOf(const Law& law) {
    constexpr std::size_t room = 216 * 1024 / minBlocks;
    return Abreast > 1 && room > tableAt ? law.copiesWithin(room - tableAt) : 1;
  }
  static std::size_t sharedBytes(const Law& law) { return tableAt + copiesOf(law) * law.tableBytes(); }

  __device__ void operator()(char* shared) const {
    Total* const whole = reinterpret_cast<Total*>(shared);
    Tiles* const passing = reinterpret_cast<Tiles*>(shared + passingAt);
    Law law = task.law;
    cudaGridDependencySynchronize();  // up to here the kernel before may still run (launchEarly)
    const Place place = placeOfWarp();
    if (Abreast > 1 && place.own && static_cast<int>(blockIdx.x) * Abreast >= tiles) return;
    law.stage(shared + tableAt, threadIdx.x, threads, Abreast > 1 ? copies : 1);
    const int t = place.tile, warp = place.warp, share = place.share, lane = threadIdx.x & 31;
    Around& around = reinterpret_cast<Around*>(shared + aroundAt)[threadIdx.x >> 5];
    typename Law::template At<Real> here[perThread];
    Tiles mine[perThread];
    Seen seen;
#pragma unroll
    for (int p = 0; p < perThread; ++p) here[p].set(0, bodyAt(bodyOf(place, p), -farAway), law);
    if constexpr (inTiles) {
#pragma unroll
      for (int w = 0; w < perThread * channels; ++w) whole[w * threads + threadIdx.x] = {};
    }
#pragma unroll 1
    for (int d = place.begin; d < place.end; ++d) {
      const int u = t + d < tiles ? t + d : t + d - tiles;
      const bool single =
          d == 0 || 2 * d == tiles;  // the other way round this distance comes again: each looks at all others
#pragma unroll 1
      for (int n = share; n < bodies / 32; n += Sharing) {
        const int step = n % Warps, chunk = (warp + step) % Warps, in = (n - step + chunk) * 32,
                  k = u * bodies + in + lane;
        around.put(lane, bodyAt(k, farAway));
        __syncwarp();
        if (single) {
          addOneSide(law, here, mine, around.from(lane), seen, d == 0 ? in - warp * 32 * perThread : -1);
        } else {
          Tiles theirs;
          if (Warps > 1 && step > 0) theirs = passing[chunk * 32 + lane];
          addBoth(law, here, mine, around.from(lane), theirs, seen, lane);
          if (step + 1 < Warps)
            passing[chunk * 32 + lane] = theirs;
          else
            store(d - (first > 0 ? first : 1), k, theirs);
        }
        if (Warps > 1)
          __syncthreads();
        else
          __syncwarp();
      }
      if constexpr (inTiles) {
#pragma unroll
        for (int p = 0; p < perThread; ++p)
          for (int c = 0; c < channels; ++c) {
            whole[(p * channels + c) * threads + threadIdx.x].merge(
                Pairwise::template total<bodies / Sharing>(mine[p].of[c], seen));
            mine[p].of[c] = {};
          }
      }
    }
    cudaTriggerProgrammaticLaunchCompletion();
    if constexpr (mergesTotals) {
      if constexpr (!inTiles) {
        const bool some = Abreast == 1 || place.begin < place.end;
#pragma unroll
        for (int w = 0; w < perThread * channels; ++w)
          whole[w * threads + threadIdx.x] =
              some ? Pairwise::template total<bodies / Sharing>(mine[w / channels].of[w % channels], seen) : Total{};
      }
      __syncthreads();
      if (Abreast > 1 && !place.own)
        mergeTotals<Sharing * Abreast>(whole, place);
      else
        mergeTotals<Sharing>(whole, place);
    } else {
#pragma unroll
      for (int p = 0; p < perThread; ++p)
        for (int c = 0; c < channels; ++c) {
          if constexpr (inTiles)
            put(width + blockIdx.y, c, bodyOf(place, p), whole[(p * channels + c) * threads + threadIdx.x]);
          else
            put(width + blockIdx.y, c, bodyOf(place, p),
                Pairwise::template total<bodies / Sharing>(mine[p].of[c], seen));
        }
    }
  }

private:
  // What a warp has to do: its tile, at distances from begin on; which of the tile's warps it is, and of those that
  // share its i; own: each so many warps of the block have a tile of their own.
  struct Place {
    int tile, begin, end, warp, share;
    bool own;
  };
  __device__ Place placeOfWarp() const {
    const int x = blockIdx.x, y = blockIdx.y;
    if constexpr (Abreast == 1) {
      const u32 number = threadIdx.x / 32;
      const int begin = first + y * length;
      return {
          x,   begin, min(begin + length, last), static_cast<int>(number / Sharing), static_cast<int>(number % Sharing),
          true};
    } else {
      // From one lane, which tells the compiler that all have the same.
      const u32 number = __shfl_sync(0xFFFFFFFFu, threadIdx.x / 32, 0);
      const int beside = static_cast<int>(number / Sharing), share = static_cast<int>(number % Sharing);
      const int from = max(first, 1) + y * Abreast, d = from + beside, tile = x * Abreast + beside;
      if (from < last) return {x, d, min(d + 1, last), 0, share, false};
      return {tile, 0, tile < tiles ? 1 : 0, 0, share, true};
    }
  }
  // The warps of a tile have bodies side by side: 32 for each p.
  __device__ int bodyOf(const Place& place, int p) const {
    return (place.tile * Warps + place.warp) * 32 * perThread + p * 32 + (static_cast<int>(threadIdx.x) & 31);
  }
  // Of Count warps with the same i, which follow each other, each merges some of the totals.
  template <int Count>
  __device__ void mergeTotals(const Total* whole, const Place& place) const {
    const u32 number = threadIdx.x / 32, lane = threadIdx.x & 31;
    // One body's channels follow each other where the warps are few.
    constexpr u32 all = perThread * channels, each = (all + Count - 1) / Count;
#pragma unroll
    for (u32 k = 0; k < each; ++k) {
      const u32 w = number % Count * each + k;
      if (all % Count != 0 && w >= all) break;
      const Total* const of = whole + w * threads + number / Count * Count * 32 + lane;
      Total total = of[0];
#pragma unroll
      for (int s = 1; s < Count; ++s) total.merge(of[s * 32]);
      put(width + blockIdx.y, w % channels, bodyOf(place, w / channels), total);
    }
  }
  // Pads of i and of j are at opposite ends of the world: what a pad gets from a body close to it must not look like an
  // overflow.
  static constexpr Real farAway = 1e9;
  __device__ Body bodyAt(int k, Real padAt) const {
    if (k < task.activeCount) return loadBody<Law>(&task.bodies(task.base + k));
    Body pad = Law::padding();
    pad.x = padAt;
    return pad;
  }
  __device__ void put(int slot, int c, int k, Total total) const {
    if (k >= task.activeCount) return;
    Total& at = totals[(static_cast<std::size_t>(slot) * channels + c) * task.activeCount + k];
    if (first > 0) total.merge(at);
    at = total;
  }
  // What bodies j got from all i of a tile. That a term was too large, their partners have seen.
  __device__ void store(int slot, int k, const Tiles& sums) const {
    for (int c = 0; c < channels; ++c)
      put(slot, c, k, Pairwise::template total < Law::opposite ? -bodies : bodies > (sums.of[c], Seen{}));
  }

  struct Both {
    Tiles &i, &j;
    Seen& seen;
    __device__ __forceinline__ void add(Real ofI, Real ofJ, const Real (&b)[channels]) {
#pragma unroll
      for (int c = 0; c < channels; ++c) Pairwise::add(i.of[c], ofI, b[c], seen);
#pragma unroll
      for (int c = channels - 1; c >= 0; --c) Pairwise::add(j.of[c], ofJ, b[c], seen);
    }
    __device__ __forceinline__ void addOpposite(Real a, const Real (&b)[channels]) {
#pragma unroll
      for (int c = 0; c < channels; ++c) Pairwise::addOpposite(i.of[c], j.of[c], a, b[c], seen);
    }
  };
  struct One {
    Tiles& i;
    Seen& seen;
    bool skip;
    __device__ __forceinline__ void add(int c, Real a, Real b) {
      Pairwise::add(i.of[c], skip ? Real(0) : a, skip ? Real(0) : b, seen);
    }
  };

  // around: from this lane on, so that in each round every lane has another of the 32 j.
  static __device__ __forceinline__ void addBoth(const Law& law,
                                                 const typename Law::template At<Real> (&here)[perThread],
                                                 Tiles (&mine)[perThread], const typename Around::View& around,
                                                 Tiles& theirs, Seen& seen, int lane) {
    const int next = (lane + 1) & 31;
#pragma unroll 8
    for (int n = 0; n < 32; ++n) {
      const Body other = around[n];
      typename Law::template Meeting<Real> met[perThread];
#pragma unroll
      for (int p = 0; p < perThread; ++p) met[p] = law.meet(here[p], other);
#pragma unroll
      for (int p = 0; p < perThread; ++p) {
        Both both{mine[p], theirs, seen};
        law.both(met[p], here[p], other, both);
      }
      theirs = ofLane(theirs, next);
    }
  }
  // offset: of these j from the first i of the warp, if they are in its tile.
  static __device__ __forceinline__ void addOneSide(const Law& law,
                                                    const typename Law::template At<Real> (&here)[perThread],
                                                    Tiles (&mine)[perThread], const typename Around::View& around,
                                                    Seen& seen, int offset) {
#pragma unroll 1
    for (int n = 0; n < 32; ++n) {
      const Body other = around[n];
#pragma unroll
      for (int p = 0; p < perThread; ++p) {
        One one{mine[p], seen, Law::skipSelf && offset == p * 32 && n == 0};
        law(here[p], other, one);
      }
    }
  }
};

}  // namespace mesowarp::backend
