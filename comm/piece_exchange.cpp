#include "comm/piece_exchange.hpp"

#include <algorithm>

namespace mesowarp::comm {
namespace {

// start(place, count) for each message of at most 2^30 bytes.
template <class Start>
void inMessages(std::size_t from, std::size_t to, std::vector<MPI_Request>& open, const Start& start) {
  constexpr std::size_t most = std::size_t{1} << 30;
  for (std::size_t at = from; at < to; at += most) {
    open.emplace_back();
    start(at, static_cast<int>(std::min(most, to - at)), &open.back());
  }
}

void waitForAll(std::vector<MPI_Request>& open) {
  if (!open.empty()) MPI_Waitall(static_cast<int>(open.size()), open.data(), MPI_STATUSES_IGNORE);
  open.clear();
}

}  // namespace

void PieceExchange::start(char* array, const std::vector<std::size_t>& first) {
  finish();
  const int size = ranks_->size(), rank = ranks_->rank();
  coming_.resize(static_cast<std::size_t>(size));
  const auto ends = [&](int of) {
    return std::pair{first[static_cast<std::size_t>(of)], first[static_cast<std::size_t>(of) + 1]};
  };
  for (int round = 1; round < size; ++round) {
    const int from = rankOf(round);
    const auto [begin, end] = ends(from);
    inMessages(begin, end, coming_[static_cast<std::size_t>(round)],
               [&](std::size_t at, int count, MPI_Request* request) {
                 MPI_Irecv(array + at, count, MPI_BYTE, from, tag, ranks_->handle(), request);
               });
  }
  const auto [begin, end] = ends(rank);
  for (int round = 1; round < size; ++round)
    inMessages(begin, end, going_, [&](std::size_t at, int count, MPI_Request* request) {
      MPI_Isend(array + at, count, MPI_BYTE, (rank + round) % size, tag, ranks_->handle(), request);
    });
}

void PieceExchange::wait(int round) { waitForAll(coming_[static_cast<std::size_t>(round)]); }

void PieceExchange::finish() {
  for (auto& open : coming_) waitForAll(open);
  waitForAll(going_);
}

}  // namespace mesowarp::comm
