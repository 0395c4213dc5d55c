// Which species a solvent particle is of follows from its tag: those of a species follow each other. So particles of
// several species need no more memory than those of one.
#pragma once

#include "core/types.hpp"
#include "device/kokkos_compatibility.hpp"

namespace mesowarp::mpcd {

struct SpeciesRow {
  u32 first;        // tag
  double mass;      // as the sums of cells hold it
  double relative;  // in particles of the first species: a multiple of 2^-40
  double spread;    // of a thermal velocity, in that of the first species
};

struct SpeciesOfTags {
  const SpeciesRow* rows = nullptr;
  int count = 0;
  KOKKOS_INLINE_FUNCTION int species(u32 tag) const {
    int s = count - 1;
    while (s > 0 && tag < rows[s].first) --s;
    return s;
  }
  KOKKOS_INLINE_FUNCTION const SpeciesRow& of(u32 tag) const { return rows[species(tag)]; }
};

// What a pass knows of a particle's mass, in particles of the first species: of one species nothing ...
struct OneMass {
  struct Own {};
  KOKKOS_FORCEINLINE_FUNCTION static double massOf(const Own&) { return 1.0; }
};
// ... and of several its row.
struct ManyMasses {
  struct Own {
    double mass = 1.0, spread = 1.0;
  };
  SpeciesOfTags species;
  double mean = 1.0;  // of the virtual particles
  KOKKOS_FORCEINLINE_FUNCTION static double massOf(const Own& own) { return own.mass; }
};

}  // namespace mesowarp::mpcd
