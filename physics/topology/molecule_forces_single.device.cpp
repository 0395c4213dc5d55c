#include "physics/topology/molecule_forces_impl.hpp"

namespace mesowarp {

template <>
std::unique_ptr<MoleculeForces<SinglePrecision>> makeMoleculeForces(const input::Deck& deck, const SumGrid& grid) {
  using P = SinglePrecision;
  using input::Accumulator;
  switch (deck.sums.accumulator) {
  case Accumulator::narumi:
    return std::make_unique<MoleculeForcesOf<P, FixedSum<float>, math::Portable>>(deck, grid);
  case Accumulator::double_sum:
    return std::make_unique<MoleculeForcesOf<P, WideSum<float>, math::Hardware>>(deck, grid);
  case Accumulator::takahashi_iitaka:
    return std::make_unique<MoleculeForcesOf<P, TakahashiIitakaSum<float>, math::Hardware>>(deck, grid);
  case Accumulator::nitadori:
    return std::make_unique<MoleculeForcesOf<P, NitadoriSum<float>, math::Hardware>>(deck, grid);
  case Accumulator::modified_nitadori:
    return std::make_unique<MoleculeForcesOf<P, ModifiedNitadoriSum<float>, math::Hardware>>(deck, grid);
  default:
    return std::make_unique<MoleculeForcesOf<P, PlainSum<float>, math::Hardware>>(deck, grid);
  }
}

}  // namespace mesowarp
