#include "physics/observables/pair_distances.hpp"

#include <algorithm>

#include "device/host_copy.hpp"
#include "physics/observables/pair_search.hpp"

namespace mesowarp::observables {
namespace {

using Teams = Kokkos::TeamPolicy<Execution, Kokkos::IndexType<int>>;
using Member = Teams::member_type;
using Scratch = Kokkos::View<u32*, Execution::scratch_memory_space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
constexpr int threads = backend::onGpu ? 128 : 1;
constexpr int mostOfTeam = backend::onGpu ? 1024 : 256;  // particles: its counts fit into 32 bits
// Where there are few particles, fewer each, so that all of a GPU has teams: a thread looks at a particle's neighbours
// one after another.
int particlesOfTeam(int particles) {
  constexpr int teams = 2048;
  return backend::onGpu ? std::clamp((particles / teams + threads - 1) / threads * threads, threads, mostOfTeam)
                        : mostOfTeam;
}

struct AddToBin {
  u32* counts;
  double perLength;
  int bins;
  KOKKOS_INLINE_FUNCTION void operator()(int, int, double squared) const {
    const int bin = static_cast<int>(::sqrt(squared) * perLength);
    u32* const count = counts + (bin < bins - 1 ? bin : bins - 1);
    if (threads > 1)
      Kokkos::atomic_add(count, 1u);
    else
      ++*count;
  }
};

// Each team counts in memory of its own, then adds that to all.
template <class Pairs>
struct CountDistances {
  Pairs pairs;
  Kokkos::View<i64*, Memory> counts;
  double perLength;
  int bins, chunk;  // particles of a team

  KOKKOS_INLINE_FUNCTION void operator()(const Member& team) const {
    const Scratch own(team.team_scratch(0), static_cast<std::size_t>(bins));
    const int rank = team.team_rank(), size = team.team_size();
    for (int b = rank; b < bins; b += size) own(b) = 0u;
    team.team_barrier();
    const int first = team.league_rank() * chunk;
    const int end = first + chunk < pairs.centres() ? first + chunk : pairs.centres();
    const AddToBin add{own.data(), perLength, bins};
    for (int i = first + rank; i < end; i += size) pairs.from(i, add);
    team.team_barrier();
    for (int b = rank; b < bins; b += size)
      if (own(b) != 0u) Kokkos::atomic_add(&counts(b), static_cast<i64>(own(b)));
  }
};

template <class Pairs>
std::vector<i64> count(const Pairs& pairs, double distance, int bins) {
  const int chunk = particlesOfTeam(pairs.centres());
  const CountDistances<Pairs> kernel{pairs,
                                     Kokkos::View<i64*, Memory>("pairs by distance", static_cast<std::size_t>(bins)),
                                     bins / distance, bins, chunk};
  const int teams = (pairs.centres() + chunk - 1) / chunk;
  if (teams > 0)
    Kokkos::parallel_for(
        "count distances",
        Teams(teams, threads).set_scratch_size(0, Kokkos::PerTeam(Scratch::shmem_size(static_cast<std::size_t>(bins)))),
        kernel);
  const auto host = hostCopy(kernel.counts);
  return {host.data(), host.data() + bins};
}

}  // namespace

std::vector<i64> pairDistances(const MeasuredParticles& p, const MeasuredBox& box, const DeviceArray<u32>& sets,
                               double distance, int bins) {
  std::vector<i64> counts =
      listReaches(box, distance)
          ? count(ListPairs{p.list, p.place, p.species, sets, pairLimits(box.box, distance), p.count}, distance, bins)
          : count(pairsInCells(p, box, sets, distance), distance, bins);
  if (box.ranks) box.ranks->sum(counts.data(), bins);
  return counts;
}

}  // namespace mesowarp::observables
