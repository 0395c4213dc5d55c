#include "physics/fluid/walled_start.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <limits>

#include "core/error.hpp"
#include "input/species.hpp"
#include "physics/boundary/deck/solid_text.hpp"
#include "physics/fluid/deck/fluid_checks.hpp"
#include "physics/fluid/fluid_states.hpp"
#include "start/initial_positions.hpp"
#include "start/initial_velocities.hpp"

namespace mesowarp::fluid {
namespace {

class Cutter {
public:
  Cutter(const input::Deck& deck, const Populations& populations)
      : deck_(deck), populations_(populations), parts_(boundary::solidOf(deck)), states_(equilibratedStates(deck)) {}

  HostParticles cut() {
    chooseStates();
    std::vector<PopulationRun> runs;
    for (const input::Population* population : populations_) {
      const i64 first = particles_.count();
      if (population->initial == Kind::inSolid)
        takeWalls(*population);
      else if (!population->frozen)
        takeFluid(*population);
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
  struct Place {
    std::array<u64, 3> at;
    boundary::Solid::Nearest nearest;
    u32 species;  // the block's species are the deck's
  };

  // visit(place) for each particle of a state, copy by copy.
  template <class Visit>
  void forEach(std::size_t state, const Visit& visit) const {
    const boundary::Solid solid = parts_.view();
    const io::Snapshot& fluid = states_.all[state];
    const auto& size = states_.block.box.size;
    for (int z = 0; z < states_.copies[2]; ++z)
      for (int y = 0; y < states_.copies[1]; ++y)
        for (int x = 0; x < states_.copies[0]; ++x) {
          const std::array<double, 3> shift{x * size[0], y * size[1], z * size[2]};
          for (std::size_t k = 0; k < fluid.species.size(); ++k) {
            std::array<u64, 3> at{};
            for (std::size_t axis = 0; axis < 3; ++axis)
              at[axis] = toFixed(box_, static_cast<int>(axis), fluid.position[3 * k + axis] + shift[axis]);
            visit(Place{at, solid({{at[0], at[1], at[2]}}), static_cast<u32>(fluid.species[k])});
          }
        }
  }

  // What is frozen does not average itself out, and a fluid next to a layer that is a few per cent too dense for good
  // is as much too thin. So each wall takes the state in which it pushes the fluid most nearly as the mean of all
  // states does, at some heights h above its surface. From a plane with n particles of depth d an area feels the mean
  // force
  //   sum over them of 2 pi a (d + h) (r_c - d - h)^2 / (2 r_c),
  // a the repulsion, which is the same in all states. The fluid takes the state with the most nearly mean number.
  void chooseStates() {
    const std::size_t walls = deck_.walls.size(), count = states_.all.size();
    const double cutoff = input::largestCutoff(deck_);
    std::vector<std::vector<double>> pushes(count, std::vector<double>(walls * heights, 0.0));
    std::vector<std::vector<double>> numbers(count, std::vector<double>(1, 0.0));
    for (std::size_t state = 0; state < count; ++state)
      forEach(state, [&](const Place& p) {
        if (p.nearest.distance >= 0.0) numbers[state][0] += 1.0;
        for (std::size_t h = 0; p.nearest.distance < 0.0 && h < heights; ++h) {
          const double s = static_cast<double>(h) / heights - p.nearest.distance / cutoff;
          if (s < 1.0)
            pushes[state][static_cast<std::size_t>(p.nearest.wall) * heights + h] += s * (1.0 - s) * (1.0 - s);
        }
      });
    ofFluid_ = mostMean(numbers, 0, 1);
    for (std::size_t w = 0; w < walls; ++w) ofWall_.push_back(mostMean(pushes, w * heights, heights));
    // Hard particles of different states must not meet.
    const bool soft = std::all_of(deck_.interactions.begin(), deck_.interactions.end(),
                                  [](const auto& i) { return i.style == input::InteractionStyle::dpd; });
    if (!soft) ofWall_.assign(walls, ofFluid_ = mostMean(pushes, 0, walls * heights));
  }

  // The row whose numbers first, first + 1, ... are nearest to their means, in units of how they scatter.
  static std::size_t mostMean(const std::vector<std::vector<double>>& rows, std::size_t first, std::size_t count) {
    std::vector<double> off(rows.size(), 0.0);
    for (std::size_t k = first; k < first + count; ++k) {
      double mean = 0.0, spread = 0.0;
      for (const auto& row : rows) mean += row[k] / static_cast<double>(rows.size());
      for (const auto& row : rows) spread += (row[k] - mean) * (row[k] - mean);
      for (std::size_t r = 0; spread > 0.0 && r < rows.size(); ++r)
        off[r] += (rows[r][k] - mean) * (rows[r][k] - mean) / spread;
    }
    return static_cast<std::size_t>(std::min_element(off.begin(), off.end()) - off.begin());
  }

  void takeFluid(const input::Population& population) {
    const u32 species = speciesNumber(deck_, population.species);
    forEach(ofFluid_, [&](const Place& p) {
      if (p.nearest.distance >= 0.0 && p.species == species) add(p, species);
    });
  }

  void takeWalls(const input::Population& population) {
    const u32 species = speciesNumber(deck_, population.species);
    for (std::size_t w = 0; w < deck_.walls.size(); ++w) {
      if (deck_.walls[w].species != population.species) continue;
      forEach(ofWall_[w], [&](const Place& p) {
        if (p.nearest.wall == static_cast<int>(w) && p.nearest.distance < 0.0 &&
            p.nearest.distance > -input::largestCutoff(deck_) && fluidIsNear({{p.at[0], p.at[1], p.at[2]}}))
          add(p, species);
      });
    }
  }

  void add(const Place& p, u32 species) {
    particles_.position.push_back(p.at);
    particles_.velocity.push_back({});
    particles_.species.push_back(species);
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

  static constexpr std::size_t heights = 4;

  const input::Deck& deck_;
  const Populations& populations_;
  Box box_ = boxOf(deck_);
  boundary::SolidParts parts_;
  FluidStates states_;
  std::size_t ofFluid_ = 0;
  std::vector<std::size_t> ofWall_;
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
