// Through NCCL: point-to-point messages between GPUs, of one host or many, that start and end on the side stream. Only
// where the build found NCCL.
#pragma once

#include <memory>

#include "comm/transport/transport.hpp"

namespace mesowarp::comm {

constexpr bool hasNccl =
#ifdef MESOWARP_NCCL
    true;
#else
    false;
#endif

// Collective. Throws RunError if NCCL cannot connect the ranks.
std::unique_ptr<Transport> makeNcclTransport(const Communicator& ranks, const Domain& domain);

}  // namespace mesowarp::comm
