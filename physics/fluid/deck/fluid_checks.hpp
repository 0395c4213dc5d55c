// The parts of what FluidBlocks completes, checks and estimates.
#pragma once

#include "input/complete.hpp"
#include "input/differences.hpp"
#include "input/estimate.hpp"
#include "input/grammar/block.hpp"
#include "input/grammar/diagnostic.hpp"

namespace mesowarp::fluid {

using input::Deck;
using input::Report;

struct Kind {
  static constexpr const char *fluid = "fluid", *polymer = "polymer", *membrane = "membrane";
  static constexpr const char *inSolid = "solid", *inCells = "cells";  // population.initial
};

// Of a polymer.
struct ChainKeys {
  double apart = 0.0;  // beads at the start, length
};
inline double apartOf(const input::Population& population) { return population.own.get<ChainKeys>().apart; }

inline bool isOurs(const input::Population& population) {
  return population.kind.empty() || population.kind == Kind::fluid || population.kind == Kind::polymer ||
         population.kind == Kind::membrane;
}

// A species that such a population may hold; others' take no part in the forces.
bool isOurs(const Deck& deck, const std::string& species);

// sigma^2 = 2 gamma k_BT of every DPD interaction; cutoffs of Lennard-Jones.
void completeForces(input::BlocksRead& read);
// Accumulator and range of the sums; needs masses and cutoffs.
void completeSums(input::BlocksRead& read);
// Temperatures of thermostats and of inflows.
void completeThermostats(input::BlocksRead& read);
void completeInflows(input::BlocksRead& read);

// The [[wall]] blocks: what they are made of, whether they leave room, what starts in them.
void checkSolid(const Deck& deck, Report& report);
// The box, its walls, and the drives along its axes; populations; how forces are added up.
void checkGeometry(const Deck& deck, Report& report);
void checkPopulations(const Deck& deck, Report& report);
void checkSums(const Deck& deck, Report& report);
// Flows without walls that move, and the columns that they have.
void checkShear(const Deck& deck, Report& report);
void checkFlowRate(const Deck& deck, Report& report);
// The time step and the neighbour list against forces, friction, bonds and thermal motion.
void checkTimestep(const Deck& deck, Report& report);
void checkBondStrength(const Deck& deck, Report& report);
void checkNeighborList(const Deck& deck, Report& report);
// neighbor.tune.
void completeSkin(input::BlocksRead& read);
void checkSkin(const Deck& deck, Report& report);
void checkThermostats(const Deck& deck, Report& report);
// The part of it that asks whether kicks and collisions are too many for the time between them.
void checkThermostatRates(const Deck& deck, Report& report);
void checkInflows(const Deck& deck, Report& report);

// [[species]].
input::Block<input::OwnItem> speciesBlock();
// Paths and cutoffs of tabulated forces, before others look at cutoffs; then the tables themselves.
void completeTables(input::BlocksRead& read);
void checkTables(const Deck& deck, Report& report);
// Of an interaction of style "morse", or none: whether it stays in the range of numbers.
void checkMorse(const Deck& deck, std::size_t k, Report& report);
// Forces, bonds, thermostats and transport as a [[schedule]] makes them, behind all checks of the deck's own.
void checkScheduledForces(const Deck& deck, Report& report);
// What walls have been given for the first step, and a [[schedule]] makes wrong later. Beside checkSchedules().
void checkScheduledWalls(const Deck& deck, Report& report);
// Measures of an equilibrium while numbers change. Beside checkSchedules().
void checkScheduledMeasures(const Deck& deck, Report& report);
// [relaxation]: whether there is one, and its push-off.
void completeRelaxation(input::BlocksRead& read);
void checkRelaxation(const Deck& deck, Report& report);
// [barostat] and [deformation].
input::Block<Deck> barostatBlock();
input::Block<Deck> deformationBlock();
void completeBox(input::BlocksRead& read);
void checkBox(const Deck& deck, Report& report);
void boxDifference(const Deck& then, const Deck& now, input::Differences& differences);
// Largest second derivative of a soft or tabulated energy where particles of energy 2 k_BT come, energy / length^2.
double stiffnessOf(const input::Interaction& interaction, double temperature);
// Whether sums are those that forces of seldom styles are compiled for: not one of single precision's further ways.
bool sumsAsUsual(const Deck& deck);
// Which forces add up between two species, in words: for `check`.
std::vector<std::pair<std::string, std::string>> addedForces(const Deck& deck);

// Number densities, as far as known, indexed like deck.species: over the whole box, and what a particle has around it,
// of its own species what the region has that they start in, or the liquid that they will be
// (physics/pair/deck/many_body_checks.hpp), of others their mean over the box.
class DensitiesAround {
public:
  explicit DensitiesAround(const Deck& deck);
  const std::vector<double> mean;
  double of(std::size_t i, std::size_t j) const { return i == j ? own_[i] : mean[j]; }

private:
  std::vector<double> own_;
};

// Cells of the neighbour search (core/cell_counts.hpp), and what one takes (its neighbours, their number, its rank, its
// first particle).
double numberOfCells(const Deck& deck);
constexpr double bytesPerCell = 120.0;

}  // namespace mesowarp::fluid
