// Which particles [[hold]] blocks keep: they have no part in a flow that is made.
#pragma once

#include "physics/group/deck/group_keys.hpp"
#include "state/box_population.hpp"
#include "state/field_request.hpp"

namespace mesowarp::group {

struct HeldParticles {
  DeviceArray<u32> groups;  // looked at where groups are held
  u32 bits = 0;             // of these

  KOKKOS_INLINE_FUNCTION bool has(int i) const { return bits != 0 && (groups(i) & bits) != 0; }

  // bits: heldBits(deck).
  template <class P>
  static HeldParticles of(const BoxPopulation<P>& population, u32 bits) {
    if (bits == 0) return {};
    return {dynamic_cast<const Field<u32>&>(fieldOf(population.arrays().fields, groupField)).current, bits};
  }
};

}  // namespace mesowarp::group
