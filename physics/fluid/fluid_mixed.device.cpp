#include "physics/fluid/fluid_impl.hpp"

namespace mesowarp {

UploadParticles addMixedFluid(Engine& engine, const input::Deck& deck, int particles, const TermSlots& slots,
                              SortStyle sort, const RankPart& part) {
  return addFluidOf<MixedPrecision>(engine, deck, particles, slots, sort, part);
}

}  // namespace mesowarp
