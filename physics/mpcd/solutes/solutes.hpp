// Particles of another population that are embedded in the solvent: they collide with it. They are ordinary particles
// in a box with their own forces, in steps of run.timestep; where a collision is due, their step is taken apart, and
// between its closing and its opening they have the velocities of the full step. So they are in the collision cells
// with what the solvent has, and leave with what the collision made of it.
#pragma once

#include <memory>

#include "physics/mpcd/sharing/border_sums.hpp"
#include "physics/mpcd/solutes/solute_kernels.hpp"
#include "state/box_population.hpp"
#include "step/engine.hpp"

namespace mesowarp::mpcd {

template <class P>
class SolutesOf {
public:
  SolutesOf(BoxPopulation<P>& population, const input::Deck& deck);

  // Of this rank's cells; part: of the solvent, whose domain is theirs too. Collective.
  void prepare(const BrickGrid& grid, int margin, const RankPart& part);
  // They are warm as another deck says from now on, that differs in nothing else.
  void follow(const input::Deck& now);
  // In this order, behind the solvent's pass of a step: to their cells, and on several ranks sent; those of neighbours,
  // for who makes the records; and when these are made, collided. mishap: the solvent's. Collective.
  void add(i64 step, const GridShift& shift, int* mishap);
  // Angular: what the deck says.
  template <bool Angular>
  ComeSums<typename GuestSumsOf<Angular>::Row> receive() {
    using Row = typename GuestSumsOf<Angular>::Row;
    return border_ ? border_->receive(Row{}) : ComeSums<Row>{};
  }
  template <bool Angular>
  GuestSumsOf<Angular> sums() const {
    return {sums_.data(), scale_};
  }
  template <class Rule>
  void collide(const Rule& rule, const CellRecords<typename P::Store, Rule::storedNumbers>& records) {
    Kokkos::parallel_for("collide solutes", Range(0, population_.count()),
                         CollideSolutes<P, Rule>{arrays(), grid_, shift_, rule, records});
  }
  BoxPopulation<P>& population() const { return population_; }
  std::size_t bytes() const { return sums_.extent(0) * sizeof(u64) + (border_ ? border_->bytes() : 0); }

private:
  SoluteArrays<P> arrays();
  std::vector<SoluteSpecies> speciesOf(const input::Deck& deck) const;
  template <bool Angular>
  void addTo(i64 step, int* mishap);

  BoxPopulation<P>& population_;
  u64 seed_;
  bool noise_, angular_;
  GuestScale scale_;
  DeviceArray<SoluteSpecies> species_;
  BrickGrid grid_;
  GridShift shift_;
  DeviceArray<u64> sums_;
  std::unique_ptr<BorderSums> border_;
};

// Null: the deck has none. The engine has their population already. Throws InputError.
template <class P>
std::unique_ptr<SolutesOf<P>> makeSolutes(const Engine& engine, const input::Deck& deck);

}  // namespace mesowarp::mpcd
