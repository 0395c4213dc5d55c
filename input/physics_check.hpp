// What a deck means as physics: whether it can run, whether it should, and what it will cost.
#pragma once

#include <cstdint>
#include <vector>

#include "input/deck.hpp"
#include "input/grammar/diagnostic.hpp"

namespace mesowarp::input {

// Of a deck without parse errors: what cannot run is an error, what will run badly a warning; in the deck's order.
std::vector<Diagnostic> checkPhysics(const Deck& deck);

// The parts of it: the box, its walls, populations, and what is recorded when.
void checkGeometry(const Deck& deck, Report& report);
void checkPopulations(const Deck& deck, Report& report);
// An error for population k if with its particles there are more than `most` and without them there were not; adds them
// to soFar.
void refuseTooMany(const Deck& deck, std::size_t k, std::int64_t& soFar, std::int64_t most, Report& report);
void checkSchedule(const Deck& deck, Report& report);
// Decks of bodies: populations, forces, sums, steps.
void checkBodies(const Deck& deck, Report& report);
// A file that the deck names must be there, and a file. Empty: none is named.
void checkFile(const std::string& path, const std::string& file, Report& report);
// How forces in a box are added up.
void checkSums(const Deck& deck, Report& report);
// The quasi-double paper's methods that a precision of bodies has: double arithmetic sums in double alone; mixed, whose
// differences keep what a float loses, has those that keep it too.
bool accumulatorFits(Precision precision, Accumulator accumulator);
// The time step and the neighbour list against forces, friction, bonds and thermal motion.
void checkTimestep(const Deck& deck, Report& report);
void checkBondStrength(const Deck& deck, Report& report);
void checkNeighborList(const Deck& deck, Report& report);

// Particles of a population: its count, or density times volume to the nearest; of a polymer, beads of whole molecules.
// Of a population from a file: its count, which is 0 in a deck, until somebody has looked into the file.
std::int64_t particleCount(const Population& population, const Box& box);

// Number density of each species over the whole box, as far as known; indexed like deck.species.
std::vector<double> speciesDensities(const Deck& deck);
double largestCutoff(const Deck& deck);

// Cells of the neighbour search (core/cell_counts.hpp), and what one takes (its neighbours, their number, its rank, its
// first particle).
double numberOfCells(const Deck& deck);
constexpr double bytesPerCell = 120.0;

struct Estimate {
  std::int64_t particles = 0;  // without those from files that nobody has looked at
  int populationsFromFiles = 0;
  double memoryBytes = 0.0;        // of particle fields, the neighbour list and its cells
  double pairsPerParticle = 0.0;   // neighbours within the cutoff, that is pair forces a particle and step
  double listedPerParticle = 0.0;  // neighbours within cutoff + skin
  double secondsPerStep = 0.0;  // on one core, or at the rate that was given; of hermite-block, with all bodies active
};

// Particle-steps a second of one core at density 3, cutoff 1, skin 0.3.
double coreRate(Precision precision);

// particleStepsPerSecond: at density 3, cutoff 1, skin 0.3; 0: coreRate of the deck's precision.
Estimate estimate(const Deck& deck, double particleStepsPerSecond = 0.0);

}  // namespace mesowarp::input
