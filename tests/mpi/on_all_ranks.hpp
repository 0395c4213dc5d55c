// All ranks of a test, and an engine on them. There must be two: on one the program takes the engine without ranks, and
// a test would compare that with itself (CMakeLists.txt starts no such suite on one rank).
#pragma once

#include <cstring>

#include "core/error.hpp"
#include "start/rank_part.hpp"
#include "tests/unit/support/test_systems.hpp"

namespace mesowarp::test {

inline const comm::Communicator& world() {
  static const auto* const ranks = new comm::Communicator;  // for as long as MPI runs, and main() ends that
  return *ranks;
}

// As an engine takes them; nothing: there is one.
inline const comm::Communicator* several() { return world().size() > 1 ? &world() : nullptr; }

// What tests compare of two engines.
struct Outcome {
  std::string bits;
  std::vector<double> numbers;
};

// What an engine on one rank leads to: the root finds out, and tells all. If each did for itself, all would take as
// many times as long on fewer cores than ranks.
template <class Task>
Outcome byTheRoot(const Task& task) {
  Outcome found;
  world().onRoot([&] { found = task(); });
  const auto* bytes = reinterpret_cast<const char*>(found.numbers.data());
  const std::string numbers = world().fromRank(0, std::string(bytes, found.numbers.size() * sizeof(double)));
  found.numbers.resize(numbers.size() / sizeof(double));
  std::memcpy(found.numbers.data(), numbers.data(), numbers.size());
  found.bits = world().fromRank(0, std::move(found.bits));
  return found;
}
template <class Task>
std::string bitsByTheRoot(const Task& task) {
  return byTheRoot([&] { return Outcome{task(), {}}; }).bits;
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
