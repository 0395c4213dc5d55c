// What one process does alone, several do together. A file is one process's (nullptr) or all ranks' of a communicator.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>

#include "comm/communicator.hpp"

namespace mesowarp::io {

using Ranks = const comm::Communicator*;

// nullptr for a communicator of one rank: one process needs neither MPI-IO nor agreement.
inline Ranks several(Ranks ranks) { return ranks != nullptr && ranks->size() > 1 ? ranks : nullptr; }

// Every rank runs a task of its own; if one throws, all throw the same (Communicator::onAll).
void onAll(Ranks ranks, const std::function<void()>& task);

// The root runs it; what it throws, all throw.
void onRoot(Ranks ranks, const std::function<void()>& task);

// The root's value, on all ranks.
std::int64_t fromRoot(Ranks ranks, std::int64_t value);
inline std::uint64_t fromRoot(Ranks ranks, std::uint64_t value) {
  return static_cast<std::uint64_t>(fromRoot(ranks, static_cast<std::int64_t>(value)));
}

// The root's bytes, on all ranks.
void broadcast(Ranks ranks, void* data, std::size_t bytes);

// Where this rank's rows begin if they lie behind those of lower ranks, and how many all have.
struct RowShare {
  std::int64_t first = 0, total = 0;
};
RowShare shareOf(Ranks ranks, std::int64_t rows);

}  // namespace mesowarp::io
