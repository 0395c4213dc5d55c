#include "io/ranks.hpp"

#include <algorithm>

namespace mesowarp::io {

void onAll(Ranks ranks, const std::function<void()>& task) {
  if (!several(ranks)) return task();
  ranks->onAll(task);
}

void onRoot(Ranks ranks, const std::function<void()>& task) {
  if (!several(ranks)) return task();
  ranks->onRoot(task);
}

std::int64_t fromRoot(Ranks ranks, std::int64_t value) {
  if (several(ranks)) MPI_Bcast(&value, 1, MPI_INT64_T, 0, ranks->handle());
  return value;
}

void broadcast(Ranks ranks, void* data, std::size_t bytes) {
  constexpr std::size_t most = std::size_t{1} << 30;  // MPI counts in ints
  auto* at = static_cast<char*>(data);
  for (; several(ranks) && bytes > 0; at += std::min(bytes, most), bytes -= std::min(bytes, most))
    MPI_Bcast(at, static_cast<int>(std::min(bytes, most)), MPI_BYTE, 0, ranks->handle());
}

RowShare shareOf(Ranks ranks, std::int64_t rows) {
  if (!several(ranks)) return {0, rows};
  RowShare share;
  const auto all = ranks->all(rows);
  for (int rank = 0; rank < ranks->size(); ++rank) {
    if (rank < ranks->rank()) share.first += all[rank];
    share.total += all[rank];
  }
  return share;
}

}  // namespace mesowarp::io
