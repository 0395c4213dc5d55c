// What a method says of a deck: its kinds of populations and the keys that go with them, what follows from them,
// whether it can run, what it costs. Each method has one such object in its folder under physics/; one table there
// (physics/method_blocks.cpp) names them all. A deck may have populations of several methods.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "input/deck.hpp"
#include "input/estimate.hpp"
#include "input/grammar/block.hpp"
#include "input/grammar/diagnostic.hpp"

namespace mesowarp::input {

struct BlocksRead;
struct SharedBlocks;
class Differences;

class MethodBlocks {
public:
  virtual ~MethodBlocks() = default;

  // Its populations in messages: "the table of … has no …".
  virtual std::string inWords() const = 0;
  // Its population, behind those of other methods: arrays of a checkpoint are "<population>.<array>", its trajectory is
  // trajectory-<population>.h5.
  virtual std::string population() const = 0;
  // Words of population.kind.
  virtual std::vector<std::string> kinds() const = 0;
  // Why it has no use for a block or a style that others have, as a relative clause; such a method has a deck for
  // itself. Empty: it may stand beside others.
  virtual std::string whyAlone() const { return {}; }

  // Grammar. Blocks that no other method has; what it adds to those of all; which of those mean something to it.
  virtual std::vector<const Block<Deck>*> ownBlocks() const { return {}; }
  virtual std::vector<const Block<OwnItem>*> ownLists() const { return {}; }
  virtual void extend(SharedBlocks&) const {}
  virtual bool takes(const std::string& /*block*/) const { return true; }
  // Words that it adds to population.initial; styles of [[interaction]] that act between its particles.
  virtual std::vector<std::string> initials() const { return {}; }
  // None: its species need no [[interaction]].
  virtual std::vector<std::string> interactions() const { return {}; }
  // What is wrong with a style of [integrator]; empty: it has that one.
  virtual std::string refusesIntegrator(const std::string& style) const = 0;
  // Columns that it adds to output.columns; of the others those that its tables lack; those of a table that names none
  // (empty: as the schema says).
  virtual std::vector<std::string> ownColumns() const { return {}; }
  virtual bool lacksColumn(const std::string& /*column*/) const { return false; }
  virtual std::vector<std::string> usualColumns() const { return {}; }
  // What a word of output.columns, or of measure.quantities, stands for in this deck: itself, unless for several.
  virtual std::vector<std::string> namedBy(const Deck&, const std::string& word) const { return {word}; }
  // Names of the numbers that each of its particles carries beside (solutes).
  virtual std::vector<std::string> carries(const Deck&) const { return {}; }
  // How far a place of the box is from the walls of its particles, below 0 within them; empty: there are none. It may
  // be called as long as it is there. Length.
  using Distance = std::function<double(const std::array<double, 3>&)>;
  virtual Distance distanceToWalls(const Deck&) const { return {}; }
  // Columns for the line about a run in its log, and what they are called there.
  virtual std::vector<std::pair<std::string, std::string>> headlines() const = 0;

  // Completion: what population k lacks to have species; why [[bond]] is not for a population (empty: it is); all else
  // that follows, after names and species are known; the temperature of velocities that a deck does not give.
  virtual void checkSpecies(Report& report, std::size_t k, Population& population) const;
  virtual std::string refusesBonds(const Population&) const { return {}; }
  virtual void complete(BlocksRead&) const {}
  // Before all that: populations, and what acts between them, that follow from blocks of other kinds.
  virtual void addPopulations(BlocksRead&) const {}
  virtual double usualTemperature(const Deck& deck, const Population&) const { return deck.run.temperature; }

  // Meaning. Particles of a population whose number nobody has counted in a file; errors and warnings about a deck that
  // has such populations; what those cost.
  virtual std::int64_t particleCount(const Population& population, const BoxBlock&) const { return population.count; }
  virtual void check(const Deck& deck, Report& report) const = 0;
  virtual Estimate estimate(const Deck& deck, std::int64_t particles, double particleStepsPerSecond) const = 0;
  // Whether something else may act on its particles' velocities between two steps, as a solvent does that they are
  // embedded in; and how wide a rank's part of the box must be where it does, length.
  virtual bool embeds() const { return false; }
  virtual double narrowestPart(const Deck&) const { return 0.0; }
  // Part of the box that its particles have, and a pressure is of.
  virtual double openPart(const Deck&) const { return 1.0; }
  // The phases of a step by name, in the order in which they run. Bonds that only a file has are not known yet.
  virtual std::vector<std::string> phases(const Deck& deck) const = 0;
  // What `check` tells of such a deck beside its cost: names and values.
  virtual std::vector<std::pair<std::string, std::string>> expectations(const Deck&) const { return {}; }
  // Whether energy is conserved, and whether momentum is (an integrator or a drive may take it from the particles).
  virtual bool keepsEnergy(const Deck& deck) const = 0;
  virtual bool keepsMomentum(const Deck&) const { return true; }

  // What a run cannot change when it is resumed, beside what holds for all.
  virtual void integratorDifference(const Deck& /*then*/, const Deck& /*now*/, Differences&) const {}
  virtual void populationDifference(const Deck& /*then*/, const Deck& /*now*/, std::size_t /*k*/, Differences&) const {}
};

// An error for population k if neither `given`, the value of its key that names species, nor types is given, or both.
// meaning: of the key, in words.
void requireSpecies(Report& report, std::size_t k, const Population& population, const std::string& key,
                    const std::string& given, const std::string& meaning);

// All methods. Defined in physics/method_blocks.cpp.
std::span<const MethodBlocks* const> methodBlocks();

// The one that a kind of population is of; null: none has such a kind. The empty kind is the first's.
const MethodBlocks* kindOwner(const std::string& kind);
const MethodBlocks& ownerOf(const Population& population);

// The phases of a deck's step, those of one method after those of another.
std::vector<std::string> phasesOf(const Deck& deck);

// Those that a deck has populations of, in the table's order; the first of the table for a deck without populations.
std::vector<const MethodBlocks*> methodsOf(const Deck& deck);
// The deck's populations of one of them.
std::vector<const Population*> populationsOf(const Deck& deck, const MethodBlocks& method);
// Those of the first of the table: what [[interaction]]s act between, and what walls are cut from.
std::vector<const Population*> interactingPopulations(const Deck& deck);
// What a word of a deck's columns or quantities stands for, by its methods.
std::vector<std::string> namedBy(const Deck& deck, const std::string& word);
// The same of several words, one after the other.
std::vector<std::string> namedBy(const Deck& deck, const std::vector<std::string>& words);
// What particles of a deck carry: of the one method that has such.
std::vector<std::string> carriedBy(const Deck& deck);
// Whether a block means something to one of them.
bool isFor(const std::vector<const MethodBlocks*>& methods, const BlockInfo& block);

}  // namespace mesowarp::input
