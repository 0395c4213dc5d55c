#include "comm/tag_blocks.hpp"

#include <climits>
#include <cstring>
#include <numeric>

#include "core/error.hpp"

namespace mesowarp::comm {

namespace {

int ownerOf(std::int64_t tag, std::int64_t ranks, std::int64_t total, std::int64_t unit) {
  std::int64_t rank = tag * ranks / total;
  while (firstOfBlock(rank + 1, ranks, total, unit) <= tag) ++rank;
  while (firstOfBlock(rank, ranks, total, unit) > tag) --rank;
  return static_cast<int>(rank);
}

std::vector<int> firstsOf(const std::vector<int>& counts) {
  std::vector<int> firsts(counts.size());
  std::exclusive_scan(counts.begin(), counts.end(), firsts.begin(), 0);
  return firsts;
}

}  // namespace

TagBlocks::TagBlocks(const Communicator& ranks, std::int64_t total, const std::uint32_t* tags, std::int64_t count,
                     std::int64_t unit)
    : ranks_(ranks.handle()), first_(firstOfBlock(ranks.rank(), ranks.size(), total, unit)),
      count_(firstOfBlock(ranks.rank() + 1, ranks.size(), total, unit) - first_) {
  const int size = ranks.size();
  bool wrong = ranks.sum(count) != total || (size > 1 && (count > INT_MAX || count_ > INT_MAX));
  for (std::int64_t i = 0; i < count && !wrong; ++i) wrong = tags[i] >= total;
  const char* const message = "tags of particles are not 0, 1, 2, … each once, or a rank has more than 2^31 of them";
  if (ranks.largest(wrong) != 0) throw RunError(message);

  std::vector<int> owner(static_cast<std::size_t>(count));
  std::vector<std::int64_t> sends(static_cast<std::size_t>(size) + 1, 0);
  for (std::int64_t i = 0; i < count; ++i) ++sends[(owner[i] = ownerOf(tags[i], size, total, unit)) + 1];
  if (size > 1) sendCount_.assign(sends.begin() + 1, sends.end());
  std::partial_sum(sends.begin(), sends.end(), sends.begin());
  order_.resize(static_cast<std::size_t>(count));
  for (std::int64_t i = 0; i < count; ++i) order_[sends[owner[i]]++] = i;

  std::int64_t arriving = count;
  if (size > 1) {
    receiveCount_.resize(static_cast<std::size_t>(size));
    MPI_Alltoall(sendCount_.data(), 1, MPI_INT, receiveCount_.data(), 1, MPI_INT, ranks_);
    arriving = std::accumulate(receiveCount_.begin(), receiveCount_.end(), std::int64_t{0});
  }
  if (ranks.largest(arriving != count_) != 0) throw RunError(message);
  sendFirst_ = firstsOf(sendCount_);
  receiveFirst_ = firstsOf(receiveCount_);

  std::vector<std::uint32_t> sorted(order_.size());
  for (std::size_t k = 0; k < order_.size(); ++k) sorted[k] = tags[order_[k]];
  arrived_.resize(static_cast<std::size_t>(count_));
  exchange(sorted.data(), sizeof(std::uint32_t), arrived_.data());
  std::vector<bool> seen(arrived_.size(), false);
  wrong = false;
  for (auto& tag : arrived_) {
    tag -= static_cast<std::uint32_t>(first_);
    wrong = wrong || tag >= seen.size() || seen[tag];
    if (!wrong) seen[tag] = true;
  }
  if (ranks.largest(wrong) != 0) throw RunError(message);
}

// Counts are of rows, so that they fit where bytes would not.
void TagBlocks::exchange(const void* send, std::size_t rowBytes, void* receive) const {
  if (sendCount_.empty()) {
    if (!order_.empty()) std::memcpy(receive, send, order_.size() * rowBytes);
    return;
  }
  MPI_Datatype row;
  MPI_Type_contiguous(static_cast<int>(rowBytes), MPI_BYTE, &row);
  MPI_Type_commit(&row);
  MPI_Alltoallv(send, sendCount_.data(), sendFirst_.data(), row, receive, receiveCount_.data(), receiveFirst_.data(),
                row, ranks_);
  MPI_Type_free(&row);
}

void TagBlocks::gather(const void* rows, std::size_t rowBytes, void* block) const {
  const auto* from = static_cast<const std::byte*>(rows);
  auto* to = static_cast<std::byte*>(block);
  std::vector<std::byte> sorted(order_.size() * rowBytes), received(arrived_.size() * rowBytes);
  for (std::size_t k = 0; k < order_.size(); ++k)
    std::memcpy(sorted.data() + k * rowBytes, from + static_cast<std::size_t>(order_[k]) * rowBytes, rowBytes);
  exchange(sorted.data(), rowBytes, received.data());
  for (std::size_t k = 0; k < arrived_.size(); ++k)
    std::memcpy(to + arrived_[k] * rowBytes, received.data() + k * rowBytes, rowBytes);
}

}  // namespace mesowarp::comm
