// All ranks of a test, and an engine on them. There must be two: on one the program takes the engine without ranks, and
// a test would compare that with itself (CMakeLists.txt starts no such suite on one rank).
#pragma once

#include "core/error.hpp"
#include "start/rank_part.hpp"
#include "tests/unit/support/test_systems.hpp"

namespace mesowarp::test {

inline const comm::Communicator& world() {
  static const auto* const ranks = new comm::Communicator;  // for as long as MPI runs, and main() ends that
  return *ranks;
}

inline std::unique_ptr<Engine> onAllRanks(const System& system) {
  HostParticles mine = system.particles;
  const int all = mine.count(), bonds = mine.mostBondsOfAParticle();
  if (world().size() == 1) throw RunError("one rank would be compared with itself: start this test on two or more");
  const RankPart part = rankPart(system.deck, world(), all);
  mine.keep(part.domain);
  auto made = makeEngine(system.deck, mine.count(), bonds, backend::defaultSort, part);
  made.upload(mine);
  return std::move(made.engine);
}

}  // namespace mesowarp::test
