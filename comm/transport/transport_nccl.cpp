#include "comm/transport/transport_nccl.hpp"

#ifdef MESOWARP_NCCL
#include "comm/transport/nccl_ranks.hpp"
#include "comm/transport/transports.hpp"
#include "comm/transport/way_buffers.hpp"

namespace mesowarp::comm {
namespace {

class NcclTransport final : public Transport {
public:
  NcclTransport(const Communicator& ranks, const Domain& domain) : ranks_(ranks) {
    for (int way = 0; way < direction::count; ++way)
      neighbor_[way] = domain.hasNeighbor(way) ? domain.neighbor(way) : -1;
  }

  const char* name() const override { return "nccl"; }

  void prepare(const GhostPlan& plan, const std::vector<FieldPlace>&) override { buffers_.prepare(plan); }
  BorderTargets targets(const FieldRows& rows) override { return buffers_.targets(rows); }

  // Messages between two ranks meet in the order in which they are issued: what is sent way by way arrives, seen from
  // the other side, from the opposite ways, so in falling order.
  void start(backend::SideStream& side) override {
    const WayBytes &send = buffers_.sendBytes(), &receive = buffers_.receiveBytes();
    checkNccl(ncclGroupStart(), "group");
    for (int way = 0; way < direction::count; ++way)
      if (neighbor_[way] >= 0 && send.of(way) > 0)
        checkNccl(ncclSend(buffers_.send() + send.first[way], send.of(way), ncclChar, neighbor_[way], ranks_.handle(),
                           side.stream()),
                  "send");
    for (int way = direction::count - 1; way >= 0; --way)
      if (neighbor_[way] >= 0 && receive.of(way) > 0)
        checkNccl(ncclRecv(buffers_.receive() + receive.first[way], receive.of(way), ncclChar, neighbor_[way],
                           ranks_.handle(), side.stream()),
                  "receive");
    checkNccl(ncclGroupEnd(), "group");
  }

  std::optional<WaySources> finish(backend::SideStream&) override { return buffers_.sources(); }

private:
  NcclRanks ranks_;
  std::array<int, direction::count> neighbor_;  // -1: none
  WayBuffers<Memory> buffers_;
};

}  // namespace

std::string ncclObstacle(const Communicator& ranks) {
  return shareGpus(ranks) ? "ranks share a GPU, and NCCL wants one for each" : "";
}

std::unique_ptr<Transport> makeNcclTransport(const Communicator& ranks, const Domain& domain) {
  return std::make_unique<NcclTransport>(ranks, domain);
}

}  // namespace mesowarp::comm
#else

namespace mesowarp::comm {

std::string ncclObstacle(const Communicator&) {
  return "this build has no NCCL: configure with CUDA where NCCL is found (NCCL_HOME)";
}

std::unique_ptr<Transport> makeNcclTransport(const Communicator&, const Domain&) { return nullptr; }

}  // namespace mesowarp::comm
#endif
