// What transport adds to decks of particles in a box: grammar, completion, checks.
#pragma once

#include "input/complete.hpp"
#include "input/differences.hpp"
#include "input/grammar/diagnostic.hpp"
#include "input/schema.hpp"

namespace mesowarp::transport {

// kinds: of populations that may carry solutes.
void extend(input::SharedBlocks& blocks, const std::vector<std::string>& kinds);
// [transport]; [[source]], [[concentration]]. owner: the method that they are of.
std::vector<const input::Block<input::Deck>*> ownBlocks(const input::MethodBlocks& owner);
std::vector<const input::Block<input::OwnItem>*> ownLists(const input::MethodBlocks& owner);
// "solutes" stands for "total_NAME" of each, "concentration" for "concentration_NAME".
std::vector<std::string> ownColumns();
std::vector<std::string> namedBy(const input::Deck& deck, const std::string& word);

void complete(input::BlocksRead& read);
void check(const input::Deck& deck, input::Report& report);
// The part of it that asks whether fluxes, reactions and sources are too fast for the time step.
void checkStiffness(const input::Deck& deck, input::Report& report);
// Diffusion coefficients and the Schmidt number, as the paper's Eqs. 11 and 12 have them.
std::vector<std::pair<std::string, std::string>> expectations(const input::Deck& deck);
// What a resumed run cannot change.
void difference(const input::Deck& then, const input::Deck& now, input::Differences& differences);
// Bytes of a particle's concentrations.
double bytesPerParticle(const input::Deck& deck);

}  // namespace mesowarp::transport
