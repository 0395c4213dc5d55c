// Pairs of particles closer than some distance, for measures: from the neighbour list where that reaches, or else from
// cells of their own, in which every rank has the chosen particles of all. What is measured sees each pair twice, once
// from either particle, but for those whose other particle is in the second set alone.
//
//   visit(i, j, squared): i is this rank's; in the first set, j in the second; squared distance, length^2
#pragma once

#include "core/math.hpp"
#include "physics/observables/measured_particles.hpp"

namespace mesowarp::observables {

struct PairLimits {
  Vec3<double> tick;  // of a 64-bit coordinate, length
  double squared;     // of the largest distance
};
inline PairLimits pairLimits(const Box& box, double distance) {
  return {{box.tick(0, 64), box.tick(1, 64), box.tick(2, 64)}, distance * distance};
}

// Of nearest images; the same bits for (a, b) and (b, a), on any machine.
KOKKOS_INLINE_FUNCTION double squaredDistance(const PairLimits& limits, const Vec3<u64>& a, const Vec3<u64>& b) {
  double sum = 0.0;
  for (int axis = 0; axis < 3; ++axis) {
    const double d = static_cast<double>(static_cast<i64>(a[axis] - b[axis])) * limits.tick[axis];
    sum = math::fusedMultiplyAdd(d, d, sum);
  }
  return sum;
}

// Particle i's pairs by the neighbour list, which reaches limits' distance.
struct ListPairs {
  NeighborTable list;
  DeviceArray<Vec3<u64>> place;
  DeviceArray<u32> species, sets;
  PairLimits limits;
  int count;

  KOKKOS_INLINE_FUNCTION int centres() const { return count; }
  template <class Visit>
  KOKKOS_INLINE_FUNCTION void from(int i, const Visit& visit) const {
    if ((sets(species(i)) & 1u) == 0u) return;
    const NeighborRow row = list.row(i);
    const Vec3<u64> here = place(i);
    for (int k = 0; k < row.size; ++k) {
      const int j = list.entries(row.first + static_cast<i64>(k) * row.stride);
      if ((sets(species(j)) & 2u) == 0u) continue;
      const double squared = squaredDistance(limits, here, place(j));
      if (squared < limits.squared) visit(i, j, squared);
    }
  }
};

// A particle in cells: flags: bits 0 and 1 are its sets, bit 2: it is this rank's.
struct FoundParticle {
  Vec3<u64> place;
  u32 tag, flags;
};

// Cells at least half the distance wide; the neighbours of a particle are in the 5 x 5 x 5 cells round its own, or in
// all cells along an axis that has fewer.
struct CellPairs {
  DeviceArray<FoundParticle> particle;  // in the order of cells
  DeviceArray<int> start;               // of each cell, and the end
  PairLimits limits;
  int cells[3];
  bool periodic[3];
  int count;

  KOKKOS_INLINE_FUNCTION int centres() const { return count; }
  KOKKOS_INLINE_FUNCTION int cellAlong(u64 place, int axis) const {
    // of a walled axis the box is the lower half
    const u64 part = periodic[axis] ? place >> 32 : place >> 31;
    const int cell = static_cast<int>(part * static_cast<u64>(cells[axis]) >> 32);
    return cell < cells[axis] ? cell : cells[axis] - 1;
  }
  KOKKOS_INLINE_FUNCTION int cellOf(const Vec3<u64>& place) const {
    return (cellAlong(place[2], 2) * cells[1] + cellAlong(place[1], 1)) * cells[0] + cellAlong(place[0], 0);
  }
  template <class Visit>
  KOKKOS_INLINE_FUNCTION void from(int i, const Visit& visit) const {
    const FoundParticle here = particle(i);
    if ((here.flags & 5u) != 5u) return;
    int low[3], high[3];
    for (int a = 0; a < 3; ++a) {
      const int at = cellAlong(here.place[a], a);
      const bool all = cells[a] < 5;
      low[a] = all ? 0 : at - 2, high[a] = all ? cells[a] - 1 : at + 2;
      if (all || periodic[a]) continue;
      low[a] = low[a] < 0 ? 0 : low[a], high[a] = high[a] < cells[a] ? high[a] : cells[a] - 1;
    }
    for (int z = low[2]; z <= high[2]; ++z)
      for (int y = low[1]; y <= high[1]; ++y)
        for (int x = low[0]; x <= high[0]; ++x)
          inCell(i, here, (wrap(z, 2) * cells[1] + wrap(y, 1)) * cells[0] + wrap(x, 0), visit);
  }

private:
  KOKKOS_INLINE_FUNCTION int wrap(int c, int axis) const {
    return c < 0 ? c + cells[axis] : c >= cells[axis] ? c - cells[axis] : c;
  }
  template <class Visit>
  KOKKOS_INLINE_FUNCTION void inCell(int i, const FoundParticle& here, int cell, const Visit& visit) const {
    for (int j = start(cell); j < start(cell + 1); ++j) {
      if (j == i || (particle(j).flags & 2u) == 0u) continue;
      const double squared = squaredDistance(limits, here.place, particle(j).place);
      if (squared < limits.squared) visit(i, j, squared);
    }
  }
};

// Whether the list has all pairs of these sets within the distance. ghostTags: copies' tags are asked for.
bool listReaches(const MeasuredBox& box, double distance);
// Sorts the chosen particles into cells. Collective: on several ranks each gets those of all.
CellPairs pairsInCells(const MeasuredParticles& particles, const MeasuredBox& box, const DeviceArray<u32>& sets,
                       double distance);

}  // namespace mesowarp::observables
