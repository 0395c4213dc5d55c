// Particles in a box with pair forces and bonds: their population and phases.
#pragma once

#include <functional>

#include "comm/rank_part.hpp"
#include "device/config.hpp"
#include "input/deck.hpp"
#include "start/host_particles.hpp"
#include "step/engine.hpp"

namespace mesowarp {

// Gives a population of so many particles of this rank their initial state.
using UploadParticles = std::function<void(const HostParticles&)>;

// Adds the population and its phases. sort: all styles give the same bits, in different time. Throws InputError.
UploadParticles addFluid(Engine& engine, const input::Deck& deck, int particles, int bondsPerParticle,
                         SortStyle sort = backend::defaultSort, const RankPart& part = {});

// Defined in fluid_*.device.cpp.
UploadParticles addSingleFluid(Engine& engine, const input::Deck& deck, int particles, int bondsPerParticle,
                               SortStyle sort, const RankPart& part);
UploadParticles addMixedFluid(Engine& engine, const input::Deck& deck, int particles, int bondsPerParticle,
                              SortStyle sort, const RankPart& part);
UploadParticles addDoubleFluid(Engine& engine, const input::Deck& deck, int particles, int bondsPerParticle,
                               SortStyle sort, const RankPart& part);

}  // namespace mesowarp
