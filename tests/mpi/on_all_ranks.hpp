// All ranks of a test, and an engine on them: also where there is one, which is then a rank as any other (the program itself takes the
// engine without ranks there), so that no test compares one engine with itself.
#pragma once

#include "../unit/test_systems.hpp"
#include "app/rank_part.hpp"

namespace mesowarp::test {

inline const comm::Communicator& world() {
  static const auto* const ranks = new comm::Communicator;  // for as long as MPI runs, and main() ends that
  return *ranks;
}

inline std::unique_ptr<Engine> onAllRanks(const System& system) {
  HostParticles mine = system.particles;
  const int all = mine.count(), bonds = mine.mostBondsOfAParticle();
  const RankPart part = rankPart(system.deck, world(), all);
  mine.keep(part.domain);
  auto engine = makeEngine(system.deck, mine.count(), bonds, backend::defaultSort, part);
  engine->initialize(mine);
  return engine;
}

}  // namespace mesowarp::test
