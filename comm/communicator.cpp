#include "comm/communicator.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <thread>

#include "core/error.hpp"

namespace mesowarp::comm {

Communicator::Communicator(MPI_Comm ranks) : ranks_(ranks) {
  MPI_Comm_rank(ranks_, &rank_);
  MPI_Comm_size(ranks_, &size_);
  MPI_Comm node = MPI_COMM_NULL;
  MPI_Comm_split_type(ranks_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &node);
  MPI_Comm_rank(node, &rankOnNode_);
  MPI_Comm_size(node, &ranksOnNode_);
  int leader = rank_;
  MPI_Bcast(&leader, 1, MPI_INT, 0, node);
  MPI_Comm_free(&node);
  for (const auto number : all(leader)) nodes_.push_back(static_cast<int>(number));
  MPI_Comm_dup(ranks_, &forErrors_);
}

Communicator::~Communicator() { MPI_Comm_free(&forErrors_); }

bool Communicator::allHaveFailed() const {
  constexpr auto patience = std::chrono::seconds(5);
  MPI_Request arrived;
  MPI_Ibarrier(forErrors_, &arrived);
  const auto start = std::chrono::steady_clock::now();
  for (int done = 0; std::chrono::steady_clock::now() - start < patience;) {
    MPI_Test(&arrived, &done, MPI_STATUS_IGNORE);
    if (done) return true;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  return false;
}

void Communicator::abort(int exitCode) const {
  MPI_Abort(ranks_, exitCode);
  std::abort();
}

void Communicator::sum(double* values, int count) const {
  if (size_ > 1) MPI_Allreduce(MPI_IN_PLACE, values, count, MPI_DOUBLE, MPI_SUM, ranks_);
}
void Communicator::sum(std::int64_t* values, int count) const {
  if (size_ > 1) MPI_Allreduce(MPI_IN_PLACE, values, count, MPI_INT64_T, MPI_SUM, ranks_);
}
void Communicator::largest(double* values, int count) const {
  if (size_ > 1) MPI_Allreduce(MPI_IN_PLACE, values, count, MPI_DOUBLE, MPI_MAX, ranks_);
}
std::int64_t Communicator::sum(std::int64_t value) const {
  sum(&value, 1);
  return value;
}
std::uint64_t Communicator::sumModulo(std::uint64_t value) const {
  if (size_ > 1) MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_UINT64_T, MPI_SUM, ranks_);
  return value;
}
std::int64_t Communicator::largest(std::int64_t value) const {
  if (size_ > 1) MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT64_T, MPI_MAX, ranks_);
  return value;
}
std::uint64_t Communicator::smallest(std::uint64_t value) const {
  if (size_ > 1) MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_UINT64_T, MPI_MIN, ranks_);
  return value;
}
std::vector<std::int64_t> Communicator::all(std::int64_t value) const {
  std::vector<std::int64_t> values(static_cast<std::size_t>(size_), value);
  if (size_ > 1) MPI_Allgather(&value, 1, MPI_INT64_T, values.data(), 1, MPI_INT64_T, ranks_);
  return values;
}

std::string Communicator::fromRank(int rank, std::string text) const {
  if (size_ == 1) return text;
  int length = static_cast<int>(text.size());
  MPI_Bcast(&length, 1, MPI_INT, rank, ranks_);
  text.resize(static_cast<std::size_t>(length));
  MPI_Bcast(text.data(), length, MPI_CHAR, rank, ranks_);
  return text;
}

void Communicator::barrier() const {
  if (size_ > 1) MPI_Barrier(ranks_);
}

void Communicator::fromRank(int rank, double* values, int count) const {
  if (size_ > 1) MPI_Bcast(values, count, MPI_DOUBLE, rank, ranks_);
}
void Communicator::send(const double* values, int count, int to) const {
  MPI_Send(values, count, MPI_DOUBLE, to, numbersTag, ranks_);
}
void Communicator::receive(double* values, int count, int from) const {
  MPI_Recv(values, count, MPI_DOUBLE, from, numbersTag, ranks_, MPI_STATUS_IGNORE);
}

namespace {

// What a task throws, as words: the first character is its kind.
std::string messageOf(const std::function<void()>& task, const std::string& origin) {
  try {
    task();
  } catch (const InputError& error) {
    return std::string("i") + error.what();
  } catch (const RunError& error) {
    return std::string("r") + error.what();
  } catch (const std::exception& error) {
    return "r" + origin + error.what();
  }
  return {};
}

void throwAs(const std::string& message) {
  if (message.empty()) return;
  if (message[0] == 'i') throw InputError(message.substr(1));
  throw RunError(message.substr(1));
}

}  // namespace

void Communicator::onAll(const std::function<void()>& task) const {
  const std::string message = messageOf(task, "rank " + std::to_string(rank_) + ": ");
  const auto none = static_cast<std::uint64_t>(size_);
  const std::uint64_t failed = smallest(message.empty() ? none : static_cast<std::uint64_t>(rank_));
  if (failed != none) throwAs(fromRank(static_cast<int>(failed), message));
}

void Communicator::onRoot(const std::function<void()>& task) const {
  throwAs(fromRank(0, root() ? messageOf(task, "") : std::string()));
}

namespace {
constexpr std::size_t mostBytes = std::size_t{1} << 30;  // of a message
}

// The length first.
void Communicator::sendBytes(const char* data, std::size_t bytes, int to) const {
  std::uint64_t length = bytes;
  MPI_Send(&length, 1, MPI_UINT64_T, to, turnTag, ranks_);
  for (std::size_t at = 0; at < bytes; at += mostBytes)
    MPI_Send(data + at, static_cast<int>(std::min(mostBytes, bytes - at)), MPI_BYTE, to, turnTag, ranks_);
}

std::vector<char> Communicator::receiveBytes(int from) const {
  std::uint64_t length = 0;
  MPI_Recv(&length, 1, MPI_UINT64_T, from, turnTag, ranks_, MPI_STATUS_IGNORE);
  std::vector<char> bytes(length);
  for (std::size_t at = 0; at < length; at += mostBytes)
    MPI_Recv(bytes.data() + at, static_cast<int>(std::min<std::size_t>(mostBytes, length - at)), MPI_BYTE, from,
             turnTag, ranks_, MPI_STATUS_IGNORE);
  return bytes;
}

std::vector<std::size_t> Communicator::exchangeSizes(const std::vector<std::size_t>& bytes) const {
  std::vector<std::uint64_t> sent(bytes.begin(), bytes.end()), coming(bytes.size());
  MPI_Alltoall(sent.data(), 1, MPI_UINT64_T, coming.data(), 1, MPI_UINT64_T, ranks_);
  return {coming.begin(), coming.end()};
}

void Communicator::exchangeBytes(const std::vector<const char*>& parts, const std::vector<std::size_t>& bytes,
                                 char* came, const std::vector<std::size_t>& coming) const {
  std::vector<MPI_Request> open;
  const auto pieces = [&](std::size_t length, const auto& start) {
    for (std::size_t at = 0; at < length; at += mostBytes) {
      open.emplace_back();
      start(at, static_cast<int>(std::min(mostBytes, length - at)));
    }
  };
  std::size_t to = 0;
  for (std::size_t r = 0; r < bytes.size(); ++r) {
    pieces(coming[r], [&](std::size_t at, int n) {
      MPI_Irecv(came + to + at, n, MPI_BYTE, static_cast<int>(r), exchangeTag, ranks_, &open.back());
    });
    to += coming[r];
  }
  for (std::size_t r = 0; r < bytes.size(); ++r)
    pieces(bytes[r], [&](std::size_t at, int n) {
      MPI_Isend(parts[r] + at, n, MPI_BYTE, static_cast<int>(r), exchangeTag, ranks_, &open.back());
    });
  MPI_Waitall(static_cast<int>(open.size()), open.data(), MPI_STATUSES_IGNORE);
}

}  // namespace mesowarp::comm
