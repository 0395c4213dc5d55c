#include "physics/mpcd/sharing/leaver_mail.hpp"

#include <algorithm>

#include "device/memory/zeroed.hpp"

namespace mesowarp::mpcd {
namespace {

struct Ways {
  int room[direction::count];
};

// Some leavers a team, which counts its own first: all of them would wait for each other at the counter of a way.
struct MailRows {
  using Team = Kokkos::TeamPolicy<Execution>::member_type;
  using Counts = Kokkos::View<int*, Execution::scratch_memory_space, Kokkos::MemoryUnmanaged>;
  static constexpr int together = 512;
  // Four words, which a store moves at once: over a link each is a message.
  struct alignas(16) Words4 {
    u32 w[4];
  };
  FieldRows rows;  // words: a multiple of four
  Leavers list;
  DeviceArray<int> packed;
  comm::BorderTargets targets;
  Ways ways;

  static int scratch() { return static_cast<int>(Counts::shmem_size(2 * direction::count)); }
  KOKKOS_INLINE_FUNCTION void operator()(const Team& team) const {
    const int first = team.league_rank() * together, known = static_cast<int>(list.index.extent(0));
    const int leavers = list.counts(0) < known ? list.counts(0) : known;
    if (first >= leavers) return;
    const Counts found(team.team_scratch(0), 2 * direction::count);  // of each way; its next place
    const auto each = Kokkos::TeamThreadRange(team, first, first + together < leavers ? first + together : leavers);
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, 2 * direction::count), [&](int k) { found(k) = 0; });
    team.team_barrier();
    Kokkos::parallel_for(each, [&](int k) { Kokkos::atomic_add(&found(list.way(k)), 1); });
    team.team_barrier();
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, direction::count), [&](int way) {
      if (found(way) > 0) found(direction::count + way) = Kokkos::atomic_fetch_add(&packed(way), found(way));
    });
    team.team_barrier();
    Kokkos::parallel_for(each, [&](int k) {
      const int way = list.way(k), place = Kokkos::atomic_fetch_add(&found(direction::count + way), 1);
      if (place < ways.room[way]) mail(k, way, place);
    });
  }

private:
  KOKKOS_INLINE_FUNCTION void mail(int k, int way, int place) const {
    alignas(16) u32 row[2 * FieldRows::most];
    rows.pack(list.index(k), row);
    u32* const to = targets.to[way][0] + (static_cast<std::size_t>(place) + 1) * targets.pitch[0];
    for (int w = 0; w < rows.words; w += 4)
      *reinterpret_cast<Words4*>(to + w) = *reinterpret_cast<const Words4*>(row + w);
  }
};
struct MailCounts {
  Leavers list;
  comm::BorderTargets targets;
  Ways ways;
  KOKKOS_INLINE_FUNCTION void operator()(int way) const {
    if (ways.room[way] > 0) targets.to[way][0][0] = static_cast<u32>(list.counts(1 + way));
  }
};
struct Report {
  Leavers list;
  Kokkos::View<int*, backend::SharedSpace> report;
  const u32* from[direction::count];
  KOKKOS_INLINE_FUNCTION void operator()(int way) const {
    if (way == 0) report(0) = list.counts(0);
    report(1 + way) = from[way] == nullptr ? 0 : static_cast<int>(*from[way]);
  }
};
struct UnpackMail {
  FieldRows rows;
  const u32* from[direction::count];
  int first[direction::count + 1];
  DeviceArray<int> places;
  int count, firstIndex;
  KOKKOS_INLINE_FUNCTION void operator()(int k) const {
    int way = 0;
    while (first[way + 1] <= k) ++way;
    const u32* const row = from[way] + (static_cast<std::size_t>(k - first[way]) + 1) * rows.words;
    rows.unpack(row, k < count ? places(k) : firstIndex + k - count);
  }
};

// Through a face go more than through an edge or a corner.
int roomFor(int way, int particles) {
  int along = 0;
  for (int axis = 0; axis < 3; ++axis) along += direction::along(way, axis) != 0 ? 1 : 0;
  return particles / (along == 1 ? 128 : 2048) + 256;
}

}  // namespace

LeaverMail::LeaverMail(const comm::Communicator& ranks, const Domain& domain, TransportStyle style, int rowWords,
                       int particles)
    : ranks_(ranks), chosen_(comm::makeTransport(style, ranks, domain)), packed_("packed leavers", direction::count),
      report_("report of mail", direction::count + 1), rowWords_(rowWords) {
  const int most = static_cast<int>(ranks.largest(particles));
  int rows = 0;
  for (int way = 0; way < direction::count; ++way) {
    plan_.firstSend[way] = plan_.firstGhost[way] = rows;
    if (!domain.hasNeighbor(way)) continue;
    room_[way] = roomFor(way, most), capacity_ += room_[way];
    rows += 1 + room_[way];
  }
  plan_.firstSend[direction::count] = plan_.firstGhost[direction::count] = rows;
  came_ = fields_.add<u32>("leavers of neighbours", rewritten | ghosted, static_cast<std::size_t>(rows),
                           static_cast<std::size_t>(rowWords), true);
  chosen_.transport->prepare(plan_, fields_.places(ghosted));
}

void LeaverMail::send(const FieldRows& rows, const Leavers& leavers, backend::SideStream& side) {
  known_ = static_cast<int>(leavers.index.extent(0));
  side.afterMain();
  clearOn(side.instance(), packed_);
  const comm::BorderTargets targets = chosen_.transport->targets(fields_.rows(ghosted));
  MailRows mail{rows, leavers, packed_, targets, {}};
  std::copy(room_.begin(), room_.end(), mail.ways.room);
  auto teams = Kokkos::TeamPolicy<Execution>(side.instance(), (capacity_ + MailRows::together - 1) / MailRows::together,
                                             Kokkos::AUTO);
  Kokkos::parallel_for("mail leavers", teams.set_scratch_size(0, Kokkos::PerTeam(MailRows::scratch())), mail);
  Kokkos::parallel_for("count mailed leavers", Range(side.instance(), 0, direction::count),
                       MailCounts{leavers, targets, mail.ways});
  chosen_.transport->start(side);
  const auto came = chosen_.transport->finish(side);
  Report report{leavers, report_, {}};
  for (int way = 0; way < direction::count; ++way) {
    const u32* const here = came ? reinterpret_cast<const u32*>(came->from[way])
                                 : came_->current.data() + static_cast<std::size_t>(plan_.firstGhost[way]) * rowWords_;
    report.from[way] = from_[way] = room_[way] > 0 ? here : nullptr;
  }
  Kokkos::parallel_for("report mail", Range(side.instance(), 0, direction::count), report);
}

bool LeaverMail::receive(backend::SideStream& side) {
  side.wait();
  left_ = report_(0), arrived_ = 0;
  bool fits = left_ <= std::min(capacity_, known_);
  for (int way = 0; way < direction::count; ++way)
    arrived_ += report_(1 + way), fits = fits && report_(1 + way) <= room_[way];
  fields_.swapState();
  return ranks_.largest(fits ? 0 : 1) == 0;
}

void LeaverMail::unpack(const FieldRows& rows, const DeviceArray<int>& places, int count, int firstIndex) const {
  UnpackMail mail{rows, {}, {}, places, count, firstIndex};
  for (int way = 0; way < direction::count; ++way)
    mail.from[way] = from_[way], mail.first[way + 1] = mail.first[way] + report_(1 + way);
  Kokkos::parallel_for("unpack mail", Range(0, arrived_), mail);
}

}  // namespace mesowarp::mpcd
