#include "comm/migration.hpp"

#include "core/error.hpp"
#include "device/memory/zeroed.hpp"
#include "device/tuning.hpp"

namespace mesowarp::comm {
namespace {

constexpr int firstTag = 32;  // of messages; below are the halo's

// Fields that move, and behind them those that are parked.
struct BothRows {
  FieldRows moving;
  ParkedRows parked;
  int words, firstIndex;  // of both; of those that come

  BothRows(const FieldRows& rows, const ParkedRows& others, int first)
      : moving(rows), parked(others), words(rows.words + others.rows.words), firstIndex(first) {}
  KOKKOS_INLINE_FUNCTION void pack(int particle, u32* row) const {
    moving.pack(particle, row);
    parked.rows.pack(static_cast<int>(parked.place[particle]), row + moving.words);
  }
  KOKKOS_INLINE_FUNCTION void unpack(const u32* row, int particle) const {
    const int place = parked.next + particle - firstIndex;
    moving.unpack(row, particle);
    parked.rows.unpack(row + moving.words, place);
    parked.place[particle] = static_cast<u32>(place);
  }
};

// A leaver's row goes behind those of all earlier ways and, in order, of lower particles of its own way: what threads'
// timing decided is gone. A thread does every so-many-th leaver; threads side by side compare theirs with the same
// other one. The first ones report the counts.
template <class Rows>
struct PackLeavers {
  Rows rows;
  Leavers list;
  Kokkos::View<int*, backend::SharedSpace> report;
  DeviceArray<int> packed;  // none: in order
  u32* to;
  int capacity, threads;
  KOKKOS_INLINE_FUNCTION int placeInOrder(int k, int leavers) const {
    const int way = list.way(k), particle = list.index(k);
    int place = 0;
#ifdef __CUDA_ARCH__
#pragma unroll 8
#endif
    for (int other = 0; other < leavers; ++other) {
      const int w = list.way(other), p = list.index(other);
      place += (w < way) | ((w == way) & (p < particle));
    }
    return place;
  }
  KOKKOS_INLINE_FUNCTION int anyPlace(int k) const {
    const int way = list.way(k);
    int place = Kokkos::atomic_fetch_add(&packed(way), 1);
    for (int before = 0; before < way; ++before) place += list.counts(1 + before);
    return place;
  }
  KOKKOS_INLINE_FUNCTION void operator()(int thread) const {
    for (int c = thread; c <= direction::count; c += threads) report(c) = list.counts(c);
    const int leavers = list.counts(0);
    if (leavers > capacity) return;
    for (int k = thread; k < leavers; k += threads) {
      const int place = packed.extent(0) == 0 ? placeInOrder(k, leavers) : anyPlace(k);
      rows.pack(list.index(k), to + static_cast<std::size_t>(place) * rows.words);
    }
  }
};

template <class Rows>
struct UnpackArrivals {
  Rows rows;
  const u32* received;
  int firstIndex;
  KOKKOS_INLINE_FUNCTION void operator()(int k) const {
    rows.unpack(received + static_cast<std::size_t>(k) * rows.words, firstIndex + k);
  }
};

struct UnpackToPlaces {
  FieldRows rows;
  const u32* received;
  DeviceArray<int> places;
  int count, firstIndex;
  KOKKOS_INLINE_FUNCTION void operator()(int k) const {
    rows.unpack(received + static_cast<std::size_t>(k) * rows.words, k < count ? places(k) : firstIndex + k - count);
  }
};

}  // namespace

Migration::Migration(const Communicator& ranks, const Domain& domain, int particles, LeaverOrder order)
    : ranks_(ranks.handle()), report_("leavers report", direction::count + 1) {
  for (int way = 0; way < direction::count; ++way) neighbor_[way] = domain.hasNeighbor(way) ? domain.neighbor(way) : -1;
  list_.counts = DeviceArray<int>("leaver counts", direction::count + 1);
  if (order == LeaverOrder::any) packed_ = DeviceArray<int>("packed leavers", direction::count);
  reserve(particles / 64 + 64);
}

void Migration::reserve(int leavers) {
  capacity_ = leavers;
  list_.index = DeviceArray<int>(Kokkos::view_alloc("leavers", Kokkos::WithoutInitializing), leavers);
  list_.way = DeviceArray<int>(Kokkos::view_alloc("leavers' ways", Kokkos::WithoutInitializing), leavers);
}

Leavers Migration::leavers(backend::SideStream& side) {
  clearOn(side.instance(), list_.counts);
  clearOn(side.instance(), packed_);
  return list_;
}

void Migration::pack(const FieldRows& rows, backend::SideStream& side, const ParkedRows& parked) {
  rowBytes_ = rows.bytes() + parked.bytes();
  if (send_.extent(0) < capacity_ * rowBytes_)
    send_ = SharedBytes(Kokkos::view_alloc("leavers' rows", Kokkos::WithoutInitializing), capacity_ * rowBytes_);
  constexpr int threads = backend::onGpu ? tuning::sideThreads : 2048;
  const Range range(side.instance(), 0, threads);
  u32* const to = reinterpret_cast<u32*>(send_.data());
  if (parked.place)
    Kokkos::parallel_for("pack leavers", range,
                         PackLeavers<BothRows>{{rows, parked, 0}, list_, report_, packed_, to, capacity_, threads});
  else
    Kokkos::parallel_for("pack leavers", range,
                         PackLeavers<FieldRows>{rows, list_, report_, packed_, to, capacity_, threads});
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
    MPI_Isend(from, static_cast<int>(count * rowBytes_), MPI_BYTE, neighbor_[way], firstTag + way, ranks_,
              &open.back());
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

void Migration::unpack(const FieldRows& rows, int firstIndex, const Execution& stream, const ParkedRows& parked) const {
  const Range range(stream, 0, arrived_);
  const u32* const received = reinterpret_cast<const u32*>(receive_.data());
  if (parked.place)
    Kokkos::parallel_for("unpack arrivals", range,
                         UnpackArrivals<BothRows>{{rows, parked, firstIndex}, received, firstIndex});
  else
    Kokkos::parallel_for("unpack arrivals", range, UnpackArrivals<FieldRows>{rows, received, firstIndex});
}

void Migration::unpack(const FieldRows& rows, const DeviceArray<int>& places, int count, int firstIndex,
                       const Execution& stream) const {
  Kokkos::parallel_for("unpack arrivals", Range(stream, 0, arrived_),
                       UnpackToPlaces{rows, reinterpret_cast<const u32*>(receive_.data()), places, count, firstIndex});
}

}  // namespace mesowarp::comm
