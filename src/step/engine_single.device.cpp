#include "step/engine_impl.hpp"

namespace mesowarp {

template class EngineOf<SinglePrecision>;

std::unique_ptr<Engine> makeSingleEngine(const input::Deck& deck, int particles, int bondsPerParticle, SortStyle sort,
                                         const RankPart& part) {
  return std::make_unique<EngineOf<SinglePrecision>>(deck, particles, bondsPerParticle, sort, part);
}

}  // namespace mesowarp
