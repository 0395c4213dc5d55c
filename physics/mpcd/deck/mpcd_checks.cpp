// What cannot run, and what will run badly.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "input/grammar/value.hpp"
#include "input/physics_check.hpp"
#include "physics/integrate/deck/schedule_blocks.hpp"
#include "physics/integrate/schedule.hpp"
#include "physics/mpcd/deck/embedded.hpp"
#include "physics/mpcd/deck/mpcd_blocks.hpp"
#include "physics/mpcd/deck/mpcd_theory.hpp"
#include "physics/mpcd/deck/mpcd_walls.hpp"
#include "physics/mpcd/deck/solvents.hpp"
#include "physics/mpcd/mixture/mixture_sums.hpp"

namespace mesowarp::mpcd {
namespace {

using namespace input;

constexpr double mostDensity = 600.0;  // of a cell: what the fields of its sums have room for
constexpr double mostCells = 2.0e9;    // of the box
constexpr std::int64_t mostParticles = 2147483647;

void checkNumber(const Deck& deck, std::size_t k, Report& report) {
  const Population& p = deck.populations[k];
  const std::string path = fmt::format("population.{}", k), name = quoted(p.name);
  if (p.initial != StartKind::random)
    report.error(path + ".initial", "a collision solvent starts at random places: leave initial out");
  if (p.density > 0.0 && p.count > 0)
    report.error(path + ".count", fmt::format("population {} has both density and count: give one", name));
  else if (particleCount(p, deck.box) == 0)
    report.error(path, fmt::format("population {} has no particles: give density or count, or more of it", name));
}

// Cells are counted along the box, and the grid's shift must not see its end.
bool checkBox(const Deck& deck, Report& report) {
  const double cell = collisionOf(deck).cell;
  const std::size_t before = report.diagnostics().size();
  double cells = 1.0;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double along = deck.box.size[axis] / cell, whole = std::round(along);
    cells *= whole;
    if (std::abs(along - whole) > 1e-9 * whole)
      report.error("box.size", fmt::format("the box is {:.6g} cells long along {}, and collision cells must fill it: "
                                           "make it a multiple of collision.cell = {}",
                                           along, "xyz"[axis], cell));
    else if (whole < 2.0)
      report.error("box.size", fmt::format("the box has fewer than 2 collision cells along {}: make it longer, or "
                                           "collision.cell smaller",
                                           "xyz"[axis]));
    if (!deck.box.periodic[axis])
      report.error("box.periodic",
                   fmt::format("faces of the box are no walls for a collision solvent, whose cells go on "
                               "behind them: make {0} periodic, and put a [[wall]] there (a [[shape]] of "
                               "style = \"slab\" across {0}, a cell thick or more)",
                               "xyz"[axis]));
  }
  if (cells > mostCells)
    report.error("box.size", fmt::format("the box has {:.3g} collision cells, and there can be {:.3g}: make "
                                         "collision.cell larger",
                                         cells, mostCells));
  return report.diagnostics().size() == before;
}

void checkFluid(const Deck& deck, std::size_t k, Report& report) {
  const CollisionBlock& c = collisionOf(deck);
  const auto& size = deck.box.size;
  const double perCell = mpcd::perCell(deck);
  const std::string path = fmt::format("population.{}", k);
  const std::string density = isGiven(deck, path + ".density") ? path + ".density" : path + ".count";
  if (perCell * crowding(deck) > mostDensity)
    report.error(density, fmt::format("{:.4g} particles in a collision cell are more than its sums have room for, {}: "
                                      "make collision.cell smaller, or the solvent thinner",
                                      perCell * crowding(deck), mostDensity));
  else if (perCell < 3.0)
    report.warning(density, fmt::format("{:.3g} particles in a collision cell: many are alone and do not collide; "
                                        "3 to 20 are usual",
                                        perCell));
  if (!(deck.run.temperature > 0.0))
    return report.error("run.temperature", "a collision solvent needs a temperature: without motion nothing collides");
  const double path_ = meanFreePath(lightest(deck), deck) * std::sqrt(hottest(deck) / deck.run.temperature),
               step = speedLimit(deck) * collisionTime(deck);
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (step >= 0.5 * size[axis])
      return report.error("run.timestep",
                          fmt::format("between two collisions a fast particle may move {:.3g}, and must stay below "
                                      "half of the box along {}: lower run.timestep or collision.every",
                                      step, "xyz"[axis]));
  if (c.angular && c.style == CollisionStyle::srd && c.thermostat == CellThermostat::none)
    report.error("collision.conserve_angular_momentum",
                 "rotations that keep the angular momentum change the energy: give collision.thermostat = "
                 "\"maxwell-boltzmann\", or style = \"andersen\"");
  if (path_ > c.cell)
    report.warning("run.timestep", fmt::format("the mean free path is {:.3g} cells: above about one the solvent is a "
                                               "gas; lower run.timestep or collision.every",
                                               path_ / c.cell));
  if (c.style == CollisionStyle::srd && (c.angle < 5.0 || c.angle > 179.0))
    report.warning("collision.angle", c.angle < 5.0 ? "so small a rotation hardly mixes velocities"
                                                    : "a rotation by 180 degrees turns back with the next one about "
                                                      "the same axis: 90 to 150 are usual");
}

// What a flight between collisions is rounded to.
void checkResolution(const Deck& deck, Report& report) {
  if (deck.run.precision == Precision::double_) return;
  double flight = meanFreePath(solventOf(deck), deck);
  for (const Population* solvent : solventsOf(deck)) flight = std::min(flight, meanFreePath(*solvent, deck));
  const double longest = *std::max_element(deck.box.size.begin(), deck.box.size.end());
  const double step = std::ldexp(longest, -positionBits);
  if (step > 0.01 * flight)
    report.warning("run.precision",
                   fmt::format("between two collisions a particle moves {:.2g}, and in a box of {:.4g} its place is "
                               "rounded to multiples of {:.2g}: use precision = \"double\", or collide less often",
                               flight, longest, step));
}

// A cell's sums hold masses and momenta of all its particles, with 30 bits behind the point.
void checkMixture(const Deck& deck, Report& report) {
  if (!isMixture(deck)) return;
  const double heavy = heaviest(deck), light = lightest(deck).mass / solventOf(deck).mass;
  const int bits = SumScale::of(speedLimit(deck), perCell(deck) * crowding(deck), true).countBits;
  const int left = mixtureMomentumBits(speedLimit(deck), bits, heavy);
  for (std::size_t k = 0; k < deck.populations.size(); ++k) {
    const Population& p = deck.populations[k];
    if (&ownerOf(p) != &mpcdBlocks()) continue;
    const double relative = p.mass / solventOf(deck).mass;
    if (relative < 1e-4 || left < 30 || relative * std::ldexp(1.0, bits) > 0x1p22)
      return report.error(fmt::format("population.{}.mass", k),
                          fmt::format("particles of {} have {:.3g} times the mass of those of {}, and masses of a "
                                      "solvent's species go from {:.3g} to {:.3g} of that: more than a cell's sums can "
                                      "hold; bring them nearer together",
                                      quoted(p.name), relative, quoted(solventOf(deck).name), light, heavy));
  }
}

void checkDrives(const Deck& deck, Report& report) {
  int halves = 0, sines = 0;
  for (std::size_t k = 0; k < deck.drives.size(); ++k) {
    const Drive& drive = deck.drives[k];
    if (drive.style == DriveStyle::constant) continue;
    int& same = drive.style == DriveStyle::sine ? sines : halves;
    const int most = drive.style == DriveStyle::sine ? 2 : 4;
    if (++same == most + 1)
      report.error(fmt::format("drive.{}", k), fmt::format("at most {} [[drive]] blocks of this style", most));
  }
}

// Beside its drives, its temperature and its walls a solvent has no numbers that change.
void checkScheduled(const Deck& deck, Report& report) {
  if (isFirstWith(deck, "schedule")) checkSchedules(deck, report);
  const CollisionBlock& c = collisionOf(deck);
  const auto all = schedulesOf(deck);
  for (std::size_t k = 0; k < all.size(); ++k) {
    const std::string path = fmt::format("{}.{}", ScheduleKeys::block, k);
    if (all[k].key.starts_with("box."))
      report.error(path + ".key", "the cells of a collision solvent fill a box that stays: leave the [[schedule]] out");
    if (all[k].key != "run.temperature") continue;
    for (const double value : all[k].values)
      if (value == 0.0)
        return report.error(path + ".values",
                            "values: 0 is no temperature of a collision solvent: without motion nothing collides");
    if (c.style == CollisionStyle::srd && c.thermostat == CellThermostat::none)
      report.warning(path + ".key", "the solvent's collisions conserve energy, and do not follow run.temperature: give "
                                    "collision.thermostat = \"maxwell-boltzmann\"");
  }
}

void checkHeat(const Deck& deck, Report& report) {
  const CollisionBlock& c = collisionOf(deck);
  if (!deck.drives.empty() && c.style == CollisionStyle::srd && c.thermostat == CellThermostat::none)
    report.warning("drive.0", "a driven solvent heats up: nothing takes the heat away without collision.thermostat = "
                              "\"maxwell-boltzmann\" or style = \"andersen\"");
}

}  // namespace

void MpcdBlocks::check(const Deck& deck, Report& report) const {
  std::int64_t particles = 0;
  std::vector<std::size_t> solvents;
  for (std::size_t k = 0; k < deck.populations.size(); ++k) {
    if (&ownerOf(deck.populations[k]) != this) continue;
    checkNumber(deck, k, report);
    refuseTooMany(deck, k, particles, mostParticles, report);
    solvents.push_back(k);
  }
  if (checkBox(deck, report))
    checkWalls(deck, report), checkFluid(deck, solvents.front(), report), checkResolution(deck, report);
  checkMixture(deck, report);
  checkDrives(deck, report);
  checkScheduled(deck, report);
  checkHeat(deck, report);
  checkEmbedded(deck, report);
}

}  // namespace mesowarp::mpcd
