#include "physics/fluid/walled_start.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/error.hpp"
#include "device/host_loop.hpp"
#include "input/species.hpp"
#include "physics/boundary/deck/solid_text.hpp"
#include "physics/fluid/deck/fluid_blocks.hpp"
#include "physics/fluid/deck/fluid_checks.hpp"
#include "physics/fluid/fluid.hpp"
#include "start/initial_positions.hpp"
#include "start/initial_velocities.hpp"

namespace mesowarp::fluid {
namespace {

constexpr double blockEdge = 10.0;       // in cutoffs: what repeats beyond that far nobody sees
constexpr double equilibrateFor = 10.0;  // in units of time of the deck

// A periodic block of the fluid alone, of which whole copies fill the box.
struct Block {
  input::Deck deck;
  std::array<int, 3> copies{};
};

Block blockOf(const input::Deck& deck) {
  Block block;
  input::Deck& own = block.deck = deck;
  own.walls.clear(), own.shapes.clear(), own.boundaries.clear(), own.drives.clear();
  own.faces = {};
  const double reach = input::largestCutoff(deck) + deck.neighbor.skin,
               edge = std::max(blockEdge * input::largestCutoff(deck), 2.05 * reach);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    block.copies[axis] = std::max(1, static_cast<int>(std::floor(deck.box.size[axis] / edge)));
    own.box.size[axis] = deck.box.size[axis] / block.copies[axis];
    own.box.periodic[axis] = true;
    if (own.box.size[axis] < 2.0 * reach)
      throw InputError(fmt::format("box.size along {} is {}: the fluid that walls are cut from is periodic, and needs "
                                   "at least 2 (cutoff + skin) = {:.6g}",
                                   "xyz"[axis], deck.box.size[axis], 2.0 * reach));
  }
  own.populations.clear();
  for (const auto& population : deck.populations) {
    if (!isOurs(population) || population.frozen) continue;
    own.populations.push_back(population);
    own.populations.back().velocity = {};
  }
  own.bonds.clear();
  return block;
}

// Positions and species at the end of the block's own run.
io::Snapshot equilibrated(const Block& block) {
  const HostParticles start = mesowarp::makeInitialState(block.deck);
  const auto engine = startEngine(block.deck, start);
  const auto steps = static_cast<i64>(std::ceil(equilibrateFor / block.deck.run.timestep));
  for (i64 step = 0; step <= steps; ++step) {
    Wanted wanted;
    wanted.velocities = wanted.snapshot = step == steps;
    engine->rebuildIfDue(step);
    engine->advance(step, wanted);
    if (step == steps || step % 100 == 0)
      if (const auto failure = engine->failure())
        throw RunError("the fluid that walls are cut from, before the run: " + *failure);
  }
  return engine->snapshot(steps);
}

class Cutter {
public:
  Cutter(const input::Deck& deck, const Populations& populations)
      : deck_(deck), populations_(populations), parts_(boundary::solidOf(deck)), block_(blockOf(deck)),
        fluid_(equilibrated(block_)) {}

  HostParticles cut() {
    std::vector<PopulationRun> runs;
    for (const input::Population* population : populations_) {
      const i64 first = particles_.count();
      if (population->initial == Kind::inSolid)
        take([&](const Place& p) {
          return inWallsOf(*population, p) ? speciesNumber(deck_, population->species) : none;
        });
      else if (!population->frozen)
        take([&](const Place& p) { return p.nearest.distance >= 0.0 ? ofPopulation(*population, p.species) : none; });
      else
        throw InputError(fmt::format("population \"{}\" is frozen, but in no [[wall]]", population->name));
      runs.push_back({population, first, particles_.count(), true});
    }
    InitialVelocities velocities(deck_, runs);
    velocities.draw(particles_, 0);
    velocities.addMomentum(particles_, 0);
    if (velocities.scales()) velocities.addKinetic(particles_, 0);
    velocities.adjust(particles_, 0);
    return std::move(particles_);
  }

private:
  static constexpr u32 none = ~u32{0};
  struct Place {
    boundary::Solid::Point at;
    boundary::Solid::Nearest nearest;
    u32 species;
  };

  bool inWallsOf(const input::Population& population, const Place& p) const {
    return p.nearest.distance < 0.0 && p.nearest.distance > -input::largestCutoff(deck_) &&
           deck_.walls[static_cast<std::size_t>(p.nearest.wall)].species == population.species && fluidIsNear(p.at);
  }
  // Whether there is a place for the fluid within the largest cutoff. Where two solids touch, the distance is zero, and
  // there is none.
  bool fluidIsNear(const boundary::Solid::Point& at) const {
    const boundary::Solid solid = parts_.view();
    return std::any_of(around_.begin(), around_.end(),
                       [&](const auto& by) { return solid(solid.moved(at, by.data())).distance > 1e-6; });
  }
  static std::vector<std::array<double, 3>> placesWithin(double radius) {
    constexpr int cells = 7;
    std::vector<std::array<double, 3>> places;
    for (int z = -cells; z <= cells; ++z)
      for (int y = -cells; y <= cells; ++y)
        for (int x = -cells; x <= cells; ++x)
          if (x * x + y * y + z * z <= cells * cells)
            places.push_back({x * radius / cells, y * radius / cells, z * radius / cells});
    // The furthest are the likeliest to be in the fluid.
    const auto squared = [](const auto& v) { return v[0] * v[0] + v[1] * v[1] + v[2] * v[2]; };
    std::stable_sort(places.begin(), places.end(),
                     [&](const auto& a, const auto& b) { return squared(a) > squared(b); });
    return places;
  }
  // The block's species are the deck's.
  u32 ofPopulation(const input::Population& population, u32 species) const {
    return deck_.species[species] == population.species ? species : none;
  }

  // Adds the particles to which `species` gives one, copy by copy.
  template <class Species>
  void take(const Species& speciesOf) {
    const boundary::Solid solid = parts_.view();
    const auto& size = block_.deck.box.size;
    for (int z = 0; z < block_.copies[2]; ++z)
      for (int y = 0; y < block_.copies[1]; ++y)
        for (int x = 0; x < block_.copies[0]; ++x) {
          const double shift[3] = {x * size[0], y * size[1], z * size[2]};
          for (std::size_t k = 0; k < fluid_.species.size(); ++k) {
            std::array<u64, 3> at{};
            for (int axis = 0; axis < 3; ++axis)
              at[static_cast<std::size_t>(axis)] =
                  toFixed(box_, axis, fluid_.position[3 * k + static_cast<std::size_t>(axis)] + shift[axis]);
            const boundary::Solid::Point point{{at[0], at[1], at[2]}};
            const Place place{point, solid(point), static_cast<u32>(fluid_.species[k])};
            const u32 species = speciesOf(place);
            if (species == none) continue;
            particles_.position.push_back(at);
            particles_.velocity.push_back({});
            particles_.species.push_back(species);
          }
        }
  }

  const input::Deck& deck_;
  const Populations& populations_;
  Box box_ = boxOf(deck_);
  boundary::SolidParts parts_;
  Block block_;
  io::Snapshot fluid_;
  std::vector<std::array<double, 3>> around_ = placesWithin(input::largestCutoff(deck_));
  HostParticles particles_;
};

}  // namespace

HostParticles makeWalledState(const input::Deck& deck, const Populations& populations) {
  return Cutter(deck, populations).cut();
}

void fitToWalls(const input::Deck& deck, HostParticles& particles) {
  const boundary::SolidParts parts = boundary::solidOf(deck);
  const boundary::Solid solid = parts.view();
  std::vector<bool> frozen(deck.species.size(), false);
  for (const auto& population : deck.populations)
    if (population.frozen)
      for (const auto& species : input::speciesOf(population)) frozen[speciesNumber(deck, species)] = true;
  i64 inside = 0;
  for (int i = 0; i < particles.count(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    const boundary::Solid::Point at{{particles.position[k][0], particles.position[k][1], particles.position[k][2]}};
    const auto nearest = solid(at);
    if (nearest.distance >= 0.0) continue;
    if (!frozen[particles.species[k]]) {
      ++inside;
      continue;
    }
    double u[3];
    solid.velocityAt(at, nearest.wall, u);
    particles.velocity[k] = {u[0], u[1], u[2]};
  }
  if (inside > 0)
    throw InputError(fmt::format("{} particles that move would start inside of walls: start from a file in which none "
                                 "does, or leave initial = \"file\" out",
                                 inside));
}

}  // namespace mesowarp::fluid
