// The numbers by which forces between different molecules tell particles apart, at the start.
#pragma once

#include <algorithm>

#include "core/error.hpp"
#include "physics/pair/between_molecules.hpp"
#include "start/host_particles.hpp"
#include "state/box_population.hpp"

namespace mesowarp {

// If such a force acts. Throws InputError: a number is higher than the precision can tell from the next.
template <class P>
void uploadMoleculeNumbers(BoxPopulation<P>& population, const HostParticles& state) {
  using Real = typename P::Real;
  const auto field = population.fields().find(MoleculeNumber::name);
  if (!field) return;
  const LargeVector<u32>& number = state.molecule;
  if (sizeof(Real) == 4 && !number.empty() && *std::max_element(number.begin(), number.end()) > 1U << 24)
    throw InputError("different_molecules in single precision can tell molecules 1 to 16777216 apart, and there are "
                     "higher numbers: take run.precision = \"mixed\"");
  LargeVector<Real> values(number.size());
  std::copy(number.begin(), number.end(), values.begin());
  field->fromHost(reinterpret_cast<const std::byte*>(values.data()), values.size() * sizeof(Real));
}

}  // namespace mesowarp
