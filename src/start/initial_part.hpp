// The initial state of one rank of several, without the others' particles: of fluids on a lattice or at random. Each
// rank makes a share of the tags, a piece at a time, and sends the particles to the ranks whose domains they are in.
// The sums of momentum and kinetic energy (host_particles.hpp) go from rank to rank with the pieces, so the bits are
// those of one rank. What has bonds or comes from a file every rank makes as a whole, and keeps its own
// (HostParticles::keep).
#pragma once

#include "comm/rank_part.hpp"
#include "input/deck.hpp"
#include "start/host_particles.hpp"

namespace mesowarp {

// Whether the state is one that ranks can make in pieces: fluids that start on a lattice or at random.
bool madeInPieces(const input::Deck& deck);
// Particles of such a deck.
i64 particlesOf(const input::Deck& deck);

// Collective. What makeInitialState() and keep() give, bit for bit. Windows of tags are taken one after the other: each
// rank makes its share of a window (0: so many that a window has 2^18, but no fewer than 4,096), with numbers keyed by
// tags, and sends the particles to the ranks whose domains they are in. So no rank holds more than its own particles
// and, where all of a window is in its domain, that. The sums for the velocities go from rank to rank, so that they are
// added in the same order.
HostParticles makeInitialPart(const input::Deck& deck, const RankPart& part, i64 share = 0);

}  // namespace mesowarp
