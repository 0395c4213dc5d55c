// The largest of all ranks' numbers, asked for long before it is needed.
#pragma once

#include <cstdint>
#include <memory>

#include "comm/communicator.hpp"
#include "comm/pending.hpp"

namespace mesowarp::comm {

// ask() and answer() are collective. Each ask() has its answer() before the next, or none.
class LateAnswer {
public:
  LateAnswer() = default;
  ~LateAnswer() {
    if (!pending_.givesUp()) value_.release();
  }
  void ask(const Communicator& ranks, std::int64_t value) {
    pending_.finish();
    *value_ = value;
    if (ranks.size() > 1)
      MPI_Iallreduce(MPI_IN_PLACE, value_.get(), 1, MPI_INT64_T, MPI_MAX, ranks.handle(), pending_.begin());
  }
  std::int64_t answer() {
    pending_.finish();
    return *value_;
  }

private:
  Pending pending_;
  std::unique_ptr<std::int64_t> value_ = std::make_unique<std::int64_t>(0);
};

}  // namespace mesowarp::comm
