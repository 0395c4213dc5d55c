#include "step/engine_impl.hpp"

namespace mesowarp {

template class EngineOf<MixedPrecision>;

std::unique_ptr<Engine> makeMixedEngine(const input::Deck& deck, int particles, int bondsPerParticle, SortStyle sort,
                                        const RankPart& part) {
  return std::make_unique<EngineOf<MixedPrecision>>(deck, particles, bondsPerParticle, sort, part);
}

}  // namespace mesowarp
