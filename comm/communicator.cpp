#include "comm/communicator.hpp"

#include "core/error.hpp"

namespace mesowarp::comm {

Communicator::Communicator(MPI_Comm ranks) : ranks_(ranks) {
  MPI_Comm_rank(ranks_, &rank_);
  MPI_Comm_size(ranks_, &size_);
  MPI_Comm node = MPI_COMM_NULL;
  MPI_Comm_split_type(ranks_, MPI_COMM_TYPE_SHARED, rank_, MPI_INFO_NULL, &node);
  MPI_Comm_rank(node, &rankOnNode_);
  MPI_Comm_size(node, &ranksOnNode_);
  MPI_Comm_free(&node);
}

void Communicator::sum(double* values, int count) const {
  if (size_ > 1) MPI_Allreduce(MPI_IN_PLACE, values, count, MPI_DOUBLE, MPI_SUM, ranks_);
}
void Communicator::sum(std::int64_t* values, int count) const {
  if (size_ > 1) MPI_Allreduce(MPI_IN_PLACE, values, count, MPI_INT64_T, MPI_SUM, ranks_);
}
std::int64_t Communicator::sum(std::int64_t value) const {
  sum(&value, 1);
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

void Communicator::onRoot(const std::function<void()>& task) const {
  std::string message;  // its first character: what was thrown
  if (root()) {
    try {
      task();
    } catch (const InputError& error) {
      message = std::string("i") + error.what();
    } catch (const std::exception& error) {
      message = std::string("r") + error.what();
    }
  }
  message = fromRank(0, std::move(message));
  if (message.empty()) return;
  if (message[0] == 'i') throw InputError(message.substr(1));
  throw RunError(message.substr(1));
}

}  // namespace mesowarp::comm
