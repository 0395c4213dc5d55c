#include "physics/mpcd/solutes/solutes.hpp"

#include <cmath>
#include <stdexcept>

#include "device/host_copy.hpp"
#include "device/memory/zeroed.hpp"
#include "kernels/bricks/plain_sums.hpp"
#include "physics/mpcd/collision_settings.hpp"
#include "physics/mpcd/deck/embedded.hpp"
#include "physics/mpcd/deck/mpcd_deck.hpp"

namespace mesowarp::mpcd {

template <class P>
SolutesOf<P>::SolutesOf(BoxPopulation<P>& population, const input::Deck& deck)
    : population_(population), seed_(deck.run.seed), noise_(collisionOf(deck).style == CollisionStyle::andersen),
      angular_(collisionOf(deck).angular) {
  const GuestBits bits = guestBits(deck);
  scale_ = GuestScale::of(bits.mass, bits.speed);
  species_ = toDevice<SoluteSpecies>("embedded species", speciesOf(deck));
}

template <class P>
std::vector<SoluteSpecies> SolutesOf<P>::speciesOf(const input::Deck& deck) const {
  std::vector<SoluteSpecies> species;
  const std::vector<double> masses = embeddedMasses(deck), &own = population_.settings().masses;
  // As cells can hold them: with masses other than those that momenta are of, energy would drift.
  const auto held = [&](double mass) { return std::nearbyint(mass * scale_.toMass) / scale_.toMass; };
  for (std::size_t s = 0; s < masses.size(); ++s)
    species.push_back({held(masses[s]), masses[s] > 0.0 ? thermalSpeed(deck, own[s]) : 0.0});
  return species;
}

template <class P>
void SolutesOf<P>::follow(const input::Deck& now) {
  refill(species_, speciesOf(now));
}

template <class P>
void SolutesOf<P>::prepare(const BrickGrid& grid, int margin, const RankPart& part) {
  grid_ = grid;
  const int sums = angular_ ? GuestSumsOf<true>::sums : GuestSumsOf<false>::sums,
            words = angular_ ? GuestSumsOf<true>::Row::words : GuestSumsOf<false>::Row::words;
  sums_ = zeroedArray<u64>("cell sums of solutes", static_cast<std::size_t>(grid.cellsInAll()) * sums);
  if (part.ranks) border_ = std::make_unique<BorderSums>(*part.ranks, part.domain, grid, margin, part.transport, words);
}

template <class P>
SoluteArrays<P> SolutesOf<P>::arrays() {
  const auto& arrays = population_.arrays();
  return {arrays.position->current, arrays.velocity->current, population_.observedVelocity(), arrays.tag->current,
          species_};
}

template <class P>
void SolutesOf<P>::add(i64 step, const GridShift& shift, int* mishap) {
  shift_ = shift;
  angular_ ? addTo<true>(step, mishap) : addTo<false>(step, mishap);
}

template <class P>
template <bool Angular>
void SolutesOf<P>::addTo(i64 step, int* mishap) {
  using Guests = GuestSumsOf<Angular>;
  Kokkos::parallel_for("add solutes to cells", Range(0, population_.count()),
                       AddSolutes<P, Angular>{arrays(), grid_, shift_, sums<Angular>(),
                                              stepKey(seed_, Stream::guestNoise, step), noise_, mishap});
  if (border_)
    border_->send(typename Guests::Row{}, [&](const BorderSums::Where& where, const auto& pack) {
      backend::lookAtCells("pack border sums of solutes", where.side, where.cells,
                           PlainSums<Guests::sums>{sums_.data()}, pack);
    });
}

template <class P>
std::unique_ptr<SolutesOf<P>> makeSolutes(const Engine& engine, const input::Deck& deck) {
  if (collisionOf(deck).embedded.empty()) return nullptr;
  for (const auto& population : engine.populations())
    if (auto* box = dynamic_cast<BoxPopulation<P>*>(population.get()))
      return std::make_unique<SolutesOf<P>>(*box, deck);
  throw std::logic_error("what is embedded in the solvent must be added to the engine before it");
}

template class SolutesOf<SinglePrecision>;
template class SolutesOf<MixedPrecision>;
template class SolutesOf<DoublePrecision>;
template std::unique_ptr<SolutesOf<SinglePrecision>> makeSolutes(const Engine&, const input::Deck&);
template std::unique_ptr<SolutesOf<MixedPrecision>> makeSolutes(const Engine&, const input::Deck&);
template std::unique_ptr<SolutesOf<DoublePrecision>> makeSolutes(const Engine&, const input::Deck&);

}  // namespace mesowarp::mpcd
