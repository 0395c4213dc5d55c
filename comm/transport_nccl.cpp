#include "comm/transport_nccl.hpp"

#ifdef MESOWARP_NCCL
#include <nccl.h>

#include "core/error.hpp"
#include "core/types.hpp"

namespace mesowarp::comm {
namespace {

void check(ncclResult_t result, const char* what) {
  if (result != ncclSuccess) throw RunError(std::string("NCCL, ") + what + ": " + ncclGetErrorString(result));
}

class NcclTransport final : public Transport {
 public:
  NcclTransport(const Communicator& ranks, const Domain& domain) {
    for (int way = 0; way < direction::count; ++way) neighbor_[way] = domain.hasNeighbor(way) ? domain.neighbor(way) : -1;
    ncclUniqueId id{};
    ranks.onRoot([&] { check(ncclGetUniqueId(&id), "identifier"); });
    MPI_Bcast(&id, sizeof id, MPI_BYTE, 0, ranks.handle());
    check(ncclCommInitRank(&ranks_, ranks.size(), id, ranks.rank()), "start");
  }
  ~NcclTransport() override { ncclCommDestroy(ranks_); }

  const char* name() const override { return "nccl"; }

  void prepare(const WayBytes& send, const WayBytes& receive) override {
    sendBytes_ = send, receiveBytes_ = receive;
    reserve(send_, send.total());
    reserve(receive_, receive.total());
  }

  WayTargets targets() override {
    WayTargets targets;
    for (int way = 0; way < direction::count; ++way) targets.to[way] = send_.data() + sendBytes_.first[way];
    return targets;
  }

  // Messages between two ranks meet in the order in which they are issued: what is sent way by way arrives, seen from the other
  // side, from the opposite ways, so in falling order.
  void start(backend::SideStream& side) override {
    check(ncclGroupStart(), "group");
    for (int way = 0; way < direction::count; ++way)
      if (neighbor_[way] >= 0 && sendBytes_.of(way) > 0)
        check(ncclSend(send_.data() + sendBytes_.first[way], sendBytes_.of(way), ncclChar, neighbor_[way], ranks_, side.stream()), "send");
    for (int way = direction::count - 1; way >= 0; --way)
      if (neighbor_[way] >= 0 && receiveBytes_.of(way) > 0)
        check(ncclRecv(receive_.data() + receiveBytes_.first[way], receiveBytes_.of(way), ncclChar, neighbor_[way], ranks_, side.stream()), "receive");
    check(ncclGroupEnd(), "group");
  }

  WaySources finish(backend::SideStream&) override {
    WaySources sources;
    for (int way = 0; way < direction::count; ++way) sources.from[way] = receive_.data() + receiveBytes_.first[way];
    return sources;
  }

 private:
  static void reserve(DeviceArray<char>& buffer, std::size_t bytes) {
    if (bytes > buffer.extent(0))
      buffer = DeviceArray<char>(Kokkos::view_alloc("halo messages", Kokkos::WithoutInitializing), bytes + bytes / 8);
  }
  ncclComm_t ranks_{};
  std::array<int, direction::count> neighbor_;  // -1: none
  WayBytes sendBytes_, receiveBytes_;
  DeviceArray<char> send_, receive_;
};

}  // namespace

std::unique_ptr<Transport> makeNcclTransport(const Communicator& ranks, const Domain& domain) {
  return std::make_unique<NcclTransport>(ranks, domain);
}

}  // namespace mesowarp::comm
#else
#include "core/error.hpp"

namespace mesowarp::comm {

std::unique_ptr<Transport> makeNcclTransport(const Communicator&, const Domain&) {
  throw InputError("this build has no NCCL: configure with CUDA and -DMESOWARP_NCCL=ON, or choose another parallel.transport");
}

}  // namespace mesowarp::comm
#endif
