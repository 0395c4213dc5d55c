#include "physics/fluid/fluid_impl.hpp"

namespace mesowarp {

UploadParticles addDoubleFluid(Engine& engine, const input::Deck& deck, int particles, int bondsPerParticle,
                               SortStyle sort, const RankPart& part) {
  return addFluidOf<DoublePrecision>(engine, deck, particles, bondsPerParticle, sort, part);
}

}  // namespace mesowarp
