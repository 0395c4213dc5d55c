#include "physics/mpcd/deck/mpcd_blocks.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "input/differences.hpp"
#include "input/grammar/value.hpp"
#include "input/schema.hpp"
#include "physics/boundary/deck/solid_checks.hpp"
#include "physics/boundary/deck/wall_columns.hpp"
#include "physics/integrate/deck/schedule_blocks.hpp"
#include "physics/integrate/schedule.hpp"
#include "physics/mpcd/deck/mpcd_margin.hpp"
#include "physics/mpcd/deck/mpcd_theory.hpp"
#include "physics/mpcd/deck/mpcd_walls.hpp"
#include "physics/mpcd/deck/solvents.hpp"

namespace mesowarp::mpcd {
namespace {

using namespace input;

bool isOneOf(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

Block<Deck> collisionBlock() {
  return ownBlock<CollisionBlock>(
      {"collision", false, false, "", "How the particles of a multiparticle collision solvent collide.", &mpcdBlocks()},
      {choice("style", &CollisionBlock::style, {"srd", "andersen"})
           .means("srd: stochastic rotation, velocities relative to their cell's mean are turned about a random axis; "
                  "andersen: they are drawn anew, at run.temperature"),
       bind(Type::number, "angle", &CollisionBlock::angle)
           .only("style", {"srd"})
           .from(0)
           .to(180)
           .in("degrees")
           .means("of the rotation"),
       bind(Type::integer, "every", &CollisionBlock::every)
           .from(1)
           .to(1e6)
           .in("steps")
           .means("between collisions; in between the solvent does nothing"),
       bind(Type::number, "cell", &CollisionBlock::cell)
           .above(0)
           .in("length")
           .means("edge of the cells in which particles collide; the box has a whole number of them along each axis"),
       choice("thermostat", &CollisionBlock::thermostat, {"none", "maxwell-boltzmann"})
           .only("style", {"srd"})
           .means("maxwell-boltzmann: each cell's kinetic energy, relative to its mean velocity, is drawn from the "
                  "canonical distribution at run.temperature; none: energy is conserved"),
       bind(Type::boolean, "conserve_angular_momentum", &CollisionBlock::angular)
           .means("of each cell's particles, too: of srd with a thermostat, and of andersen"),
       bind(Type::number, "virtual_density", &CollisionBlock::virtualDensity)
           .from(0)
           .to(10)
           .means("of the virtual particles in cells that a wall without slip cuts, relative to the solvent's: with 1, "
                  "the usual one, the solvent slips as if the wall lay 0.15 cells deeper"),
       bind(Type::integer, "sort", &CollisionBlock::sort)
           .from(1)
           .to(1e9)
           .in("collisions")
           .means("between two sorts of the particles by place, which decide over speed alone"),
       bind(Type::names, "embedded", &CollisionBlock::embedded)
           .orElseNot("none")
           .means("populations of other kinds, such as the chains of a polymer, that are embedded in the solvent: in "
                  "between they move by their forces in steps of run.timestep, and collide with it")});
}

double bytesOfPlainCell(const Deck& deck, bool wide) {
  if (isMixture(deck)) return 6 * 8 + 7 * (wide ? 8 : 4) + 1.8 * 12 * 4;
  return 4 * 8 + 7 * (wide ? 8 : 4) + 1.8 * (wide ? 9 : 6) * 4;
}

// Sums, record, and words of about 1.8 windows, which only GPUs have (kernels/bricks); sums of what is embedded.
double bytesOfCell(const Deck& deck) {
  const bool wide = deck.run.precision == Precision::double_;
  const CollisionBlock& c = collisionOf(deck);
  if (c.angular) {
    const int sums = isMixture(deck) ? 24 : 22;
    return sums * 8 + 10 * (wide ? 8 : 4) + 1.8 * sums * 8 + (c.embedded.empty() ? 0 : 24 * 8);
  }
  return bytesOfPlainCell(deck, wide) + (c.embedded.empty() ? 0 : 6 * 8);
}

}  // namespace

const MpcdBlocks& mpcdBlocks() {
  static const MpcdBlocks blocks;
  return blocks;
}

bool isFirstWith(const Deck& deck, const std::string& block) {
  const auto methods = methodsOf(deck);
  return std::none_of(methods.begin(), methods.end(),
                      [&](const MethodBlocks* method) { return method != &mpcdBlocks() && method->takes(block); });
}

std::vector<const Block<Deck>*> MpcdBlocks::ownBlocks() const {
  static const Block<Deck> collision = collisionBlock();
  return {&collision};
}

void MpcdBlocks::extend(SharedBlocks& blocks) const {
  Block<Population>& population = blocks.of<Population>();
  population.addChoices(
      "kind", kinds(),
      "; mpcd: a solvent of points that meet in collision cells alone, see [collision]; several are the "
      "species of one solvent");
  population.say("initial", "; mpcd: random alone");
  population.say("density", "; mpcd: around the walls");
  for (const char* key : {"mass", "temperature"}) population.alsoFor(key, "kind", "", kinds());
}

bool MpcdBlocks::takes(const std::string& block) const {
  return isOneOf({"run", "box", "parallel", "population", "shape", "wall", "drive", "schedule", "measure", "output"},
                 block);
}

bool MpcdBlocks::lacksColumn(const std::string& column) const {
  return isOneOf({"potential_energy", "net_force_x", "net_force_y", "net_force_z", "rebuilds"}, column);
}

std::vector<std::string> MpcdBlocks::usualColumns() const {
  return {"time",       "temperature", "pressure",  "kinetic_energy",           "momentum_x",
          "momentum_y", "momentum_z",  "wall_time", "particle_steps_per_second"};
}

std::vector<std::string> MpcdBlocks::ownColumns() const {
  std::vector<std::string> columns = boundary::wallColumnNames();
  columns.push_back(scheduledColumns);
  return columns;
}

std::vector<std::string> MpcdBlocks::namedBy(const Deck& deck, const std::string& word) const {
  return word == scheduledColumns ? scheduledColumnsOf(deck) : std::vector{word};
}

std::vector<std::string> MpcdBlocks::phases(const Deck& deck) const {
  std::vector<std::string> names{"streaming and collisions", "observables of the solvent"};
  if (!schedulesOf(deck).empty() && isFirstWith(deck, "schedule")) names.insert(names.begin(), "schedule");
  return names;
}

std::string MpcdBlocks::refusesBonds(const Population& population) const {
  return fmt::format("population {} is a collision solvent, which has no bonds", quoted(population.name));
}

std::int64_t MpcdBlocks::particleCount(const Population& population, const BoxBlock& box) const {
  if (population.count > 0) return population.count;
  return std::llround(
      std::min(population.density * box.size[0] * box.size[1] * box.size[2] * roomOf(population), 1e18));
}

void MpcdBlocks::complete(BlocksRead& read) const {
  completeSchedules(read);
  completeWalls(read);
}

std::vector<std::pair<std::string, std::string>> MpcdBlocks::expectations(const Deck& deck) const {
  if (isMixture(deck)) {
    std::vector<std::pair<std::string, std::string>> paths;
    for (const Population* solvent : solventsOf(deck)) {
      const double path = meanFreePath(*solvent, deck);
      paths.emplace_back("mean free path of " + solvent->name,
                         fmt::format("{:.4g}, {:.3g} of a cell", path, path / collisionOf(deck).cell));
    }
    return paths;  // there is no theory of a mixture's viscosity here
  }
  const TransportCoefficients t = transportOf(deck);
  return {{"mean free path",
           fmt::format("{:.4g}, {:.3g} of a cell", t.meanFreePath, t.meanFreePath / collisionOf(deck).cell)},
          {"viscosity",
           fmt::format("{:.4g} in theory ({:.3g} of it by streaming)", t.viscosity(), t.density * t.kineticViscosity)},
          {"Schmidt number", fmt::format("{:.3g}, from molecular chaos", t.schmidt())}};
}

// Bytes of a particle in two buffers, and of cells; what a core does.
Estimate MpcdBlocks::estimate(const Deck& deck, std::int64_t particles, double) const {
  const bool wide = deck.run.precision == Precision::double_;
  const auto& size = deck.box.size;
  const double cell = collisionOf(deck).cell, cells = size[0] * size[1] * size[2] / (cell * cell * cell);
  const double n = static_cast<double>(particles), collisionsPerSecond = 3e7;
  Estimate result;
  result.cellBytes = cells * bytesOfCell(deck);
  result.memoryBytes = n * 2.0 * (wide ? 52.0 : 28.0) + result.cellBytes;
  result.checkpointBytes = n * (wide ? 52.0 : 28.0);
  result.secondsPerStep = n / collisionsPerSecond / static_cast<double>(collisionOf(deck).every);
  return result;
}

double MpcdBlocks::narrowestPart(const Deck& deck) const {
  return collisionOf(deck).embedded.empty() ? 0.0 : narrowestDomain(deck) * collisionOf(deck).cell;
}

double MpcdBlocks::openPart(const Deck& deck) const { return roomOf(*populationsOf(deck, *this).front()); }

bool MpcdBlocks::keepsEnergy(const Deck& deck) const {
  const CollisionBlock& c = collisionOf(deck);
  return deck.drives.empty() && deck.walls.empty() && c.style == CollisionStyle::srd &&
         c.thermostat == CellThermostat::none;
}

// A checkpoint stands behind a collision: the next one comes `every` steps behind the last.
void MpcdBlocks::integratorDifference(const Deck& then, const Deck& now, Differences& differences) const {
  differences.same("collision.every", "steps between collisions", collisionOf(then).every, collisionOf(now).every);
  boundary::solidDifference(then, now, differences);
}

}  // namespace mesowarp::mpcd
