#include "start/rank_part.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "comm/decomposition.hpp"
#include "core/error.hpp"
#include "input/grammar/diagnostic.hpp"
#include "input/method.hpp"
#include "input/species.hpp"
#include "start/host_particles.hpp"

namespace mesowarp {
namespace {

// An error with the deck's line of a key.
[[noreturn]] void refuse(const input::Deck& deck, const std::string& path, const std::string& message) {
  throw InputError(input::format({input::sourceOf(deck, path), message}, deck.file));
}

}  // namespace

RankPart rankPart(const input::Deck& deck, const comm::Communicator& ranks, i64 particles, double narrowest) {
  for (const input::MethodBlocks* method : input::methodsOf(deck))
    narrowest = std::max(narrowest, method->narrowestPart(deck));
  const Box box = boxOf(deck);
  const Shear shear = shearOf(deck);
  const double ghosts = input::largestCutoff(deck) + deck.neighbor.skin, reach = std::max(ghosts, narrowest);
  const std::string reachIs = reach > ghosts ? "what neighbours share" : "cutoff + skin";
  std::array<int, 3> parts{};
  const bool given = deck.parallel.given();
  if (given)
    for (std::size_t axis = 0; axis < 3; ++axis) parts[axis] = static_cast<int>(deck.parallel.ranks[axis]);
  try {
    if (given)
      comm::checkDecomposition(parts, ranks.size(), box, reach, shear, reachIs);
    else
      parts = comm::decompose(ranks.size(), box, reach, shear, reachIs);
  } catch (const InputError& error) {
    refuse(deck, given ? "parallel.ranks" : "box.size", error.what());
  }
  const auto places = comm::placeRanks(parts, box.size, ranks.nodes());
  RankPart part{
      &ranks,
      {parts, places[static_cast<std::size_t>(ranks.rank())], box.periodic, {}, shear.on ? shear.gradient : -1},
      deck.parallel.transport,
      particles};
  part.domain.rankOfPart.resize(places.size());
  for (std::size_t rank = 0; rank < places.size(); ++rank)
    part.domain.rankOfPart[static_cast<std::size_t>(part.domain.number(places[rank]))] = static_cast<int>(rank);
  return part;
}

}  // namespace mesowarp
