#include "comm/transports.hpp"

#include "comm/transport_host.hpp"

namespace mesowarp::comm {

std::unique_ptr<Transport> makeTransport(TransportStyle, const Communicator& ranks, const Domain& domain) {
  return std::make_unique<MessageTransport<backend::SharedSpace>>(ranks, domain, "host");
}

}  // namespace mesowarp::comm
