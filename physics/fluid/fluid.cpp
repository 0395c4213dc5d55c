#include "physics/fluid/fluid.hpp"

#include "core/error.hpp"

namespace mesowarp {

UploadParticles addFluid(Engine& engine, const input::Deck& deck, int particles, int bondsPerParticle, SortStyle sort,
                         const RankPart& part) {
  switch (deck.run.precision) {
  case input::Precision::single:
    return addSingleFluid(engine, deck, particles, bondsPerParticle, sort, part);
  case input::Precision::mixed:
    return addMixedFluid(engine, deck, particles, bondsPerParticle, sort, part);
  case input::Precision::double_:
    return addDoubleFluid(engine, deck, particles, bondsPerParticle, sort, part);
  }
  throw InputError("unknown precision");
}

}  // namespace mesowarp
