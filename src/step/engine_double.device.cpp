#include "step/engine_impl.hpp"

namespace mesowarp {

template class EngineOf<DoublePrecision>;

std::unique_ptr<Engine> makeDoubleEngine(const input::Deck& deck, int particles, int bondsPerParticle, SortStyle sort,
                                         const RankPart& part) {
  return std::make_unique<EngineOf<DoublePrecision>>(deck, particles, bondsPerParticle, sort, part);
}

}  // namespace mesowarp
