// Bodies that all see each other, as a method.
#pragma once

#include "comm/rank_part.hpp"
#include "physics/method.hpp"
#include "physics/nbody/start/host_bodies.hpp"

namespace mesowarp::nbody {

const Method& bodyMethod();

// Bodies are shared out by their tags. Throws InputError: there are fewer bodies than ranks.
RankPart bodyPart(const input::Deck& deck, const comm::Communicator& ranks, i64 bodies);
// Drops what is not of this rank's part.
void keepPart(HostBodies& bodies, const RankPart& part);

// An engine with bodies alone, at their initial state.
std::unique_ptr<Engine> startEngine(const input::Deck& deck, const HostBodies& bodies, const RankPart& part = {});

}  // namespace mesowarp::nbody
