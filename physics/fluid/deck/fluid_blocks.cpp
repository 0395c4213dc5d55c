#include "physics/fluid/deck/fluid_blocks.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/shear.hpp"
#include "input/complete.hpp"
#include "input/differences.hpp"
#include "input/grammar/convert.hpp"
#include "input/grammar/suggest.hpp"
#include "input/grammar/value.hpp"
#include "input/molecules/molecule_blocks.hpp"
#include "physics/boundary/deck/fluid_volume.hpp"
#include "physics/boundary/deck/region.hpp"
#include "physics/boundary/deck/solid_checks.hpp"
#include "physics/boundary/deck/wall_columns.hpp"
#include "physics/fluid/deck/fluid_checks.hpp"
#include "physics/group/deck/group_blocks.hpp"
#include "physics/integrate/box/box_keys.hpp"
#include "physics/integrate/deck/schedule_blocks.hpp"
#include "physics/integrate/flow_rate_keys.hpp"
#include "physics/integrate/inflow_keys.hpp"
#include "physics/integrate/langevin_keys.hpp"
#include "physics/integrate/schedule.hpp"
#include "physics/membrane/deck/membrane_blocks.hpp"
#include "physics/pair/deck/many_body_checks.hpp"
#include "physics/transport/deck/transport_blocks.hpp"

namespace mesowarp::fluid {
namespace {

using namespace input;

// Every letter of the blocks stands for a species: itself, or what `letters` says, and then all of them are in it.
void checkLetters(Report& report, std::size_t k, Population& polymer) {
  std::string used, bad;
  for (const char c : polymer.blocks)
    if (used.find(c) == std::string::npos) (isName(std::string(1, c)) ? used : bad) += c;
  if (!bad.empty())
    return report.error(
        fmt::format("population.{}.blocks", k),
        fmt::format("blocks: expected letters and digits, one a bead, found {}", quoted(bad.substr(0, 1))));
  std::vector<std::string> known;
  for (const auto& [letter, name] : polymer.letters) known.push_back(std::string(1, letter));
  for (const char c : used) {
    if (!known.empty() && !polymer.letters.count(c))
      report.error(fmt::format("population.{}.blocks", k),
                   fmt::format("the letter {} of blocks is not in letters{}", quoted(std::string(1, c)),
                               suggestion(std::string(1, c), known)));
    if (known.empty()) polymer.letters[c] = std::string(1, c);
  }
  for (const auto& letter : known)
    if (used.find(letter) == std::string::npos)
      report.error(fmt::format("population.{}.letters", k),
                   fmt::format("the letter {} does not occur in blocks", quoted(letter)));
}

// "populations of kind = …" that an integrator is for.
std::string kindsWith(const std::string& integrator, const MethodBlocks* asked) {
  std::vector<std::string> kinds;
  for (const MethodBlocks* method : methodBlocks())
    if (method != asked && method->takes("integrator") && method->refusesIntegrator(integrator).empty())
      for (const auto& kind : method->kinds()) kinds.push_back(kind);
  return enumerate(kinds, "or");
}

}  // namespace

const FluidBlocks& fluidBlocks() {
  static const FluidBlocks blocks;
  return blocks;
}

std::vector<std::string> FluidBlocks::kinds() const { return {Kind::fluid, Kind::polymer, Kind::membrane}; }

std::vector<std::string> FluidBlocks::interactions() const {
  return {InteractionStyle::dpd, InteractionStyle::tdpd,      InteractionStyle::lj,
          InteractionStyle::wca, FurtherStyle::dpdThermostat, FurtherStyle::soft,
          FurtherStyle::table,   FurtherStyle::morse,         FurtherStyle::manyBody};
}

std::vector<std::string> FluidBlocks::initials() const { return {Kind::inSolid, Kind::inCells}; }

std::vector<std::string> FluidBlocks::ownColumns() const {
  std::vector<std::string> columns = boundary::wallColumnNames();
  for (const auto& column : transport::ownColumns()) columns.push_back(column);
  columns.push_back(scheduledColumns);
  columns.push_back(inflowColumns);
  columns.push_back(membrane::wrongSide);
  for (const auto& column : group::ownColumns()) columns.push_back(column);
  return columns;
}

std::string FluidBlocks::refusesIntegrator(const std::string& style) const {
  if (style == IntegratorStyle::velocity_verlet || style == IntegratorStyle::groot_warren) return {};
  return fmt::format("this style is for populations of kind = {}; \"velocity-verlet\" is leapfrog in another order",
                     kindsWith(style, this));
}

std::vector<std::pair<std::string, std::string>> FluidBlocks::headlines() const {
  return {{"temperature", "temperature"}, {"pressure", "pressure"}};
}

void FluidBlocks::checkSpecies(Report& report, std::size_t k, Population& population) const {
  if (population.kind != Kind::polymer) return MethodBlocks::checkSpecies(report, k, population);
  requireSpecies(report, k, population, "blocks", population.blocks, ", one letter a bead, such as \"AAABB\"");
  checkLetters(report, k, population);
}

std::string FluidBlocks::refusesBonds(const Population& population) const {
  if (population.kind == Kind::polymer) return {};
  if (population.kind == Kind::membrane)
    return fmt::format("population {} is a membrane, which [[membrane]] holds together", quoted(population.name));
  if (population.initial == StartKind::file) return {};
  return fmt::format("population {} is a fluid and has no bonds: make it kind = \"polymer\"", quoted(population.name));
}

void FluidBlocks::complete(BlocksRead& read) const {
  read.deck.own.get<Shear>().on = isGiven(read.deck, "shear");
  read.deck.own.get<FlowRateKeys>().on = isGiven(read.deck, "flow_rate");
  completeBox(read);
  boundary::completeRegions(read);
  transport::complete(read);
  membrane::complete(read);
  completeTables(read);
  completeForces(read);
  completeSchedules(read);
  completeSums(read);
  completeThermostats(read);
  completeRelaxation(read);
  completeInflows(read);
  completeSkin(read);
  group::complete(read);
  membrane::completeRoom(read);
}

void FluidBlocks::check(const Deck& deck, Report& report) const {
  checkGeometry(deck, report);
  checkShear(deck, report);
  checkFlowRate(deck, report);
  checkPopulations(deck, report);
  boundary::checkRegions(deck, report);
  checkSolid(deck, report);
  checkSums(deck, report);
  checkTimestep(deck, report);
  checkBondStrength(deck, report);
  checkMoleculeStrength(deck, report);
  checkNeighborList(deck, report);
  checkSkin(deck, report);
  checkThermostats(deck, report);
  checkTables(deck, report);
  checkManyBody(deck, report);
  checkSchedules(deck, report), checkScheduledWalls(deck, report), checkScheduledMeasures(deck, report);
  checkRelaxation(deck, report);
  checkInflows(deck, report);
  group::check(deck, report);
  checkBox(deck, report);
  transport::check(deck, report);
  membrane::check(deck, report);
  checkScheduledForces(deck, report);
}

// Ghosts are those of one cell around.
double FluidBlocks::narrowestPart(const Deck& deck) const { return ghostReach(deck); }

bool FluidBlocks::keepsEnergy(const Deck& deck) const {
  return deck.drives.empty() && !deck.own.get<Shear>().on && !deck.own.get<FlowRateKeys>().on && keepsMomentum(deck) &&
         thermostatsOf(deck).empty() && schedulesOf(deck).empty() && !changesBox(deck) && membrane::keepEnergy(deck) &&
         !group::act(deck) &&
         std::none_of(deck.interactions.begin(), deck.interactions.end(), [](const auto& i) { return hasDpdNoise(i); });
}

// Frozen particles take it, and a medium at rest does.
bool FluidBlocks::keepsMomentum(const Deck& deck) const {
  const auto baths = thermostatsOf(deck);
  return std::all_of(baths.begin(), baths.end(), [](const ThermostatKeys& keys) { return keys.ofPairs(); }) &&
         inflowsOf(deck).empty() && !group::act(deck) &&
         std::none_of(deck.species.begin(), deck.species.end(), [&](const auto& s) { return isFrozen(deck, s); });
}

double FluidBlocks::openPart(const Deck& deck) const {
  return deck.walls.empty() ? 1.0 : boundary::fluidPart(deck, boundary::solidOf(deck));
}

// What is stored between steps depends on it.
void FluidBlocks::integratorDifference(const Deck& then, const Deck& now, Differences& differences) const {
  if ((then.integrator.lambda == 0.5) != (now.integrator.lambda == 0.5))
    differences.add("integrator", "another integrator");
  const Shear &before = then.own.get<Shear>(), &after = now.own.get<Shear>();
  if (before.on != after.on || before.flow != after.flow || before.gradient != after.gradient)
    differences.add(after.on ? "shear" : "box", "a box that is sheared otherwise");
  if (anyBetweenMolecules(then) != anyBetweenMolecules(now))
    differences.add("interaction", "numbers of molecules, which different_molecules needs");
  boxDifference(then, now, differences);
  transport::difference(then, now, differences);
  membrane::difference(then, now, differences);
  group::difference(then, now, differences);
  boundary::solidDifference(then, now, differences);
}

}  // namespace mesowarp::fluid
