// The ranks of a run. All functions are collective: every rank calls them in the same order.
#pragma once

#include <cstdint>
#include <cstring>
#include <functional>
#include <mpi.h>
#include <numeric>
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
  std::uint64_t sumModulo(std::uint64_t value) const;  // modulo 2^64
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
  // Numbers of a rank's, on all of them.
  void fromRank(int rank, double* values, int count) const;
  // A few numbers from one rank to another; only these two take part.
  void send(const double* values, int count, int to) const;
  void receive(double* values, int count, int from) const;

  // After an error, by each rank that has one: whether all ranks come here within a few seconds. If not, some of them
  // wait for this one elsewhere, and only abort() ends them.
  bool allHaveFailed() const;
  [[noreturn]] void abort(int exitCode) const;

  // Every rank runs a task of its own. If one throws, all throw the same, what the lowest of those that threw did:
  // InputError, RunError, anything else as RunError that names the rank. Nothing collective may follow in the task on
  // what can fail on one rank alone; such steps are tasks of their own.
  void onAll(const std::function<void()>& task) const;

  // The root alone runs it; what it throws there is thrown everywhere, likewise.
  void onRoot(const std::function<void()>& task) const;

private:
  static constexpr int turnTag = 77, exchangeTag = 78, numbersTag = 79;
  void sendBytes(const char* data, std::size_t bytes, int to) const;
  std::vector<char> receiveBytes(int from) const;
  // To and from each rank, in pieces that MPI can count: how many bytes come for those that go, and the bytes.
  std::vector<std::size_t> exchangeSizes(const std::vector<std::size_t>& bytes) const;
  void exchangeBytes(const std::vector<const char*>& parts, const std::vector<std::size_t>& bytes, char* came,
                     const std::vector<std::size_t>& coming) const;
  MPI_Comm ranks_, forErrors_;
  std::vector<int> nodes_;
  int rank_ = 0, size_ = 1, rankOnNode_ = 0, ranksOnNode_ = 1;
};

template <class T>
std::vector<T> Communicator::toEach(const std::vector<std::vector<T>>& parts) const {
  static_assert(std::is_trivially_copyable_v<T>);
  std::vector<const char*> from;
  std::vector<std::size_t> bytes;
  for (const auto& part : parts)
    from.push_back(reinterpret_cast<const char*>(part.data())), bytes.push_back(part.size() * sizeof(T));
  const std::vector<std::size_t> coming = exchangeSizes(bytes);
  std::vector<T> values(std::accumulate(coming.begin(), coming.end(), std::size_t{0}) / sizeof(T));
  exchangeBytes(from, bytes, reinterpret_cast<char*>(values.data()), coming);
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
