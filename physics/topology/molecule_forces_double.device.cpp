#include "physics/topology/molecule_forces_impl.hpp"

namespace mesowarp {

template <>
std::unique_ptr<MoleculeForces<DoublePrecision>> makeMoleculeForces(const input::Deck& deck, const SumGrid& grid) {
  using P = DoublePrecision;
  if (deck.sums.accumulator == input::Accumulator::narumi)
    return std::make_unique<MoleculeForcesOf<P, FixedSum<double>, math::Portable>>(deck, grid);
  return std::make_unique<MoleculeForcesOf<P, PlainSum<double>, math::Hardware>>(deck, grid);
}

}  // namespace mesowarp
