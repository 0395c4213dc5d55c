// Chooses how ghosts travel: see transport.hpp.
#pragma once

#include <functional>
#include <string>

#include "comm/transport/transport.hpp"
#include "core/transport_style.hpp"

namespace mesowarp::comm {

struct ChosenTransport {
  std::unique_ptr<Transport> transport;
  std::string reason;
};

// What `auto` goes by. Asked in the order of speed and only as far as need be: trying takes seconds.
struct TransportTrials {
  bool onGpu = false;
  std::function<std::string()> peerObstacle;  // why GPUs cannot store into each other's memory; empty: they can
  std::function<bool()> mpiTakesDeviceBuffers;
  std::function<std::string()> ncclObstacle;  // why NCCL cannot connect the ranks; empty: it can
};
struct TransportChoice {
  TransportStyle style;
  std::string reason;
};
TransportChoice chooseTransport(const TransportTrials& trials);

// Collective. automatic: the fastest that works between these ranks, found out by trying. Throws InputError if the one
// asked for does not work here.
ChosenTransport makeTransport(TransportStyle style, const Communicator& ranks, const Domain& domain);

// Whether some ranks have the same GPU (or none). Collective.
bool shareGpus(const Communicator& ranks);

// Whether MPI takes device buffers: a process of its own sends some to itself, so that an MPI that cannot, and crashes,
// does not end the run. Collective; tried once a run.
bool mpiTakesDeviceBuffers(const Communicator& ranks);
// What that process does; its exit code is 0 if all has arrived.
int tryDeviceBuffers();

}  // namespace mesowarp::comm
