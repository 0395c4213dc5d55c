#include "comm/transport/transports.hpp"

#include <fmt/format.h>
#include <set>

#include "comm/transport/transport_host.hpp"
#include "comm/transport/transport_nccl.hpp"
#include "comm/transport/transport_peer.hpp"
#include "comm/transport/transport_self.hpp"
#include "core/error.hpp"
#include "device/device_info.hpp"
#include "device/peer_memory.hpp"

namespace mesowarp::comm {
namespace {

// Why GPUs cannot store into each other's memory; empty: they can, as a first exchange has shown.
template <class Peer>
std::string peerObstacle(const Communicator& ranks) {
  if constexpr (!backend::hasPeerMemory) {
    return "this build has no GPU";
  } else {
    if (ranks.ranksOnNode() != ranks.size()) return "the ranks are on several hosts";
    try {
      tryPeerMemory<Peer>(ranks);
    } catch (const RunError& error) {
      return error.what();
    }
    return "";
  }
}

template <class Peer>
std::unique_ptr<Transport> make(TransportStyle style, const Communicator& ranks, const Domain& domain) {
  switch (style) {
  case TransportStyle::peer:
    if constexpr (backend::hasPeerMemory) return std::make_unique<PeerTransport<Peer>>(ranks, domain);
    break;
  case TransportStyle::mpi:
    return std::make_unique<MessageTransport<Memory>>(ranks, domain, "mpi");
  case TransportStyle::nccl:
    return makeNcclTransport(ranks, domain);
  default:
    break;
  }
  return std::make_unique<MessageTransport<backend::SharedSpace>>(ranks, domain, "host");
}

}  // namespace

bool shareGpus(const Communicator& ranks) {
  const auto devices = ranks.all(backend::deviceNumber());
  return std::set(devices.begin(), devices.end()).size() < devices.size();
}

// On two H200, in G particle-steps/s: peer 7.0 to 7.3, mpi 7.0 to 7.2, nccl 5.9 to 6.0, host 4.6 (docs/validation.md).
TransportChoice chooseTransport(const TransportTrials& trials) {
  if (!trials.onGpu) return {TransportStyle::host, "particles are in the host's memory"};
  const std::string obstacle = trials.peerObstacle();
  if (obstacle.empty()) return {TransportStyle::peer, "GPUs of one host that reach each other's memory"};
  const std::string why = "no peer memory: " + obstacle;
  if (trials.mpiTakesDeviceBuffers()) return {TransportStyle::mpi, why + "; MPI takes device buffers"};
  const std::string whyNot = why + "; MPI does not take device buffers", noNccl = trials.ncclObstacle();
  if (noNccl.empty()) return {TransportStyle::nccl, whyNot};
  return {TransportStyle::host, whyNot + "; " + noNccl};
}

ChosenTransport makeTransport(TransportStyle style, const Communicator& ranks, const Domain& domain) {
  if (ranks.size() == 1) return {std::make_unique<SelfTransport>(), "one rank is its own neighbour"};
  const auto peerObstacleHere = [&]() -> std::string {
    if (domain.sheared >= 0) return "ghosts beyond a sheared box' faces are not stored as they come";
    return peerObstacle<backend::PeerMemory>(ranks);
  };
  const auto deviceBuffersHere = [&] { return mpiTakesDeviceBuffers(ranks); };
  const auto ncclObstacleHere = [&] { return ncclObstacle(ranks); };
  if (style == TransportStyle::automatic) {
    const auto choice = chooseTransport({backend::onGpu, peerObstacleHere, deviceBuffersHere, ncclObstacleHere});
    return {make<backend::PeerMemory>(choice.style, ranks, domain), choice.reason};
  }
  if (style == TransportStyle::mpi && !deviceBuffersHere())
    throw InputError("parallel.transport = \"mpi\": this MPI does not take device buffers (a trial exchange failed); "
                     "load a GPU-aware MPI, or use \"auto\" or \"host\"");
  const auto refuse = [](const char* name, const std::string& obstacle) {
    if (!obstacle.empty())
      throw InputError(fmt::format("parallel.transport = \"{}\": {}; use \"auto\" or \"host\"", name, obstacle));
  };
  if (style == TransportStyle::peer) refuse("peer", peerObstacleHere());
  if (style == TransportStyle::nccl) refuse("nccl", ncclObstacleHere());
  return {make<backend::PeerMemory>(style, ranks, domain), "asked for"};
}

}  // namespace mesowarp::comm
