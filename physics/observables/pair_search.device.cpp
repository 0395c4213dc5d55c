#include "physics/observables/pair_search.hpp"

#include <algorithm>
#include <cmath>

#include "device/host_copy.hpp"
#include "device/memory/zeroed.hpp"

namespace mesowarp::observables {
namespace {

struct TakeChosen {
  DeviceArray<Vec3<u64>> place;
  DeviceArray<u32> species, tag, sets;
  DeviceArray<FoundParticle> found;
  DeviceArray<int> count;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    const u32 in = sets(species(i));
    if (in == 0u) return;
    found(Kokkos::atomic_fetch_add(&count(0), 1)) = {place(i), tag(i), in | 4u};
  }
};

struct CountCells {
  CellPairs cells;
  DeviceArray<FoundParticle> found;
  DeviceArray<int> start;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    Kokkos::atomic_add(&start(cells.cellOf(found(i).place) + 1), 1);
  }
};
struct ScanCells {
  DeviceArray<int> start;
  KOKKOS_INLINE_FUNCTION void operator()(int i, int& sum, bool final) const {
    sum += start(i);
    if (final) start(i) = sum;
  }
};
// Where in its cell a particle comes is chance: what is measured does not depend on it.
struct FillCells {
  CellPairs cells;
  DeviceArray<FoundParticle> found;
  DeviceArray<int> next;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    cells.particle(Kokkos::atomic_fetch_add(&next(cells.cellOf(found(i).place)), 1)) = found(i);
  }
};

// Others' follow the own ones, without the mark of those.
DeviceArray<FoundParticle> withOthers(const DeviceArray<FoundParticle>& own, int& count,
                                      const comm::Communicator& ranks) {
  const auto host = hostCopy(own);
  const std::vector<FoundParticle> mine(host.data(), host.data() + count);
  std::vector<std::vector<FoundParticle>> parts(static_cast<std::size_t>(ranks.size()), mine);
  for (int r = 0; r < ranks.size(); ++r)
    if (r != ranks.rank())
      for (auto& one : parts[static_cast<std::size_t>(r)]) one.flags &= 3u;
  const std::vector<FoundParticle> all = ranks.toEach(parts);
  count = static_cast<int>(all.size());
  return toDevice<FoundParticle>("particles of all ranks", all);
}

}  // namespace

bool listReaches(const MeasuredBox& box, double distance) { return !box.excludes && distance <= box.cutoff; }

CellPairs pairsInCells(const MeasuredParticles& particles, const MeasuredBox& box, const DeviceArray<u32>& sets,
                       double distance) {
  DeviceArray<FoundParticle> found("chosen particles", static_cast<std::size_t>(particles.count));
  DeviceArray<int> taken("chosen", 1);
  Kokkos::parallel_for("take chosen", Range(0, particles.count),
                       TakeChosen{particles.place, particles.species, particles.tag, sets, found, taken});
  int count = hostCopy(taken)(0);
  if (box.ranks) found = withOthers(found, count, *box.ranks);
  CellPairs pairs;
  pairs.limits = pairLimits(box.box, distance), pairs.count = count;
  const double most = std::cbrt(std::max(1.0, static_cast<double>(count)));  // no more cells than particles, or so
  int cells = 1;
  for (int a = 0; a < 3; ++a) {
    const double fit = std::floor(2.0 * box.box.size[a] / distance),
                 even = most * box.box.size[a] / std::cbrt(box.box.volume());
    pairs.cells[a] = static_cast<int>(std::clamp(fit, 1.0, std::max(1.0, std::floor(2.0 * even))));
    pairs.periodic[a] = box.box.periodic[a];
    cells *= pairs.cells[a];
  }
  pairs.start = DeviceArray<int>("cells of pairs", static_cast<std::size_t>(cells) + 1);
  pairs.particle = DeviceArray<FoundParticle>(Kokkos::view_alloc("particles in cells", Kokkos::WithoutInitializing),
                                              static_cast<std::size_t>(count));
  Kokkos::parallel_for("count cells of pairs", Range(0, count), CountCells{pairs, found, pairs.start});
  Kokkos::parallel_scan("start cells of pairs", Range(0, cells + 1), ScanCells{pairs.start});
  DeviceArray<int> next(Kokkos::view_alloc("next in cells", Kokkos::WithoutInitializing), pairs.start.extent(0));
  copyOn(Execution(), next, pairs.start);
  Kokkos::parallel_for("fill cells of pairs", Range(0, count), FillCells{pairs, found, next});
  return pairs;
}

}  // namespace mesowarp::observables
