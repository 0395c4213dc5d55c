#include "physics/mpcd/deck/mpcd_walls.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "input/grammar/value.hpp"
#include "input/method.hpp"
#include "input/species.hpp"
#include "physics/boundary/deck/fluid_volume.hpp"
#include "physics/boundary/deck/solid_checks.hpp"
#include "physics/integrate/schedule.hpp"
#include "physics/mpcd/deck/mpcd_blocks.hpp"
#include "physics/mpcd/deck/solvents.hpp"

namespace mesowarp::mpcd {

using namespace input;

boundary::SolidReach reachOfCells(const Deck& deck) {
  const double cell = collisionOf(deck).cell;
  return {cell, 2.5 * cell, "collision cell"};
}

boundary::SolidParts solidAround(const Deck& deck) { return boundary::solidOf(deck, reachOfCells(deck)); }

namespace {

double square(double x) { return x * x; }

// A component of what a wall's motion is at some step, without its sign.
double fastestEver(const Deck& deck, std::size_t w, const char* motion, std::size_t axis) {
  const Wall& wall = deck.walls[w];
  double fastest = 0.0;
  for (const double v : valuesEver(deck, fmt::format("wall.{}.{}.{}", w, motion, "xyz"[axis]),
                                   std::string(motion) == "spin" ? wall.spin[axis] : wall.velocity[axis]))
    fastest = std::max(fastest, std::abs(v));
  return fastest;
}

// Of a wall's surface.
double fastestWall(const Deck& deck) {
  double fastest = 0.0;
  for (std::size_t w = 0; w < deck.walls.size(); ++w) {
    double moves = 0.0, turns = 0.0, across = 0.0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      moves += square(fastestEver(deck, w, "velocity", axis)), turns += square(fastestEver(deck, w, "spin", axis));
      across += 0.25 * deck.box.size[axis] * deck.box.size[axis];  // nearest images are no further
    }
    fastest = std::max(fastest, std::sqrt(moves) + std::sqrt(turns * across));
  }
  return fastest;
}

// free, bounced: how many times the spread of a component; of those that come from a wall.
double speedWith(const Deck& deck, double free, double bounced) {
  double limit = 0.0;
  const double temperature = hottest(deck), wall = fastestWall(deck);
  for (const Population* solvent : solventsOf(deck))
    limit = std::max({limit, speedLimit(*solvent, temperature, free),
                      bounced * std::sqrt(temperature / solvent->mass) + 2.0 * wall});
  return limit;
}

}  // namespace

double speedLimit(const Deck& deck) { return speedWith(deck, 16.0, 12.0); }
double usualSpeed(const Deck& deck) { return speedWith(deck, 7.5, 7.5); }

double crowding(const Deck& deck) { return deck.walls.empty() ? 1.0 : std::max(1.0, collisionOf(deck).virtualDensity); }

void completeWalls(BlocksRead& read) {
  Deck& deck = read.deck;
  if (deck.walls.empty()) return;
  for (const char* block : {"wall", "shape", "box", "population", "collision"})
    if (read.broken.count(block)) return;
  double room = 1.0;
  try {
    room = boundary::fluidPart(deck, solidAround(deck));
  } catch (const boundary::SolidError&) {
    return;  // will be told
  }
  for (Population& population : deck.populations)
    if (&ownerOf(population) == &mpcdBlocks()) population.own.get<SolventRoom>().part = room;
}

namespace {

// Without a cell of depth what is on its two sides meets in the same cells.
void checkDepth(const Deck& deck, const boundary::SolidParts& parts, Report& report) {
  const double cell = collisionOf(deck).cell;
  const boundary::Solid solid = parts.view();
  std::vector<double> deepest(deck.walls.size(), 0.0);
  double widest = 0.0;
  constexpr int points = 96;
  for (int k = 0; k < points; ++k)
    for (int j = 0; j < points; ++j)
      for (int i = 0; i < points; ++i) {
        const auto [distance, wall] =
            solid(parts.point(deck, {(i + 0.5) / points * deck.box.size[0], (j + 0.5) / points * deck.box.size[1],
                                     (k + 0.5) / points * deck.box.size[2]}));
        auto& deep = deepest[static_cast<std::size_t>(wall)];
        deep = std::max(deep, -distance);
        widest = std::max(widest, distance);
      }
  for (std::size_t w = 0; w < deck.walls.size(); ++w)
    if (deepest[w] > 0.0 && deepest[w] < 0.45 * cell)
      report.warning(fmt::format("wall.{}.solid", w),
                     fmt::format("wall {} is thinner than a collision cell, {}: the solvent on its two sides meets "
                                 "through it; make it thicker, or collision.cell smaller",
                                 quoted(deck.walls[w].name), cell));
  if (widest > 0.0 && widest < 1.4 * cell)
    report.warning("wall.0.solid", fmt::format("the walls are nowhere more than {:.3g} apart, and flows need at least "
                                               "three collision cells of {}: make collision.cell smaller",
                                               2.0 * widest, cell));
}

}  // namespace

void checkWalls(const Deck& deck, Report& report) {
  const bool first = isFirstWith(deck, "wall");
  if (first && !boundary::checkSolid(deck, reachOfCells(deck), report)) return;
  if (deck.walls.empty()) return;
  const auto turning = std::find_if(deck.walls.begin(), deck.walls.end(),
                                    [](const Wall& wall) { return wall.spin != std::array<double, 3>{}; });
  if (turning != deck.walls.end() && !collisionOf(deck).angular)
    report.warning(fmt::format("wall.{}.spin", turning - deck.walls.begin()),
                   "collisions that do not keep angular momentum let a solvent turn otherwise than its wall, by some "
                   "percent: give collision.conserve_angular_momentum = true");
  constexpr int most = 65535;  // places of virtual particles in a cell are found by a multiplication
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double cells = std::round(deck.box.size[axis] / collisionOf(deck).cell);
    if (first && cells > most)
      report.error("box.size",
                   fmt::format("the box has {} collision cells along {}, and with a [[wall]] at most {} are "
                               "possible: make it shorter, or collision.cell larger",
                               cells, "xyz"[axis], most));
  }
  try {
    checkDepth(deck, solidAround(deck), report);
  } catch (const boundary::SolidError&) {
  }
  for (std::size_t k = 0; first && k < deck.walls.size(); ++k)
    if (deck.walls[k].species != Wall{}.species)  // a resolved deck has the usual one
      report.error(fmt::format("wall.{}.species", k),
                   "walls of a collision solvent have no frozen particles: leave species out");
}

}  // namespace mesowarp::mpcd
