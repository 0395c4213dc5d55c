// The ranks of a run. All functions are collective: every rank calls them in the same order.
#pragma once

#include <mpi.h>

#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <type_traits>
#include <vector>

namespace mesowarp::comm {

class Communicator {
 public:
  explicit Communicator(MPI_Comm ranks = MPI_COMM_WORLD);
  ~Communicator();
  Communicator(const Communicator&) = delete;
  Communicator& operator=(const Communicator&) = delete;

  int rank() const { return rank_; }
  int size() const { return size_; }
  bool root() const { return rank_ == 0; }
  int rankOnNode() const { return rankOnNode_; }
  int ranksOnNode() const { return ranksOnNode_; }
  const std::vector<int>& nodes() const { return nodes_; }  // of each rank: a number for its node
  MPI_Comm handle() const { return ranks_; }

  void sum(double* values, int count) const;
  void sum(std::int64_t* values, int count) const;
  void largest(double* values, int count) const;
  std::int64_t sum(std::int64_t value) const;
  std::int64_t largest(std::int64_t value) const;
  std::uint64_t smallest(std::uint64_t value) const;
  std::vector<std::int64_t> all(std::int64_t value) const;  // of each rank
  std::string fromRank(int rank, std::string text) const;
  void barrier() const;

  // Sends parts[r] to rank r; returns what came, in the order of ranks. T is copied byte by byte.
  template <class T>
  std::vector<T> toEach(const std::vector<std::vector<T>>& parts) const;
  // On the root: take(values) for each rank's values, in the order of ranks.
  template <class T, class Take>
  void inTurn(const std::vector<T>& values, const Take& take) const;

  // After an error, by each rank that has one: whether all ranks come here within a few seconds. If not, some of them wait for
  // this one elsewhere, and only abort() ends them.
  bool allHaveFailed() const;
  [[noreturn]] void abort(int exitCode) const;

  // Runs on every rank. What it throws on one of them is thrown everywhere, as RunError.
  void together(const std::function<void()>& task) const;

  // Runs on the root alone. What it throws there (InputError, RunError, anything else as RunError) is thrown everywhere.
  void onRoot(const std::function<void()>& task) const;

 private:
  static constexpr int turnTag = 77;
  // Bytes to and from each rank, in pieces that MPI can count.
  std::vector<char> exchangeBytes(const std::vector<const char*>& parts, const std::vector<std::size_t>& bytes) const;
  void sendBytes(const char* data, std::size_t bytes, int to) const;
  std::vector<char> receiveBytes(int from) const;
  MPI_Comm ranks_, forErrors_;
  std::vector<int> nodes_;
  int rank_ = 0, size_ = 1, rankOnNode_ = 0, ranksOnNode_ = 1;
};

template <class T>
std::vector<T> Communicator::toEach(const std::vector<std::vector<T>>& parts) const {
  static_assert(std::is_trivially_copyable_v<T>);
  std::vector<const char*> from;
  std::vector<std::size_t> bytes;
  for (const auto& part : parts) from.push_back(reinterpret_cast<const char*>(part.data())), bytes.push_back(part.size() * sizeof(T));
  const std::vector<char> came = exchangeBytes(from, bytes);
  std::vector<T> values(came.size() / sizeof(T));
  if (!values.empty()) std::memcpy(static_cast<void*>(values.data()), came.data(), came.size());
  return values;
}

template <class T, class Take>
void Communicator::inTurn(const std::vector<T>& values, const Take& take) const {
  static_assert(std::is_trivially_copyable_v<T>);
  if (!root()) return sendBytes(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T), 0);
  take(values);
  for (int rank = 1; rank < size_; ++rank) {
    const std::vector<char> came = receiveBytes(rank);
    std::vector<T> others(came.size() / sizeof(T));
    if (!others.empty()) std::memcpy(static_cast<void*>(others.data()), came.data(), came.size());
    take(others);
  }
}

}  // namespace mesowarp::comm
