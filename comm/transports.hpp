// Makes transports: see transport.hpp.
#pragma once

#include "comm/transport.hpp"

namespace mesowarp::comm {

// Collective. automatic: the fastest that works between these ranks.
std::unique_ptr<Transport> makeTransport(TransportStyle style, const Communicator& ranks, const Domain& domain);

}  // namespace mesowarp::comm
