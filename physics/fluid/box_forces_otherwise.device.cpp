#include "physics/fluid/box_forces_impl.hpp"

namespace mesowarp {
namespace {

template <class Sum>
std::unique_ptr<BoxForces<SinglePrecision>> make(const input::Deck& deck, i64 particles) {
  return std::make_unique<BoxForcesOf<SinglePrecision, Sum, math::Hardware>>(deck, particles);
}

}  // namespace

std::unique_ptr<BoxForces<SinglePrecision>> makeSingleForcesOtherwise(const input::Deck& deck, i64 particles) {
  switch (deck.sums.accumulator) {
  case input::Accumulator::double_sum:
    return make<WideSum<float>>(deck, particles);
  case input::Accumulator::takahashi_iitaka:
    return make<TakahashiIitakaSum<float>>(deck, particles);
  case input::Accumulator::nitadori:
    return make<NitadoriSum<float>>(deck, particles);
  default:
    return make<ModifiedNitadoriSum<float>>(deck, particles);
  }
}

}  // namespace mesowarp
