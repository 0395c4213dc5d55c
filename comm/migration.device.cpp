#include "comm/migration.hpp"

#include <algorithm>
#include <numeric>

#include "core/error.hpp"

namespace mesowarp::comm {
namespace {

constexpr int firstTag = 32;  // of messages; below are the halo's

// A leaver's row goes behind those of all earlier ways and of lower particles of its own way: what threads' timing decided is
// gone. A team does every so-many-th leaver; the first one reports the counts.
struct PackLeavers {
  using Policy = Kokkos::TeamPolicy<Execution, Kokkos::IndexType<int>>;
  FieldRows rows;
  Leavers list;
  Kokkos::View<int*, backend::SharedSpace> report;
  u32* to;
  int capacity;
  KOKKOS_INLINE_FUNCTION void operator()(const Policy::member_type& team) const {
    if (team.league_rank() == 0)
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, direction::count + 1), [&](int c) { report(c) = list.counts(c); });
    const int leavers = list.counts(0);
    if (leavers > capacity) return;
    for (int k = team.league_rank(); k < leavers; k += team.league_size()) {
      const int way = list.way(k), particle = list.index(k);
      int place = 0;
      Kokkos::parallel_reduce(
          Kokkos::TeamThreadRange(team, leavers),
          [&](int other, int& before) {
            const int w = list.way(other);
            before += w < way || (w == way && list.index(other) < particle) ? 1 : 0;
          },
          place);
      Kokkos::single(Kokkos::PerTeam(team), [&]() { rows.pack(particle, to + static_cast<std::size_t>(place) * rows.words); });
    }
  }
};

struct UnpackArrivals {
  FieldRows rows;
  const u32* received;
  int firstIndex;
  KOKKOS_INLINE_FUNCTION void operator()(int k) const {
    rows.unpack(received + static_cast<std::size_t>(k) * rows.words, firstIndex + k);
  }
};

}  // namespace

Migration::Migration(const Communicator& ranks, const Domain& domain, int particles)
    : ranks_(ranks.handle()), report_("leavers report", direction::count + 1) {
  for (int way = 0; way < direction::count; ++way) neighbor_[way] = domain.hasNeighbor(way) ? domain.neighbor(way) : -1;
  list_.counts = DeviceArray<int>("leaver counts", direction::count + 1);
  reserve(particles / 64 + 64);
}

void Migration::reserve(int leavers) {
  capacity_ = leavers;
  list_.index = DeviceArray<int>(Kokkos::view_alloc("leavers", Kokkos::WithoutInitializing), leavers);
  list_.way = DeviceArray<int>(Kokkos::view_alloc("leavers' ways", Kokkos::WithoutInitializing), leavers);
}

Leavers Migration::leavers(backend::SideStream& side) {
  Kokkos::deep_copy(side.instance(), list_.counts, 0);
  return list_;
}

void Migration::pack(const FieldRows& rows, backend::SideStream& side) {
  rowBytes_ = rows.bytes();
  if (send_.extent(0) < capacity_ * rowBytes_)
    send_ = SharedBytes(Kokkos::view_alloc("leavers' rows", Kokkos::WithoutInitializing), capacity_ * rowBytes_);
  constexpr int threads = backend::onGpu ? 32 : 1, teams = backend::onGpu ? backend::sideThreads / threads : 2048;
  Kokkos::parallel_for("pack leavers", PackLeavers::Policy(side.instance(), teams, threads),
                       PackLeavers{rows, list_, report_, reinterpret_cast<u32*>(send_.data()), capacity_});
}

bool Migration::packed(backend::SideStream& side) {
  side.wait();
  left_ = report_(0);
  if (left_ <= capacity_) return true;
  reserve(left_ + left_ / 4);
  return false;
}

void Migration::exchange() {
  std::vector<MPI_Request> open;
  const char* from = send_.data();
  for (int way = 0; way < direction::count; ++way) {
    const int count = report_(1 + way);
    if (neighbor_[way] < 0) {
      if (count > 0) throw RunError("a particle has left the box");
      continue;
    }
    open.emplace_back();
    MPI_Isend(from, static_cast<int>(count * rowBytes_), MPI_BYTE, neighbor_[way], firstTag + way, ranks_, &open.back());
    from += count * rowBytes_;
  }
  std::size_t used = 0;
  for (int way = 0; way < direction::count; ++way) {
    if (neighbor_[way] < 0) continue;
    MPI_Message message;
    MPI_Status status;
    int bytes = 0;
    MPI_Mprobe(neighbor_[way], firstTag + direction::opposite(way), ranks_, &message, &status);
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    if (used + bytes > receive_.extent(0)) Kokkos::resize(receive_, (used + bytes) * 2 + 65536);
    MPI_Mrecv(receive_.data() + used, bytes, MPI_BYTE, &message, &status);
    used += static_cast<std::size_t>(bytes);
  }
  MPI_Waitall(static_cast<int>(open.size()), open.data(), MPI_STATUSES_IGNORE);
  arrived_ = static_cast<int>(used / rowBytes_);
  migrated_ += left_;
}

void Migration::unpack(const FieldRows& rows, int firstIndex, const Execution& stream) const {
  Kokkos::parallel_for("unpack arrivals", Kokkos::RangePolicy<Execution, Kokkos::IndexType<int>, LightWeight>(stream, 0, arrived_),
                       UnpackArrivals{rows, reinterpret_cast<const u32*>(receive_.data()), firstIndex});
}

}  // namespace mesowarp::comm
