// One array of which each rank makes a piece, gathered on all of them in the background: every rank's piece to every
// other, as nonblocking messages, in rounds in which nobody sends or receives twice (rank r + s gets the piece of rank
// r in round s).
#pragma once

#include <vector>

#include "comm/communicator.hpp"

namespace mesowarp::comm {

class PieceExchange {
public:
  explicit PieceExchange(const Communicator& ranks) : ranks_(&ranks) {}
  ~PieceExchange() { finish(); }
  PieceExchange(const PieceExchange&) = delete;
  PieceExchange& operator=(const PieceExchange&) = delete;

  // first[r] to first[r + 1]: the bytes of rank r's piece. This rank's must be there, and stay until finish(); all
  // ranks begin the same exchanges in the same order.
  void start(char* array, const std::vector<std::size_t>& first);
  // The rank whose piece the `round`-th is, from 1 to the number of ranks - 1.
  int rankOf(int round) const { return (ranks_->rank() + ranks_->size() - round) % ranks_->size(); }
  // Until that piece is there.
  void wait(int round);
  // Until all messages are through.
  void finish();

private:
  static constexpr int tag = 91;
  const Communicator* ranks_;
  std::vector<std::vector<MPI_Request>> coming_;  // of each round
  std::vector<MPI_Request> going_;
};

}  // namespace mesowarp::comm
