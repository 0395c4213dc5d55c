// Who is in a deck's groups, and where groups are. Members have their groups' bits in a word of theirs, a field that
// moves with them and goes to checkpoints.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "device/host_copy.hpp"
#include "device/launch/sum_over.hpp"
#include "physics/group/deck/group_keys.hpp"
#include "start/host_particles.hpp"
#include "state/box_population.hpp"
#include "state/field_request.hpp"

namespace mesowarp::group {

// Of each particle of this rank. Throws InputError: the particles of a held group are held twice.
std::vector<u32> membersOf(const input::Deck& deck, const HostParticles& particles);

// Sums of unwrapped places of members of one mass, as integers: boxes crossed, and two words of the fraction of a
// period. So they are exact, and the same in whatever order and on however many ranks they are added.
struct PlaceSums {
  i64 count = 0, boxes[3] = {}, high[3] = {}, low[3] = {};
  KOKKOS_INLINE_FUNCTION PlaceSums& operator+=(const PlaceSums& other) {
    count += other.count;
    for (int c = 0; c < 3; ++c) boxes[c] += other.boxes[c], high[c] += other.high[c], low[c] += other.low[c];
    return *this;
  }
};

template <class P>
struct AddMemberPlaces {
  using Coord = typename P::Coord;
  DeviceArray<u32> groups;
  DeviceArray<PairVelocity<typename P::Store>> velocity;  // species
  DeviceArray<int> massClass;                             // of each species; -1: it is frozen
  DeviceArray<PairPosition<Coord>> position;
  DeviceArray<Vec3<u32>> positionLow;  // empty: there are none
  DeviceArray<Vec3<Coord>> built;
  DeviceArray<u64> image;
  Vec3<bool> periodic;
  u32 bit, without;  // groups that they are in, and those that they are not in
  int which;         // class

  KOKKOS_INLINE_FUNCTION void operator()(int i, PlaceSums& sums) const {
    if ((groups(i) & bit) == 0 || (groups(i) & without) != 0 || massClass(velocity(i).species) != which) return;
    const auto p = position(i);
    const Vec3<Coord> x{p.x, p.y, p.z}, from = built(i);
    const Vec3<i32> crossed = unpackImage(image(i));
    ++sums.count;
    for (int axis = 0; axis < 3; ++axis) {
      sums.boxes[axis] += crossed[axis] + (periodic[axis] ? crossings(from[axis], x[axis]) : 0);
      sums.high[axis] += leading32(x[axis]);
      if constexpr (sizeof(Coord) == 8)
        sums.low[axis] += static_cast<u32>(x[axis]);
      else if (positionLow.data() != nullptr)
        sums.low[axis] += positionLow(i)[axis];
    }
  }
};

// Mass and centre of mass of those members that move.
struct Whole {
  i64 count = 0;
  double mass = 0.0;
  std::array<double, 3> place{};  // length; box lengths that particles have crossed count
};

// What is the same for all groups of a population.
template <class P>
class Members {
public:
  Members(BoxPopulation<P>& population) : population_(population) {
    const auto& settings = population.settings();
    std::vector<int> classes;
    for (std::size_t s = 0; s < settings.masses.size(); ++s) {
      const bool frozen = !settings.frozen.empty() && settings.frozen[s];
      std::size_t c = 0;
      while (c < masses_.size() && masses_[c] != settings.masses[s]) ++c;
      if (!frozen && c == masses_.size()) masses_.push_back(settings.masses[s]);
      classes.push_back(frozen ? -1 : static_cast<int>(c));
    }
    massClass_ = toDevice<int>("classes of masses", classes);
  }

  BoxPopulation<P>& population() const { return population_; }
  DeviceArray<u32> groups() const {
    return dynamic_cast<Field<u32>&>(fieldOf(population_.fields(), groupField)).current;
  }
  const DeviceArray<int>& massClass() const { return massClass_; }

  // At the step under way. late: the closing kernel has run, and with it the lower halves of places have gone on.
  // without: bits of groups whose members do not count. Collective.
  Whole whole(u32 bit, bool late = false, u32 without = 0) const {
    const auto& arrays = population_.arrays();
    const Box& box = population_.settings().box;
    Whole all;
    for (std::size_t c = 0; c < masses_.size(); ++c) {
      auto sums = backend::sumOver<PlaceSums>(
          "centre of mass", arrays.count,
          AddMemberPlaces<P>{groups(), arrays.velocity->current, massClass_, arrays.position->current,
                             arrays.positionLow && !late ? arrays.positionLow->current : DeviceArray<Vec3<u32>>(),
                             arrays.built->current, arrays.image->current,
                             Vec3<bool>{box.periodic[0], box.periodic[1], box.periodic[2]}, bit, without,
                             static_cast<int>(c)});
      if (population_.ranks()) population_.ranks()->sum(&sums.count, numbersOf(sums));
      all.count += sums.count, all.mass += masses_[c] * static_cast<double>(sums.count);
      for (std::size_t axis = 0; axis < 3; ++axis) {
        const double periods = static_cast<double>(sums.boxes[axis]) + 0x1p-32 * static_cast<double>(sums.high[axis]) +
                               0x1p-64 * static_cast<double>(sums.low[axis]);
        all.place[axis] += masses_[c] * periods * box.period(static_cast<int>(axis));
      }
    }
    for (double& x : all.place) x = all.mass > 0.0 ? x / all.mass : 0.0;
    return all;
  }

private:
  static int numbersOf(const PlaceSums&) { return static_cast<int>(sizeof(PlaceSums) / sizeof(i64)); }
  BoxPopulation<P>& population_;
  std::vector<double> masses_;  // different ones
  DeviceArray<int> massClass_;
};

}  // namespace mesowarp::group
