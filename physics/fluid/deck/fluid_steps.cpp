// The phases of a fluid's step, as `mesowarp check` prints them: the list that physics/fluid/fluid_impl.hpp makes.
#include <algorithm>

#include "core/shear.hpp"
#include "input/species.hpp"
#include "physics/fluid/deck/fluid_blocks.hpp"
#include "physics/integrate/flow_rate_keys.hpp"
#include "physics/integrate/langevin_keys.hpp"
#include "physics/membrane/deck/membrane_blocks.hpp"
#include "physics/transport/deck/transport_deck.hpp"

namespace mesowarp::fluid {

using namespace input;

namespace {

bool hasBonds(const Deck& deck) {
  return std::any_of(deck.bonds.begin(), deck.bonds.end(), [&](const Bond& bond) {
    return std::any_of(deck.populations.begin(), deck.populations.end(), [&](const Population& p) {
      return p.name == bond.population && (p.initial == InitialState::file || p.blocks.size() > 1);
    });
  });
}

// Whether one of the styles acts between two species.
bool acts(const Deck& deck, const std::vector<std::string>& styles) {
  for (const auto& a : deck.species)
    for (const auto& b : deck.species)
      if (const Interaction* pair = pairInteraction(deck, a, b))
        if (std::find(styles.begin(), styles.end(), pair->style) != styles.end()) return true;
  return false;
}

// Labels of pair forces (physics/pair), in the order of physics/fluid/pair_forces.hpp.
std::vector<std::string> pairForces(const Deck& deck) {
  std::vector<std::string> forces;
  if (acts(deck, {InteractionStyle::lj, InteractionStyle::wca})) forces.push_back("pair lennard-jones");
  if (acts(deck, {InteractionStyle::dpd})) {
    const bool unit = std::all_of(deck.interactions.begin(), deck.interactions.end(), [](const Interaction& i) {
      return i.style != InteractionStyle::dpd || i.exponent == 1.0;
    });
    forces.push_back(unit ? "pair dpd" : "pair dpd (any exponent)");
  }
  for (const auto& force : transport::pairForces(deck)) forces.push_back(force);
  return forces;
}

}  // namespace

std::vector<std::string> FluidBlocks::phases(const Deck& deck) const {
  std::vector<std::string> phases = pairForces(deck);
  if (phases.empty()) return phases;
  phases.back() += ", kick, drift";
  const auto membranes = membrane::phases(deck);
  const bool several = phases.size() + membranes.size() > 1;
  phases.insert(phases.begin(), membranes.begin(), membranes.end());
  if (hasBonds(deck))
    phases.insert(phases.begin(), "bonds");
  else if (several)
    phases.insert(phases.begin(), "clear forces");
  const bool sheared = deck.own.get<Shear>().on;
  if (sheared) phases.insert(phases.begin(), "place images"), phases.push_back("motion in the flow");
  if (!deck.walls.empty()) phases.push_back("bounce at walls");
  if (deck.own.get<FlowRateKeys>().on) phases.push_back("flow rate");
  for (const ThermostatKeys& keys : thermostatsOf(deck)) phases.push_back(nameOf(keys));
  if (transport::wantsTotals(deck)) phases.push_back(transport::totalsPhase);
  return phases;
}

}  // namespace mesowarp::fluid
