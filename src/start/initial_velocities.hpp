// Velocities of an initial state.
#pragma once

#include <vector>

#include "start/host_particles.hpp"

namespace mesowarp {

// The particles of one population: tags first ... last - 1. fresh: their velocities are to be drawn; else they come
// from a file and stay as they are.
struct PopulationRun {
  const input::Population* population;
  i64 first, last;
  bool fresh;
};

// Maxwell velocities; net momentum removed and, where all share one temperature, scaled to it exactly; then the
// velocity of the population as a whole and, in a sheared box, that of the flow where a particle is. The runs follow
// each other and cover all particles.
//
// The particles come as a whole or, several times over, in pieces: draw() and addMomentum() for all; draw() and
// addKinetic() for all, if scales(); draw() and adjust() for all. `first` is the tag of a piece's first particle. Both
// sums go from the first particle to the last: in another order they would round differently, and the same deck would
// no longer give the same bits. At a few nanoseconds a particle that is a small part of all there is to do.
class InitialVelocities {
public:
  InitialVelocities(const input::Deck& deck, std::vector<PopulationRun> runs);

  void draw(HostParticles& piece, i64 first) const;
  void addMomentum(const HostParticles& piece, i64 first);
  bool scales() const { return freshCount_ > 1 && commonTemperature_ >= 0.0; }
  void addKinetic(const HostParticles& piece, i64 first);
  void adjust(HostParticles& piece, i64 first) const;  // reads positions in a sheared box

  // What has been added so far: momentum, mass, sum of m v^2 relative to the mean; how many they are of.
  using Sums = std::array<double, 6>;
  Sums& sums() { return sums_; }

private:
  using Vector = std::array<double, 3>;
  Vector mean() const;
  // task(run, begin, end) for the part of each run that a piece has; indices of the piece.
  template <class Task>
  void inPiece(const HostParticles& piece, i64 first, const Task& task) const;

  const input::Deck& deck_;
  std::vector<PopulationRun> runs_;
  std::vector<double> masses_;
  std::vector<bool> frozen_;  // species that have the velocity of their population alone
  i64 freshCount_ = 0;
  double commonTemperature_ = -1.0;  // -1: populations differ
  Sums sums_{};
};

}  // namespace mesowarp
