#include "step/engine.hpp"

#include "physics/nbody/body_engine.hpp"
#include "core/error.hpp"
#include "input/species.hpp"

namespace mesowarp {

std::unique_ptr<Engine> makeEngine(const input::Deck& deck, int particles, int bondsPerParticle, SortStyle sort,
                                   const RankPart& part) {
  if (input::methodOf(deck) == input::Method::bodies) return makeBodyEngine(deck, particles, part);
  switch (deck.run.precision) {
  case input::Precision::single:
    return makeSingleEngine(deck, particles, bondsPerParticle, sort, part);
  case input::Precision::mixed:
    return makeMixedEngine(deck, particles, bondsPerParticle, sort, part);
  case input::Precision::double_:
    return makeDoubleEngine(deck, particles, bondsPerParticle, sort, part);
  }
  throw InputError("unknown precision");
}

}  // namespace mesowarp
