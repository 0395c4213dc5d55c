// The ranks of a run. All functions are collective: every rank calls them in the same order.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace mesowarp::comm {

class Communicator {
 public:
  explicit Communicator(MPI_Comm ranks = MPI_COMM_WORLD);

  int rank() const { return rank_; }
  int size() const { return size_; }
  bool root() const { return rank_ == 0; }
  int rankOnNode() const { return rankOnNode_; }
  int ranksOnNode() const { return ranksOnNode_; }
  MPI_Comm handle() const { return ranks_; }

  void sum(double* values, int count) const;
  void sum(std::int64_t* values, int count) const;
  std::int64_t sum(std::int64_t value) const;
  std::int64_t largest(std::int64_t value) const;
  std::uint64_t smallest(std::uint64_t value) const;
  std::vector<std::int64_t> all(std::int64_t value) const;  // of each rank
  std::string fromRank(int rank, std::string text) const;
  void barrier() const;

  // Runs on the root alone. What it throws there (InputError, RunError, anything else as RunError) is thrown everywhere.
  void onRoot(const std::function<void()>& task) const;

 private:
  MPI_Comm ranks_;
  int rank_ = 0, size_ = 1, rankOnNode_ = 0, ranksOnNode_ = 1;
};

}  // namespace mesowarp::comm
