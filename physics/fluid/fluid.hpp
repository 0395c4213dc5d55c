// Particles in a box with pair forces and bonds: their population and phases.
#pragma once

#include <functional>
#include <memory>

#include "comm/rank_part.hpp"
#include "device/config.hpp"
#include "input/deck.hpp"
#include "start/host_particles.hpp"
#include "step/engine.hpp"

namespace mesowarp {

// Gives a population of so many particles of this rank their initial state.
using UploadParticles = std::function<void(const HostParticles&)>;

// Adds the population and its phases. sort: all styles give the same bits, in different time. Throws InputError.
UploadParticles addFluid(Engine& engine, const input::Deck& deck, int particles, const TermSlots& slots,
                         SortStyle sort = backend::defaultSort, const RankPart& part = {});

// Defined in fluid_*.device.cpp.
UploadParticles addSingleFluid(Engine& engine, const input::Deck& deck, int particles, const TermSlots& slots,
                               SortStyle sort, const RankPart& part);
UploadParticles addMixedFluid(Engine& engine, const input::Deck& deck, int particles, const TermSlots& slots,
                              SortStyle sort, const RankPart& part);
UploadParticles addDoubleFluid(Engine& engine, const input::Deck& deck, int particles, const TermSlots& slots,
                               SortStyle sort, const RankPart& part);

// An engine with these populations alone.
struct NewEngine {
  std::unique_ptr<Engine> engine;
  UploadParticles upload;
};
NewEngine makeEngine(const input::Deck& deck, int particles, const TermSlots& slots,
                     SortStyle sort = backend::defaultSort, const RankPart& part = {});
// With its initial state.
std::unique_ptr<Engine> startEngine(const input::Deck& deck, const HostParticles& particles,
                                    SortStyle sort = backend::defaultSort, const RankPart& part = {});
// What the deck's fluids and polymers start from.
HostParticles makeInitialState(const input::Deck& deck);

}  // namespace mesowarp
