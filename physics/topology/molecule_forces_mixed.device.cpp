#include "physics/topology/molecule_forces_impl.hpp"

namespace mesowarp {

template <>
std::unique_ptr<MoleculeForces<MixedPrecision>> makeMoleculeForces(const input::Deck& deck, const SumGrid& grid) {
  using P = MixedPrecision;
  if (deck.sums.accumulator == input::Accumulator::narumi)
    return std::make_unique<MoleculeForcesOf<P, FixedSum<double>, math::Portable>>(deck, grid);
  return std::make_unique<MoleculeForcesOf<P, PlainSum<double>, math::Hardware>>(deck, grid);
}

}  // namespace mesowarp
