#include "app/rank_part.hpp"

#include "app/host_particles.hpp"
#include "comm/decomposition.hpp"
#include "core/error.hpp"
#include "input/physics_check.hpp"
#include "input/species.hpp"

namespace mesowarp {

RankPart rankPart(const input::Deck& deck, const comm::Communicator& ranks, i64 particles) {
  if (input::methodOf(deck) == input::Method::bodies)
    throw InputError("bodies run on one rank: every one sees all others, and they are not shared out yet; leave out mpirun, or use -n 1");
  const Box box = boxOf(deck);
  const double reach = input::largestCutoff(deck) + deck.neighbor.skin;
  std::array<int, 3> parts{};
  if (deck.parallel.given()) {
    for (std::size_t axis = 0; axis < 3; ++axis) parts[axis] = static_cast<int>(deck.parallel.ranks[axis]);
    comm::checkDecomposition(parts, ranks.size(), box, reach);
  } else {
    parts = comm::decompose(ranks.size(), box, reach);
  }
  const auto places = comm::placeRanks(parts, box.size, ranks.nodes());
  RankPart part{&ranks, {parts, places[static_cast<std::size_t>(ranks.rank())], box.periodic, {}},
                deck.parallel.transport, particles};
  part.domain.rankOfPart.resize(places.size());
  for (std::size_t rank = 0; rank < places.size(); ++rank)
    part.domain.rankOfPart[static_cast<std::size_t>(part.domain.number(places[rank]))] = static_cast<int>(rank);
  return part;
}

}  // namespace mesowarp
