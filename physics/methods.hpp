// The one place that names the methods.
#pragma once

#include <functional>
#include <memory>

#include "comm/rank_part.hpp"
#include "device/config.hpp"
#include "input/deck.hpp"
#include "start/host_particles.hpp"
#include "step/engine.hpp"

namespace mesowarp {

struct NewEngine {
  std::unique_ptr<Engine> engine;
  std::function<void(const HostParticles&)> upload;  // gives it its initial state
};

// particles: of this rank. sort: all styles give the same bits, in different time. Throws InputError.
NewEngine makeEngine(const input::Deck& deck, int particles, int bondsPerParticle,
                     SortStyle sort = backend::defaultSort, const RankPart& part = {});

// With its initial state.
std::unique_ptr<Engine> startEngine(const input::Deck& deck, const HostParticles& particles,
                                    SortStyle sort = backend::defaultSort, const RankPart& part = {});

}  // namespace mesowarp
