#include "kernels/sort/sort_radix.hpp"

#include <algorithm>
#include <utility>

namespace mesowarp::backend {
namespace {

using Teams = Kokkos::TeamPolicy<Execution, Kokkos::IndexType<int>, LightWeight>;
using Member = Teams::member_type;
constexpr int radix = 1 << RadixSort::digitBits;
constexpr int teamThreads = onGpu ? 128 : 1;
constexpr std::size_t scratchBytes() { return sizeof(int) * radix * (teamThreads + 1); }

// A team's share of a pass: its threads take runs of the tile's keys, one after the other, and count their digits in
// columns of their own: counter[digit * teamThreads + thread].
struct Tiles {
  SortPairs from, to;
  DeviceArray<int> counts, offsets;  // [digit * tiles + tile]
  int n, tiles, keysOfThread, shift;
  u32 mask;  // of the digit

  KOKKOS_INLINE_FUNCTION int digit(int i) const { return static_cast<int>(from.keys(i) >> shift & mask); }
  KOKKOS_INLINE_FUNCTION int first(const Member& team) const {
    const i64 at = (i64{team.league_rank()} * teamThreads + team.team_rank()) * keysOfThread;
    return static_cast<int>(at < n ? at : n);
  }
  KOKKOS_INLINE_FUNCTION int last(int first) const { return n - first < keysOfThread ? n : first + keysOfThread; }
  KOKKOS_INLINE_FUNCTION void count(const Member& team, int* counter) const {
    for (int d = 0; d < radix; ++d) counter[d * teamThreads + team.team_rank()] = 0;
    const int begin = first(team), end = last(begin);
    for (int i = begin; i < end; ++i) ++counter[digit(i) * teamThreads + team.team_rank()];
    team.team_barrier();
  }
};

struct Histogram : Tiles {
  KOKKOS_INLINE_FUNCTION void operator()(const Member& team) const {
    int* const counter = static_cast<int*>(team.team_scratch(0).get_shmem(scratchBytes()));
    count(team, counter);
    for (int d = team.team_rank(); d < radix; d += teamThreads) {
      int sum = 0;
      for (int t = 0; t < teamThreads; ++t) sum += counter[d * teamThreads + t];
      counts(d * tiles + team.league_rank()) = sum;
    }
  }
};

// After the scan of all tiles' counts.
struct Permute : Tiles {
  KOKKOS_INLINE_FUNCTION void operator()(const Member& team) const {
    int* const counter = static_cast<int*>(team.team_scratch(0).get_shmem(scratchBytes()));
    int* const base = counter + radix * teamThreads;  // from a place among the tile's keys to one among all
    count(team, counter);
    scanInTeam(team, counter);
    for (int d = team.team_rank(); d < radix; d += teamThreads)
      base[d] = offsets(d * tiles + team.league_rank()) - counter[d * teamThreads];
    team.team_barrier();
    const int begin = first(team), end = last(begin);
    for (int i = begin; i < end; ++i) {
      const int d = digit(i), target = base[d] + counter[d * teamThreads + team.team_rank()]++;
      to.keys(target) = from.keys(i);
      to.values(target) = from.values(i);
    }
  }
  // Exclusive, over digits and for each digit over threads; a thread sums `radix` counters.
  KOKKOS_INLINE_FUNCTION static void scanInTeam(const Member& team, int* counter) {
    int* const own = counter + team.team_rank() * radix;
    int sum = 0;
    for (int k = 0; k < radix; ++k) sum += own[k];
    int before = team.team_scan(sum);
    for (int k = 0; k < radix; ++k) {
      const int value = own[k];
      own[k] = before;
      before += value;
    }
    team.team_barrier();
  }
};

template <class Kernel>
void runTiles(const char* label, const Kernel& kernel) {
  Kokkos::parallel_for(label, Teams(kernel.tiles, teamThreads).set_scratch_size(0, Kokkos::PerTeam(scratchBytes())),
                       kernel);
}

void reserve(DeviceArray<int>& view, const char* label, std::size_t n) {
  if (view.extent(0) != n)
    view = DeviceArray<int>(Kokkos::view_alloc(std::string(label), Kokkos::WithoutInitializing), n);
}

}  // namespace

SortPairs RadixSort::sort(const SortPairs& pairs, const SortPairs& other, int bits, int firstBit) {
  const int n = static_cast<int>(pairs.keys.extent(0));
  if (n == 0) return pairs;
  const int pieces = std::max(1, Execution().concurrency());
  const int keysOfThread = onGpu ? 8 : (n + pieces - 1) / pieces, tileKeys = teamThreads * keysOfThread;
  const int tiles = (n + tileKeys - 1) / tileKeys;
  reserve(counts_, "sort counts", static_cast<std::size_t>(radix) * tiles);
  reserve(offsets_, "sort offsets", counts_.extent(0));
  SortPairs from = pairs, to = other;
  for (int shift = firstBit; shift < bits; shift += digitBits) {
    const u32 mask = (u32{1} << std::min(digitBits, bits - shift)) - 1;
    const Tiles pass{from, to, counts_, offsets_, n, tiles, keysOfThread, shift, mask};
    runTiles("sort histogram", Histogram{pass});
    scan_("sort scan", counts_, offsets_);
    runTiles("sort permute", Permute{pass});
    std::swap(from, to);
  }
  return from;
}

}  // namespace mesowarp::backend
