#include "physics/methods.hpp"

#include "input/species.hpp"
#include "physics/fluid/fluid.hpp"
#include "physics/nbody/body_phase.hpp"

namespace mesowarp {

NewEngine makeEngine(const input::Deck& deck, int particles, int bondsPerParticle, SortStyle sort,
                     const RankPart& part) {
  NewEngine made{std::make_unique<Engine>(part.ranks), {}};
  if (input::methodOf(deck) == input::Method::bodies) {
    BodyPopulation& bodies = addBodies(*made.engine, deck, particles, part);
    made.upload = [&bodies](const HostParticles& state) { bodies.upload(state); };
  } else {
    made.upload = addFluid(*made.engine, deck, particles, bondsPerParticle, sort, part);
  }
  return made;
}

std::unique_ptr<Engine> startEngine(const input::Deck& deck, const HostParticles& particles, SortStyle sort,
                                    const RankPart& part) {
  NewEngine made = makeEngine(deck, particles.count(), particles.mostBondsOfAParticle(), sort, part);
  made.upload(particles);
  return std::move(made.engine);
}

}  // namespace mesowarp
