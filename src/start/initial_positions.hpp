// Where the particles of a population start.
#pragma once

#include "device/tag_random.hpp"
#include "start/host_particles.hpp"
#include "start/start_region.hpp"

namespace mesowarp {

// The species' number; throws InputError.
u32 speciesNumber(const input::Deck& deck, const std::string& name);

// Where each particle of a fluid starts, by its tag alone: uniform in the box or a region of it, or on simple cubic
// sites, the fewest that hold the count; sites left over are spread evenly.
class SinglePositions {
public:
  // first: tag of the population's first particle.
  SinglePositions(const Box& box, std::uint64_t seed, const input::Population& population, i64 first);
  i64 count() const { return count_; }
  std::array<u64, 3> operator()(i64 tag) const;

private:
  Box box_;
  StepKey key_;
  i64 first_, count_;
  StartRegion region_;
  std::array<i64, 3> sites_{};                  // 0: random
  std::array<std::vector<u64>, 3> coordinate_;  // of each layer of sites
};

// Adds particles to a state, numbers keyed by their tags; the same on any number of threads. Velocities are left for
// later.
class ParticlePlacer {
public:
  ParticlePlacer(HostParticles& particles, const Box& box, std::uint64_t seed)
      : particles_(particles), box_(box), seed_(seed), first_(particles.count()) {}

  void single(const SinglePositions& positions, u32 species);
  // Of a bead: its species, the bead before it that it is bonded to (-1: none), the bond's type.
  struct Bead {
    u32 species;
    int parent, bond;
  };
  // Random walks of fixed step, bead by bead from the one that each is bonded to; a step that would leave through a
  // wall is drawn again. A molecule's beads follow each other. Bonded beads get the images that make the molecule
  // whole, from 0 at its first one. bonded: with bonds.
  void molecules(i64 molecules, const std::vector<Bead>& beads, double length, bool bonded);
  // At given places: 3 lengths a particle.
  void given(const std::vector<double>& position, const LargeVector<u32>& species);

private:
  void addRoom(i64 count) { particles_.resize(static_cast<std::size_t>(first_ + count)); }
  void place(i64 i, const std::array<double, 3>& at, u32 species) const;

  HostParticles& particles_;
  const Box& box_;
  std::uint64_t seed_;
  i64 first_;
};

}  // namespace mesowarp
