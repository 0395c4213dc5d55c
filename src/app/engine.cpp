#include "app/engine.hpp"

#include "core/error.hpp"

namespace mesowarp {

std::unique_ptr<Engine> makeEngine(const input::Deck& deck, int particles, int bondsPerParticle, SortStyle sort) {
  switch (deck.run.precision) {
    case input::Precision::single:
      return makeSingleEngine(deck, particles, bondsPerParticle, sort);
    case input::Precision::mixed:
      return makeMixedEngine(deck, particles, bondsPerParticle, sort);
    case input::Precision::double_:
      return makeDoubleEngine(deck, particles, bondsPerParticle, sort);
  }
  throw InputError("unknown precision");
}

}  // namespace mesowarp
