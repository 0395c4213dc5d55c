// The particles of a population in a box, of any precision, as what measures them sees them: on the device, behind a
// step that was wanted with `snapshot` (and `velocities`). Only this file's source knows the precisions.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "comm/communicator.hpp"
#include "core/box.hpp"
#include "core/types.hpp"
#include "kernels/rows/neighbor_table.hpp"
#include "state/population.hpp"

namespace mesowarp::observables {

// What is known of all particles' population.
struct MeasuredBox {
  Box box;
  double cutoff = 0.0;                        // of the neighbour list, length
  bool excludes = false;                      // pairs of some bonds are not in that list
  std::vector<double> masses;                 // of each species
  std::vector<bool> frozen;                   // likewise
  const comm::Communicator* ranks = nullptr;  // null: one rank
  i64 total = 0;
};

// What is added to the species of members of groups.
struct Marks {
  const u32* groups = nullptr;  // of each particle, a bit each; null: nothing is added
  u32 first = 0, second = 0, speciesCount = 0;
  KOKKOS_INLINE_FUNCTION u32 operator()(int i) const {
    if (groups == nullptr) return 0;
    return speciesCount * (((groups[i] & first) != 0 ? 1u : 0u) + ((groups[i] & second) != 0 ? 2u : 0u));
  }
};

// Velocities of the step where the population has them, and species, of any precision; good until the next step.
class SeenVelocities {
public:
  SeenVelocities() = default;
  template <class Real, class Half>
  SeenVelocities(const Vec3<Real>* velocity, const Half* half)
      : velocity_(velocity), species_(half), isDouble_(sizeof(Real) == sizeof(double)), stride_(sizeof(Half)),
        offset_(offsetof(Half, species)) {
    static_assert(sizeof(Vec3<Real>) == 3 * sizeof(Real));
  }
  KOKKOS_INLINE_FUNCTION double operator()(int i, int axis) const {
    const std::size_t at = 3 * static_cast<std::size_t>(i) + axis;
    return isDouble_ ? static_cast<const double*>(velocity_)[at] : static_cast<const float*>(velocity_)[at];
  }
  KOKKOS_INLINE_FUNCTION u32 species(int i) const {
    return *reinterpret_cast<const u32*>(static_cast<const char*>(species_) + static_cast<std::size_t>(i) * stride_ +
                                         offset_) +
           marks_(i);
  }
  void mark(const Marks& marks) { marks_ = marks; }

private:
  const void *velocity_ = nullptr, *species_ = nullptr;
  bool isDouble_ = false;
  std::size_t stride_ = 0, offset_ = 0;
  Marks marks_;
};

// Own particles, and, where asked for, ghosts behind them.
struct MeasuredParticles {
  int count = 0, stored = 0;  // own; with ghosts
  DeviceArray<u32> tag;       // own
  DeviceArray<u32> species;
  DeviceArray<Vec3<u64>> place;  // fractions of the period, as 64-bit integers
  DeviceArray<Vec3<i32>> image;  // own: periods to add
  SeenVelocities velocities;     // own, if wanted
  NeighborTable list;
};

enum class Seen {
  pairs,      // places as pair forces see them, ghosts' too; tags and species
  unwrapped,  // whole coordinates and images
  velocities  // these alone, with their species
};

// Null: no population in a box.
std::optional<MeasuredBox> measuredBox(const Population& population);
// Fills what `seen` says; arrays are kept from call to call.
void see(Population& population, Seen seen, MeasuredParticles& to);
// Behind see(): to the species of members of groups with one of these bits `speciesCount` is added, twice that for the
// second; so sets and masses can tell them apart. Ghosts have their groups if the field says so.
void markMembers(Population& population, Seen seen, u32 first, u32 second, u32 speciesCount, MeasuredParticles& to);

// Which particles are meant: words of 1 or 0 for each species, on the device, bit 0: first set, bit 1: second.
DeviceArray<u32> speciesSets(const std::vector<bool>& first, const std::vector<bool>& second);
DeviceArray<double> massesOnDevice(const std::vector<double>& masses);  // of each species
struct SetSizes {
  i64 first = 0, second = 0, both = 0;  // both: in each of the two
};
// Of all ranks. Collective.
SetSizes sizesOf(const MeasuredParticles& particles, const DeviceArray<u32>& sets, const comm::Communicator* ranks);

// A field of `words` 64-bit words for each particle, zero at first, which goes where the particle goes and into
// checkpoints; no sort moves it (state/parked_fields.hpp). Before the first step, and before a checkpoint is restored.
void addMeasuredField(Population& population, const std::string& name, int words);
// Particle i has the words from place[i] times their number on. Good until particles move in memory.
struct MeasuredField {
  u64* words = nullptr;
  const u32* place = nullptr;
};
MeasuredField measuredField(Population& population, const std::string& name);
// Puts all such fields into the order in which particles are now, so that threads side by side read side by side.
void settleMeasuredFields(Population& population);

// Kernels: the unwrapped coordinate in 2^-43 of a period; differences of two are right as long as nothing moves by more
// than 2^20 periods.
constexpr int unwrappedBits = 43;
KOKKOS_INLINE_FUNCTION i64 unwrapped(u64 place, i32 image) {
  return static_cast<i64>((static_cast<u64>(static_cast<i64>(image)) << unwrappedBits) +
                          (place >> (64 - unwrappedBits)));
}

}  // namespace mesowarp::observables
