#include "physics/fluid/fluid_impl.hpp"

namespace mesowarp {

UploadParticles addMixedFluid(Engine& engine, const input::Deck& deck, int particles, int bondsPerParticle,
                              SortStyle sort, const RankPart& part) {
  return addFluidOf<MixedPrecision>(engine, deck, particles, bondsPerParticle, sort, part);
}

}  // namespace mesowarp
