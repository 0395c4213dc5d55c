#include "physics/observables/close_pairs.hpp"

#include <algorithm>

#include "device/host_copy.hpp"
#include "physics/observables/pair_search.hpp"

namespace mesowarp::observables {
namespace {

struct KeepPair {
  CellPairs pairs;
  DeviceArray<u32> tags;  // two of each pair
  DeviceArray<int> count;
  int room;
  KOKKOS_INLINE_FUNCTION void operator()(int i, int j, double) const {
    const u32 a = pairs.particle(i).tag, b = pairs.particle(j).tag;
    if (b < a && (pairs.particle(j).flags & 4u) != 0u) return;  // this rank sees the pair from b, too
    const int at = Kokkos::atomic_fetch_add(&count(0), 1);
    if (at >= room) return;
    tags(2 * static_cast<std::size_t>(at)) = a < b ? a : b;
    tags(2 * static_cast<std::size_t>(at) + 1) = a < b ? b : a;
  }
};
struct FindClose {
  KeepPair keep;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const { keep.pairs.from(i, keep); }
};

}  // namespace

std::vector<std::array<u32, 2>> closePairs(const MeasuredParticles& p, const MeasuredBox& box,
                                           const DeviceArray<u32>& sets, double distance) {
  KeepPair keep{pairsInCells(p, box, sets, distance), {}, {}, std::max(1024, 4 * p.count)};
  for (;;) {
    keep.tags = DeviceArray<u32>(Kokkos::view_alloc("close pairs", Kokkos::WithoutInitializing),
                                 2 * static_cast<std::size_t>(keep.room));
    keep.count = DeviceArray<int>("number of close pairs", 1);
    Kokkos::parallel_for("find close pairs", Range(0, keep.pairs.centres()), FindClose{keep});
    const int found = hostCopy(keep.count)(0);
    if (found > keep.room) {
      keep.room = found;
      continue;
    }
    const auto host = hostCopy(keep.tags);
    std::vector<std::array<u32, 2>> all(static_cast<std::size_t>(found));
    for (std::size_t k = 0; k < all.size(); ++k) all[k] = {host(2 * k), host(2 * k + 1)};
    return all;
  }
}

std::vector<u32> tagsOf(const MeasuredParticles& p, const DeviceArray<u32>& sets) {
  const auto tag = hostCopy(p.tag);
  const auto species = hostCopy(p.species), in = hostCopy(sets);
  std::vector<u32> tags;
  for (int i = 0; i < p.count; ++i)
    if ((in(species(i)) & 1u) != 0u) tags.push_back(tag(i));
  std::sort(tags.begin(), tags.end());
  return tags;
}

}  // namespace mesowarp::observables
