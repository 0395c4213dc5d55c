// The engine of decks of bodies: every body sees all others, there is no box and nothing to rebuild.
//
// advance(k) moves the state from step k - 1 to step k (advance(0) computes the first forces), so the state it leaves
// is that of step k, and a checkpoint of step k holds the one before it.
#pragma once

#include "step/engine.hpp"
#include "physics/nbody/body_force.hpp"

namespace mesowarp {

// bodies: of this rank: its block of the tags, of which each rank has one.
std::unique_ptr<Engine> makeBodyEngine(const input::Deck& deck, int bodies, const RankPart& part = {});

// What the deck says of forces and their sums.
nbody::ForceSettings forceSettings(const input::Deck& deck);

// Rows of partners from pairs, for `count` bodies; a pair given twice counts once.
backend::Exclusions makeExclusions(const std::vector<std::array<u32, 2>>& pairs, int count);

}  // namespace mesowarp
