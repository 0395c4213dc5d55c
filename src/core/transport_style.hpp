// How ghosts travel between ranks, as a deck and as comm name it (comm/transport/transport.hpp).
#pragma once

namespace mesowarp {

// automatic: the fastest that works here.
enum class TransportStyle { automatic, host, mpi, nccl, peer };

}  // namespace mesowarp
