// What a deck will cost, and how many particles it has.
#pragma once

#include <cstdint>

#include "input/deck.hpp"

namespace mesowarp::input {

struct Estimate {
  std::int64_t particles = 0;  // without those from files that nobody has looked at
  int populationsFromFiles = 0;
  double memoryBytes = 0.0;        // of particle fields, the neighbour list and its cells
  double cellBytes = 0.0;          // of them, the cells
  double checkpointBytes = 0.0;    // of particles in a checkpoint
  double pairsPerParticle = 0.0;   // neighbours within the cutoff, that is pair forces a particle and step
  double listedPerParticle = 0.0;  // neighbours within cutoff + skin
  double secondsPerStep = 0.0;  // on one core, or at the rate that was given; of hermite-block, with all bodies active
};

// Particles of a population: its count, or density times volume to the nearest; of a polymer, beads of whole molecules.
// Of a population from a file: its count, which is 0 in a deck, until somebody has looked into the file.
std::int64_t particleCount(const Population& population, const BoxBlock& box);

// What a deck's text does not tell: how many particles the files of its populations hold, those in order, as words. And
// for a deck of the same text; of words that are not its own nothing is taken.
std::string countsOfFiles(const Deck& deck);
void takeCountsOfFiles(Deck& deck, const std::string& words);

// particleStepsPerSecond: of one core at density 3, cutoff 1, skin 0.3; 0: what methods know of the deck's precision.
Estimate estimate(const Deck& deck, double particleStepsPerSecond = 0.0);

}  // namespace mesowarp::input
