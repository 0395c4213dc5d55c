#include "comm/transport/transport_host.hpp"

#include <climits>
#include <exception>

#include "core/error.hpp"

namespace mesowarp::comm {

WayMessages::WayMessages(const Communicator& ranks, const Domain& domain) : ranks_(ranks.handle()) {
  for (int way = 0; way < direction::count; ++way) neighbor_[way] = domain.hasNeighbor(way) ? domain.neighbor(way) : -1;
}

// What a neighbour sends one way comes from the opposite one.
void WayMessages::start(const char* send, const WayBytes& sendBytes, char* receive, const WayBytes& receiveBytes) {
  open_.clear(), receives_ = 0;
  for (const bool receiving : {true, false}) {
    for (int way = 0; way < direction::count; ++way) {
      const WayBytes& bytes = receiving ? receiveBytes : sendBytes;
      if (neighbor_[way] < 0 || bytes.of(way) == 0) continue;
      if (bytes.of(way) > INT_MAX) throw RunError("more than 2 GiB of ghosts for one neighbour: use more ranks");
      const int count = static_cast<int>(bytes.of(way));
      open_.emplace_back();
      if (receiving)
        ++receives_, MPI_Irecv(receive + bytes.first[way], count, MPI_BYTE, neighbor_[way], direction::opposite(way),
                               ranks_, &open_.back());
      else
        MPI_Isend(send + bytes.first[way], count, MPI_BYTE, neighbor_[way], way, ranks_, &open_.back());
    }
  }
}

void WayMessages::finish() {
  MPI_Waitall(static_cast<int>(open_.size()), open_.data(), MPI_STATUSES_IGNORE);
  open_.clear();
}

void WayMessages::end() {
  if (std::uncaught_exceptions() == 0) return finish();
  if (open_.empty()) return;
  for (std::size_t k = 0; k < receives_; ++k) MPI_Cancel(&open_[k]);
  MPI_Waitall(static_cast<int>(receives_), open_.data(), MPI_STATUSES_IGNORE);
  open_.clear();
}

}  // namespace mesowarp::comm
