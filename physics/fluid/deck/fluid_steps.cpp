// The phases of a fluid's step, as `mesowarp check` prints them: the list that physics/fluid/fluid_impl.hpp makes.
#include <algorithm>

#include "core/shear.hpp"
#include "input/species.hpp"
#include "physics/fluid/deck/fluid_blocks.hpp"
#include "physics/group/deck/group_blocks.hpp"
#include "physics/integrate/box/box_keys.hpp"
#include "physics/integrate/flow_rate_keys.hpp"
#include "physics/integrate/inflow_keys.hpp"
#include "physics/integrate/langevin_keys.hpp"
#include "physics/integrate/schedule.hpp"
#include "physics/membrane/deck/membrane_blocks.hpp"
#include "physics/transport/deck/transport_deck.hpp"

namespace mesowarp::fluid {

using namespace input;

namespace {

// Whether there are bonds, angles or dihedrals, which take so many beads.
template <class Block>
bool hasAny(const Deck& deck, const std::vector<Block>& blocks, std::size_t beads) {
  return std::any_of(blocks.begin(), blocks.end(), [&](const Block& block) {
    return std::any_of(deck.populations.begin(), deck.populations.end(), [&](const Population& p) {
      return p.name == block.population && (p.initial == StartKind::file || p.blocks.size() >= beads);
    });
  });
}

// Whether one of the styles acts between two species: between all particles, or different molecules alone.
bool acts(const Deck& deck, const std::vector<std::string>& styles, bool between = false) {
  for (const auto& a : deck.species)
    for (const auto& b : deck.species)
      for (const Interaction* pair : interactionsOf(deck, a, b))
        if (betweenMolecules(*pair) == between && std::find(styles.begin(), styles.end(), pair->style) != styles.end())
          return true;
  return false;
}

constexpr const char* densityPhase = "density";  // sums no forces

// Labels of pair forces (physics/pair), in the order of physics/fluid/pair_forces.hpp.
std::vector<std::string> pairForces(const Deck& deck) {
  std::vector<std::string> forces;
  if (acts(deck, {FurtherStyle::manyBody})) forces.push_back(densityPhase);
  if (acts(deck, {FurtherStyle::soft})) forces.push_back("pair soft");
  if (acts(deck, {FurtherStyle::table})) forces.push_back("pair table");
  if (acts(deck, {FurtherStyle::morse})) forces.push_back("pair morse");
  if (acts(deck, {FurtherStyle::soft}, true)) forces.push_back("pair soft between molecules");
  if (acts(deck, {InteractionStyle::lj, InteractionStyle::wca}, true))
    forces.push_back("pair lennard-jones between molecules");
  if (acts(deck, {FurtherStyle::morse}, true)) forces.push_back("pair morse between molecules");
  if (acts(deck, {FurtherStyle::manyBody})) forces.push_back("pair many-body");
  if (acts(deck, {InteractionStyle::lj, InteractionStyle::wca})) forces.push_back("pair lennard-jones");
  if (acts(deck, {InteractionStyle::dpd, FurtherStyle::dpdThermostat})) {
    const bool unit = std::all_of(deck.interactions.begin(), deck.interactions.end(),
                                  [](const Interaction& i) { return !isPairDpd(i.style) || i.exponent == 1.0; });
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
  const bool bonds = hasAny(deck, deck.bonds, 2), angles = hasAny(deck, deck.angles, 3),
             dihedrals = hasAny(deck, deck.dihedrals, 4);
  const auto membranes = membrane::phases(deck);
  const auto summing =
      std::count_if(phases.begin(), phases.end(), [](const auto& name) { return name != densityPhase; });
  std::vector<std::string> before;
  if (!schedulesOf(deck).empty()) before.push_back("schedule");
  if (bonds || angles || dihedrals || !membranes.empty() || summing > 1)
    before.push_back(bonds ? "bonds" : "clear forces");
  if (angles) before.push_back("angles");
  if (dihedrals) before.push_back("dihedrals");
  before.insert(before.end(), membranes.begin(), membranes.end());
  phases.insert(phases.begin(), before.begin(), before.end());
  if (membrane::hasTwoSides(deck)) phases.insert(phases.begin(), {membrane::bouncePhase, membrane::sidePhase});
  const bool sheared = deck.own.get<Shear>().on;
  if (sheared) phases.insert(phases.begin(), "place images"), phases.push_back("motion in the flow");
  if (sheared && isScheduled(deck, "shear.rate")) phases.push_back("change of the flow");
  if (!deck.walls.empty()) phases.push_back("bounce at walls");
  if (deck.own.get<FlowRateKeys>().on) phases.push_back("flow rate");
  for (const auto& pull : group::pullPhases(deck)) phases.push_back(pull);
  for (const ThermostatKeys& keys : thermostatsOf(deck)) phases.push_back(nameOf(keys));
  for (std::size_t k = 0; k < inflowsOf(deck).size(); ++k)
    phases.insert(phases.end(), {inflowControlPhase(k), inflowPhase(k)});
  for (const auto& hold : group::holdPhases(deck)) phases.push_back(hold);
  if (deck.own.get<BarostatKeys>().on) phases.push_back("barostat");
  if (deck.own.get<DeformationKeys>().on) phases.push_back("deformation");
  if (transport::wantsTotals(deck)) phases.push_back(transport::totalsPhase);
  return phases;
}

}  // namespace mesowarp::fluid
