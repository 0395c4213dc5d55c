#include "physics/fluid/fluid_impl.hpp"

namespace mesowarp {

UploadParticles addDoubleFluid(Engine& engine, const input::Deck& deck, int particles, const TermSlots& slots,
                               SortStyle sort, const RankPart& part) {
  return addFluidOf<DoublePrecision>(engine, deck, particles, slots, sort, part);
}

}  // namespace mesowarp
