#pragma once

#include <memory>

#include "comm/communicator.hpp"
#include "core/domain.hpp"
#include "core/transport_style.hpp"
#include "core/types.hpp"

namespace mesowarp {

// What a rank takes of the system, where there are several.
struct RankPart {
  const comm::Communicator* ranks = nullptr;  // null: one rank
  Domain domain;
  TransportStyle transport = TransportStyle::automatic;
  i64 allParticles = 0;
  std::shared_ptr<const comm::Communicator> own{};  // keeps `ranks`, where it is nobody else's
};

}  // namespace mesowarp
