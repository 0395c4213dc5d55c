// What membranes add to decks of particles in a box: grammar, checks, what `check` tells.
#pragma once

#include <optional>

#include "input/complete.hpp"
#include "input/differences.hpp"
#include "input/grammar/diagnostic.hpp"
#include "input/schema.hpp"
#include "physics/membrane/deck/membrane_deck.hpp"

namespace mesowarp::membrane {

void extend(input::SharedBlocks& blocks);
// [[membrane]], [[stretch]]. owner: the method that they are of.
std::vector<const input::Block<input::OwnItem>*> ownLists(const input::MethodBlocks& owner);

// The fluid on the inside of membranes, and the name of that on the outside.
void addPopulations(input::BlocksRead& read);
// Names of files.
void complete(input::BlocksRead& read);
// What walls leave of the box, for a hematocrit; behind all that walls depend on.
void completeRoom(input::BlocksRead& read);
void check(const input::Deck& deck, input::Report& report);
// Moduli and frictions against the time step.
void checkMechanics(const input::Deck& deck, input::Report& report);
void checkSides(const input::Deck& deck, input::Report& report);
// Species of single particles that move and have a place of their own at the start.
std::vector<std::string> fluidSpecies(const input::Deck& deck);
// A DPD fluid around cells; bulk modulus: energy / length^3, estimated; cutoff: length.
struct Plasma {
  std::string species;
  double bulkModulus, cutoff;
};
std::optional<Plasma> plasmaOf(const input::Deck& deck, const MembraneKeys& keys);
std::string plasmaText(const Plasma& plasma, const Mechanics& mechanics);
// Warns where a flow that deforms cells would compress it instead.
void checkPlasma(const input::Deck& deck, input::Report& report);
std::vector<std::pair<std::string, std::string>> expectations(const input::Deck& deck);
void difference(const input::Deck& then, const input::Deck& now, input::Differences& differences);

// Names of their phases, in the order of a step; those of membranes with two sides are before all others.
constexpr const char *bouncePhase = "bounce at membranes", *sidePhase = "sides of membranes";
std::string phaseOf(const std::string& population);
std::vector<std::string> phases(const input::Deck& deck);
// Without friction and without forces from outside.
bool keepEnergy(const input::Deck& deck);

}  // namespace mesowarp::membrane
