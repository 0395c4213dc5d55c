// What follows from a deck with transport: the fluxes' cutoffs, the density of the random flux, the range of fluxes in
// fixed point.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "physics/integrate/deck/schedule_extremes.hpp"
#include "physics/transport/deck/transport_blocks.hpp"
#include "physics/transport/deck/transport_deck.hpp"
#include "physics/transport/deck/wall_concentrations.hpp"

namespace mesowarp::transport {

using namespace input;

namespace {

void completeFluxes(Deck& deck) {
  for (std::size_t k = 0; k < deck.interactions.size(); ++k) {
    Interaction& i = deck.interactions[k];
    if (!isTransport(i)) continue;
    FluxKeys& keys = i.own.get<FluxKeys>();
    if (!isGiven(deck, fmt::format("interaction.{}.flux_cutoff", k))) keys.cutoff = i.cutoff;
    i.further = keys.cutoff;
  }
}

// Of what does not read well it is none, and that will be told.
void completeReactions(TransportKeys& keys) {
  keys.rates.clear();
  for (const auto& text : keys.reactions) {
    Reaction reaction;
    keys.rates.push_back(readReaction(text, keys.solutes, reaction).empty() ? reaction.rate : 0.0);
  }
}

// 16 times the largest flux of a pair at the start, or with the largest noise that is drawn.
double expectedFlux(const Deck& deck) {
  const TransportKeys& transport = transportOf(deck);
  double largest = std::max(largestConcentration(deck), 1e-30);
  for (const auto& wall : wallConcentrationsOf(deck)) largest = std::max(largest, wall.value);
  double flux = 0.0;
  for (const auto& i : deck.interactions)
    for (std::size_t s = 0; s < transport.solutes.size() && isTransport(i); ++s) {
      const double kappa = numberOf(i.own.get<FluxKeys>().kappa, s), mass = numberOf(transport.soluteMass, s);
      flux = std::max(flux, 16.0 * kappa * largest);
      if (transport.randomFlux)
        flux = std::max(flux,
                        16.0 * 7.0 * mass * std::sqrt(kappa * transport.density * 2.0 * largest / deck.run.timestep));
    }
  return flux;
}

// Of what moves. Between walls a population's density is that of the room which they leave.
double densityOf(const Deck& deck) {
  if (deck.walls.empty()) return numberDensity(deck);
  double density = 0.0;
  for (const Population* population : interactingPopulations(deck))
    if (!population->frozen) density += population->density;
  return density;
}

}  // namespace

void complete(BlocksRead& read) {
  Deck& deck = read.deck;
  if (read.broken.count("interaction") || read.broken.count("transport")) return;
  completeReactions(deck.own.get<TransportKeys>());
  completeFluxes(deck);
  closeWalls(deck);
  if (!hasTransport(deck) || read.broken.count("population") || read.broken.count("box")) return;
  TransportKeys& transport = deck.own.get<TransportKeys>();
  if (!isGiven(deck, "transport.density")) transport.density = densityOf(deck);
  if (isGiven(deck, "transport.flux_range")) return;
  double flux = expectedFlux(deck);
  for (const auto& [step, then] : decksAtExtremes(deck)) flux = std::max(flux, expectedFlux(then));
  // Where nothing is dissolved at first, sources decide, and the deck should.
  transport.fluxRange = flux > 1e-20 && flux < 1e30 ? std::exp2(std::ceil(std::log2(flux))) : 1.0;
}

}  // namespace mesowarp::transport
