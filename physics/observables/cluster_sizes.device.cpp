// A forest with a tree for each cluster: every tag has one above it that is lower, or is a root and stands above
// itself. A pair hangs the higher of its two roots below the lower one, by compare-and-swap, so whoever is first, a
// cluster's root in the end is its lowest tag. On the way up paths are made shorter; what a thread reads may be old by
// then, but is above all the same.
#include "physics/observables/cluster_sizes.hpp"

#include "device/host_copy.hpp"
#include "physics/observables/pair_search.hpp"

namespace mesowarp::observables {
namespace {

struct Forest {
  DeviceArray<u32> above;

  KOKKOS_INLINE_FUNCTION u32 read(u32 x) const { return *static_cast<const volatile u32*>(&above(x)); }
  KOKKOS_INLINE_FUNCTION u32 root(u32 x) const {
    for (u32 up = read(x); up != x; up = read(x)) {
      const u32 next = read(up);
      if (next != up) *static_cast<volatile u32*>(&above(x)) = next;
      x = up;
    }
    return x;
  }
  KOKKOS_INLINE_FUNCTION void join(u32 a, u32 b) const {
    for (;;) {
      a = root(a), b = root(b);
      if (a == b) return;
      const u32 low = a < b ? a : b, high = a < b ? b : a;
      if (Kokkos::atomic_compare_exchange(&above(high), high, low) == high) return;
    }
  }
};

struct Alone {
  Forest forest;
  KOKKOS_INLINE_FUNCTION void operator()(int tag) const { forest.above(tag) = static_cast<u32>(tag); }
};
struct JoinClose {
  CellPairs pairs;
  Forest forest;
  KOKKOS_INLINE_FUNCTION void operator()(int i, int j, double) const {
    const u32 a = pairs.particle(i).tag, b = pairs.particle(j).tag;
    if (b < a && (pairs.particle(j).flags & 4u) != 0u) return;  // this rank sees the pair from b, too
    forest.join(a, b);
  }
};
struct FindClose {
  JoinClose join;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const { join.pairs.from(i, join); }
};

// What a rank has joined, for the others.
struct KeepJoined {
  Forest forest;
  DeviceArray<u32> joined;  // two tags of each
  KOKKOS_INLINE_FUNCTION void operator()(int tag, int& before, bool final) const {
    const u32 own = static_cast<u32>(tag), root = forest.root(own);
    if (root == own) return;
    if (final && joined.extent(0) > 0) joined(2 * before) = root, joined(2 * before + 1) = own;
    ++before;
  }
};
struct JoinTold {
  DeviceArray<u32> joined;
  Forest forest;
  KOKKOS_INLINE_FUNCTION void operator()(int k) const { forest.join(joined(2 * k), joined(2 * k + 1)); }
};

struct CountMembers {
  DeviceArray<u32> tag, species, sets;
  Forest forest;
  DeviceArray<i64> size;  // of each root
  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    if ((sets(species(i)) & 1u) != 0u) Kokkos::atomic_fetch_add(&size(forest.root(tag(i))), i64{1});
  }
};

// Clusters and particles of each bin, then the sum of squares, and the largest size.
constexpr int squaresAt = 2 * ClusterSizes::bins, largestAt = squaresAt + 1;
struct CountSizes {
  DeviceArray<i64> size, numbers;
  KOKKOS_INLINE_FUNCTION void operator()(int root) const {
    const i64 members = size(root);
    if (members == 0) return;
    int bin = 0;
    for (i64 end = 1; end < members; end *= 2) ++bin;
    Kokkos::atomic_fetch_add(&numbers(bin), i64{1});
    if (bin == 0) return;  // most are alone, and follow from their number
    Kokkos::atomic_fetch_add(&numbers(ClusterSizes::bins + bin), members);
    Kokkos::atomic_fetch_add(&numbers(squaresAt), members * members);
    Kokkos::atomic_fetch_max(&numbers(largestAt), members);
  }
};

void joinOthers(const Forest& forest, const MeasuredBox& box) {
  const Range tags(0, static_cast<int>(box.total));
  int count = 0;
  KeepJoined keep{forest, {}};
  Kokkos::parallel_scan("count what is joined", tags, keep, count);
  keep.joined = DeviceArray<u32>("joined", 2 * static_cast<std::size_t>(count));
  if (count > 0) Kokkos::parallel_scan("what is joined", tags, keep, count);
  const auto host = hostCopy(keep.joined);
  const std::vector<u32> mine(host.data(), host.data() + host.extent(0));
  const auto parts = static_cast<std::size_t>(box.ranks->size());
  const auto all = box.ranks->toEach(std::vector<std::vector<u32>>(parts, mine));
  const auto told = toDevice<u32>("joined by ranks", all);
  Kokkos::parallel_for("join what ranks tell", Range(0, static_cast<int>(all.size() / 2)), JoinTold{told, forest});
}

}  // namespace

ClusterSizes clusterSizes(const MeasuredParticles& p, const MeasuredBox& box, const DeviceArray<u32>& sets,
                          double distance) {
  const auto total = static_cast<std::size_t>(box.total);
  const Range tags(0, static_cast<int>(box.total));
  const Forest forest{DeviceArray<u32>(Kokkos::view_alloc("clusters", Kokkos::WithoutInitializing), total)};
  Kokkos::parallel_for("all alone", tags, Alone{forest});
  const CellPairs pairs = pairsInCells(p, box, sets, distance);
  Kokkos::parallel_for("join close pairs", Range(0, pairs.centres()), FindClose{{pairs, forest}});
  if (box.ranks) joinOthers(forest, box);

  const DeviceArray<i64> size("sizes of clusters", total), numbers("numbers of clusters", largestAt + 1);
  Kokkos::parallel_for("members of clusters", Range(0, p.count), CountMembers{p.tag, p.species, sets, forest, size});
  if (box.ranks) {
    const auto host = hostCopy(size);
    std::vector<i64> all(host.data(), host.data() + total);
    box.ranks->sum(all.data(), static_cast<int>(total));
    refill(size, all);
  }
  Kokkos::parallel_for("sizes of clusters", tags, CountSizes{size, numbers});

  const auto found = hostCopy(numbers);
  ClusterSizes sizes;
  for (int bin = 0; bin < ClusterSizes::bins; ++bin) {
    const auto b = static_cast<std::size_t>(bin);
    sizes.clusters[b] = static_cast<double>(found(bin));
    sizes.particles[b] = static_cast<double>(found(bin == 0 ? 0 : ClusterSizes::bins + bin));
  }
  sizes.squares = static_cast<double>(found(squaresAt)) + sizes.clusters[0];
  sizes.largest = static_cast<double>(found(largestAt));
  if (sizes.largest == 0.0 && sizes.clusters[0] > 0.0) sizes.largest = 1.0;
  return sizes;
}

}  // namespace mesowarp::observables
