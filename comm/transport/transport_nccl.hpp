// Through NCCL: point-to-point messages between GPUs, of one host or many, that start and end on the side stream. Only
// where the build found NCCL.
#pragma once

#include <memory>
#include <string>

#include "comm/transport/transport.hpp"

namespace mesowarp::comm {

// Why NCCL cannot connect the ranks: not in this build, or some share a GPU. Empty: it can. Collective.
std::string ncclObstacle(const Communicator& ranks);
// Where there is no obstacle. Collective. Throws RunError if NCCL cannot connect the ranks.
std::unique_ptr<Transport> makeNcclTransport(const Communicator& ranks, const Domain& domain);

}  // namespace mesowarp::comm
