#include "comm/transports.hpp"

#include "device/peer_memory.hpp"
#include "comm/transport_host.hpp"
#include "comm/transport_nccl.hpp"
#include "comm/transport_peer.hpp"
#include "core/error.hpp"

namespace mesowarp::comm {
namespace {

ChosenTransport host(const Communicator& ranks, const Domain& domain, const char* reason) {
  return {std::make_unique<MessageTransport<backend::SharedSpace>>(ranks, domain, "host"), reason};
}

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
ChosenTransport peer(const Communicator& ranks, const Domain& domain, const char* reason) {
  if constexpr (backend::hasPeerMemory)
    return {std::make_unique<PeerTransport<Peer>>(ranks, domain), reason};
  else
    return host(ranks, domain, reason);
}

ChosenTransport automatic(const Communicator& ranks, const Domain& domain) {
  if (!backend::onGpu) return host(ranks, domain, "particles are in the host's memory");
  const std::string obstacle = peerObstacle<backend::PeerMemory>(ranks);
  if (obstacle.empty())
    return peer<backend::PeerMemory>(ranks, domain, "GPUs of one host that reach each other's memory");
  if (hasNccl) {
    auto chosen = ChosenTransport{makeNcclTransport(ranks, domain), "no peer memory: " + obstacle};
    return chosen;
  }
  if (mpiTakesDeviceBuffers(ranks))
    return {std::make_unique<MessageTransport<Memory>>(ranks, domain, "mpi"),
            "no peer memory: " + obstacle + "; MPI takes device buffers"};
  return host(ranks, domain, ("no peer memory: " + obstacle + "; MPI does not take device buffers").c_str());
}

}  // namespace

ChosenTransport makeTransport(TransportStyle style, const Communicator& ranks, const Domain& domain) {
  switch (style) {
  case TransportStyle::automatic:
    return automatic(ranks, domain);
  case TransportStyle::host:
    return host(ranks, domain, "asked for");
  case TransportStyle::mpi:
    if (!mpiTakesDeviceBuffers(ranks))
      throw InputError("parallel.transport = \"mpi\": this MPI does not take device buffers (a trial exchange failed); "
                       "load a GPU-aware MPI, or use \"auto\" or \"host\"");
    return {std::make_unique<MessageTransport<Memory>>(ranks, domain, "mpi"), "asked for"};
  case TransportStyle::nccl:
    return {makeNcclTransport(ranks, domain), "asked for"};
  case TransportStyle::peer: {
    const std::string obstacle = peerObstacle<backend::PeerMemory>(ranks);
    if (!obstacle.empty())
      throw InputError("parallel.transport = \"peer\": " + obstacle + "; use \"auto\" or \"host\"");
    return peer<backend::PeerMemory>(ranks, domain, "asked for");
  }
  }
  throw InputError("unknown transport");
}

}  // namespace mesowarp::comm
