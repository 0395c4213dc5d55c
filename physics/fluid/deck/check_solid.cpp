// Beside walls of any shape: what can start there.
#include <algorithm>
#include <fmt/format.h>

#include "input/grammar/value.hpp"
#include "input/species.hpp"
#include "physics/boundary/deck/solid_checks.hpp"
#include "physics/boundary/deck/wall_columns.hpp"
#include "physics/boundary/deck/wall_tables.hpp"
#include "physics/fluid/deck/fluid_checks.hpp"
#include "physics/fluid/deck/wall_trial.hpp"
#include "physics/pair/deck/many_body_checks.hpp"

namespace mesowarp::fluid {

using namespace input;

namespace {

// Tags of molecules are known before walls are cut.
void checkChains(const Deck& deck, std::size_t k, Report& report) {
  const Population& chains = deck.populations[k];
  const std::string path = fmt::format("population.{}", k);
  if (chains.density > 0.0)
    report.error(path + ".density", fmt::format("how much room walls leave follows from their shape: give count, the "
                                                "number of the chains, for population {}",
                                                quoted(chains.name)));
  for (std::size_t j = 0; j < k; ++j)
    if (const Population& other = deck.populations[j]; other.kind != Kind::polymer && other.kind != Kind::membrane)
      return report.error(path, fmt::format("beside walls, whose fluids are counted at the start alone, chains come "
                                            "first: put this block before population {}",
                                            quoted(other.name)));
}

void checkStarts(const Deck& deck, Report& report) {
  for (std::size_t k = 0; k < deck.populations.size(); ++k) {
    const Population& population = deck.populations[k];
    if (!isOurs(population)) continue;
    const std::string path = fmt::format("population.{}", k);
    if (population.initial == Kind::inSolid) {
      if (!population.frozen || deck.walls.empty())
        report.error(path + ".initial", deck.walls.empty()
                                            ? "initial = \"solid\" needs a [[wall]] with this species"
                                            : "what starts in a solid must be frozen: set frozen = true");
      continue;
    }
    if (deck.walls.empty()) continue;
    const bool file = population.initial == StartKind::file;
    if (file)
      report.error(
          path + ".initial",
          fmt::format("population {} cannot be beside walls: what starts there the program makes; use initial = "
                      "\"random\" or \"lattice\", and --resume to go on with a run",
                      quoted(population.name)));
    if (population.kind == Kind::polymer) {
      checkChains(deck, k, report);
      continue;
    }
    if (population.count > 0 && !file && population.kind != Kind::membrane)
      report.error(path + ".count",
                   fmt::format("how many particles of population {} fit around the walls follows from their shape: "
                               "give its density there",
                               quoted(population.name)));
  }
}

// Of walls that are not there, unless a solvent's table has zeros for them.
void checkColumns(const Deck& deck, Report& report) {
  if (!deck.walls.empty() || isGiven(deck, "collision")) return;
  const auto check = [&](const std::string& path, const std::vector<std::string>& columns) {
    if (boundary::anyOfWalls(columns) || std::count(columns.begin(), columns.end(), "wall_strays") > 0)
      report.error(path, "columns of walls need a [[wall]] block: add one, or leave them out");
  };
  for (std::size_t k = 0; k < deck.outputs.size(); ++k)
    check(fmt::format("output.{}.columns", k), deck.outputs[k].columns);
  for (std::size_t k = 0; k < deck.measures.size(); ++k)
    check(fmt::format("measure.{}.columns", k), deck.measures[k].columns);
}

// Told once, of all walls.
void checkFriction(const Deck& deck, Report& report) {
  const std::string words = frictionNotFound(deck);
  if (words.empty()) return;
  const auto first = std::find_if(deck.walls.begin(), deck.walls.end(), leavesFriction);
  report.warning(fmt::format("wall.{}", first - deck.walls.begin()), words);
}

void checkSlip(const Deck& deck, Report& report) {
  for (std::size_t k = 0; k < deck.walls.size(); ++k)
    if (deck.walls[k].style == WallStyle::bounce_forward)
      report.warning(fmt::format("wall.{}.style", k),
                     "\"bounce-forward\" keeps the velocity along the wall, whose particles still rub on the fluid: it "
                     "slips little; a fluid that is to slip needs a [[boundary]] of that style");
}

// Frozen layers are cut out of a block of the fluid at its density.
void checkLiquid(const Deck& deck, Report& report) {
  const double liquid = liquidDensity(deck);
  double here = 0.0;
  try {
    here = liquid > 0.0 ? boundary::fluidDensity(deck) : 0.0;
  } catch (const boundary::SolidError&) {  // which is told elsewhere
    return;
  }
  const auto first = std::find_if(deck.walls.begin(), deck.walls.end(),
                                  [](const Wall& wall) { return wall.method == WallMethod::frozen; });
  if (first == deck.walls.end() || !(here < 0.9 * liquid)) return;
  report.error(fmt::format("wall.{}.method", first - deck.walls.begin()),
               fmt::format("walls are cut out of a block of the fluid, which at its density, {:.3g}, parts into liquid "
                           "and vapour (the liquid has {:.3g}), so they would have holes: fill the room between them "
                           "with liquid, or leave [[wall]] out and make walls of a population that is frozen and "
                           "starts in a region",
                           here, liquid));
}

}  // namespace

void checkSolid(const Deck& deck, Report& report) {
  checkStarts(deck, report);
  if (!deck.walls.empty()) checkLiquid(deck, report);
  checkColumns(deck, report);
  const auto atWalls = interactionsAtWalls(deck);
  const bool onlyDpd =
      std::all_of(atWalls.begin(), atWalls.end(), [&](std::size_t k) { return isDpd(deck.interactions[k]); });
  for (std::size_t w = 0; w < deck.walls.size(); ++w)
    if (deck.walls[w].method == WallMethod::effective && !onlyDpd)
      report.error(fmt::format("wall.{}.method", w),
                   "method = \"effective\" has the mean force of a soft fluid in the place of particles: with "
                   "interactions other than \"dpd\" and \"tdpd\" use \"frozen\"");
  checkFriction(deck, report);
  checkSlip(deck, report);
  boundary::checkSolid(deck, boundary::reachOfForces(deck), report);
}

}  // namespace mesowarp::fluid
