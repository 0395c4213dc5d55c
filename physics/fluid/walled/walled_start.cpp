#include "physics/fluid/walled/walled_start.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <fmt/format.h>
#include <limits>
#include <random>

#include "core/error.hpp"
#include "device/host_loop.hpp"
#include "input/species.hpp"
#include "physics/boundary/deck/layer_stretch.hpp"
#include "physics/boundary/deck/solid_text.hpp"
#include "physics/boundary/deck/wall_tables.hpp"
#include "physics/fluid/chain_start.hpp"
#include "physics/fluid/deck/fluid_checks.hpp"
#include "physics/fluid/deck/wall_trial.hpp"
#include "physics/fluid/walled/fluid_states.hpp"
#include "physics/fluid/walled/surroundings.hpp"
#include "physics/membrane/deck/membrane_deck.hpp"
#include "start/initial_positions.hpp"
#include "start/initial_velocities.hpp"

namespace mesowarp::fluid {
namespace {

class Cutter {
public:
  Cutter(const input::Deck& deck, const Populations& populations, double blockEdge)
      : deck_(deck), populations_(populations), parts_(boundary::solidOf(deck)),
        states_(equilibratedStates(deck, blockEdge)), around_(deck, parts_, states_.copies, cutoff_) {}

  HostParticles cut() {
    chooseStates();
    std::vector<PopulationRun> runs;
    for (const input::Population* population : populations_) {
      const i64 first = particles_.count();
      if (population->initial == Kind::inCells) continue;  // cells are filled behind this
      if (population->initial == Kind::inSolid)
        takeWalls(*population);
      else if (membrane::isMembrane(*population))
        takeCells(*population);
      else if (population->kind == Kind::polymer)
        takeChains(*population);
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
    if (!particles_.image.empty()) particles_.addImages();
    if (!particles_.molecule.empty()) particles_.molecule.resize(static_cast<std::size_t>(particles_.count()), 0U);
    placeChains(deck_, populations_, particles_);
    return std::move(particles_);
  }

private:
  struct Place {
    std::array<u64, 3> at;
    boundary::Solid::Nearest nearest;
    u32 species;  // the block's species are the deck's
  };

  using Copy = std::array<int, 3>;
  Copy copyOf(i64 number) const {
    const auto [x, y, z] = states_.copies;
    return {static_cast<int>(number % x), static_cast<int>(number / x % y), static_cast<int>(number / x / y)};
  }
  i64 copies() const { return i64{states_.copies[0]} * states_.copies[1] * states_.copies[2]; }

  // visit(place, what is around it) for each particle of a state in a copy; distances only of those that are near a
  // surface.
  template <class Visit>
  void forEachIn(const Copy& copy, std::size_t state, const Visit& visit) const {
    const boundary::Solid solid = parts_.view();
    const io::Snapshot& fluid = states_.all[state];
    const auto kindOfCopy = around_.ofCopy(copy);
    for (std::size_t k = 0; k < fluid.species.size(); ++k) {
      std::array<double, 3> place{};
      for (std::size_t axis = 0; axis < 3; ++axis)
        place[axis] = fluid.position[3 * k + axis] + copy[axis] * states_.block.box.size[axis];
      const auto kind = kindOfCopy == Surroundings::near ? around_.at(place) : kindOfCopy;
      visit(kind, place, static_cast<u32>(fluid.species[k]), solid);
    }
  }
  std::array<u64, 3> fixed(const std::array<double, 3>& place) const {
    std::array<u64, 3> at{};
    for (std::size_t axis = 0; axis < 3; ++axis) at[axis] = toFixed(box_, static_cast<int>(axis), place[axis]);
    return at;
  }
  // visit(place) for each particle of a state near a surface, copy by copy; the number of the others in the fluid.
  template <class Visit>
  i64 forEachNear(std::size_t state, const Visit& visit) const {
    i64 inFluid = 0;
    for (i64 c = 0; c < copies(); ++c) {
      const Copy copy = copyOf(c);
      if (const auto kind = around_.ofCopy(copy); kind != Surroundings::near) {
        inFluid += kind == Surroundings::inFluid ? static_cast<i64>(states_.all[state].species.size()) : 0;
        continue;
      }
      forEachIn(copy, state, [&](auto kind, const auto& place, u32 species, const boundary::Solid& solid) {
        inFluid += kind == Surroundings::inFluid ? 1 : 0;
        if (kind != Surroundings::near) return;
        const auto at = fixed(place);
        visit(Place{at, solid({{at[0], at[1], at[2]}}), species});
      });
    }
    return inFluid;
  }

  // Each wall takes the state in which it pushes the fluid most nearly as the mean of all states does, and its layer is
  // stretched until it does as a solid of the mean density (physics/boundary/deck/layer_stretch.hpp). The fluid takes
  // the state with the most nearly mean number.
  void chooseStates() {
    const std::size_t walls = deck_.walls.size(), count = states_.all.size();
    std::vector<std::vector<double>> pushes(count, std::vector<double>(walls * Push::heights, 0.0));
    std::vector<std::vector<double>> numbers(count, std::vector<double>(1, 0.0));
    hostLoop("states of a walled fluid", 0, static_cast<i64>(count), [&](i64 k) {
      const auto state = static_cast<std::size_t>(k);
      i64 number = 0;
      number += forEachNear(state, [&](const Place& p) {
        if (p.nearest.distance >= 0.0) ++number;
        const bool pushing = facesFluid({{p.at[0], p.at[1], p.at[2]}}, p.nearest);
        for (std::size_t h = 0; pushing && h < Push::heights; ++h)
          pushes[state][static_cast<std::size_t>(p.nearest.wall) * Push::heights + h] +=
              Push::of(Push::height(h) - p.nearest.distance / cutoff_);
      });
      numbers[state][0] = static_cast<double>(number);
    });
    ofFluid_ = mostMean(numbers, 0, 1);
    for (std::size_t w = 0; w < walls; ++w) ofWall_.push_back(mostMean(pushes, w * Push::heights, Push::heights));
    stretch_.resize(walls);
    // Hard particles of different states must not meet, nor be moved.
    const auto atWalls = interactionsAtWalls(deck_);
    const bool soft =
        std::all_of(atWalls.begin(), atWalls.end(), [&](std::size_t k) { return isSoft(deck_.interactions[k]); });
    if (!soft) return ofWall_.assign(walls, ofFluid_ = mostMean(pushes, 0, walls * Push::heights));
    const auto wanted = uniformPushes();
    for (std::size_t w = 0; w < walls; ++w) stretch_[w] = stretchOf(w, wanted, pushes);
  }

  // Whether a point is within a cutoff below a surface that has the fluid on its other side: where two solids touch,
  // that is not so.
  bool facesFluid(const boundary::Solid::Point& at, const boundary::Solid::Nearest& nearest) const {
    if (!(nearest.distance < 0.0 && nearest.distance > -cutoff_)) return false;
    const boundary::Solid solid = parts_.view();
    double normal[3], by[3];
    solid.normal(at, normal);
    for (int axis = 0; axis < 3; ++axis) by[axis] = (0.05 * cutoff_ - nearest.distance) * normal[axis];
    return solid(solid.moved(at, by)).distance > 1e-6;
  }

  // Of solids with the fluid's mean density everywhere, at the heights of each wall: the mean of all configurations
  // that there could be. (The states at hand are too few: they are a few units of time, and long waves of the density
  // live as long.) From points in equal cells, at random places in them.
  std::vector<double> uniformPushes() const {
    constexpr double mostPoints = 2097152.0;
    double volume = 1.0;
    for (const double edge : deck_.box.size) volume *= edge;
    const double spacing = std::max(0.1 * cutoff_, std::cbrt(volume / mostPoints));
    std::array<int, 3> cells{};
    for (std::size_t axis = 0; axis < 3; ++axis)
      cells[axis] = std::max(1, static_cast<int>(std::ceil(deck_.box.size[axis] / spacing)));
    const double weight =
        boundary::fluidDensity(deck_) * volume /
        (static_cast<double>(cells[0]) * static_cast<double>(cells[1]) * static_cast<double>(cells[2]));
    std::mt19937_64 random(1);
    const auto place = [&](int cell, std::size_t axis) {
      return (cell + static_cast<double>(random() >> 11) * 0x1p-53) * deck_.box.size[axis] / cells[axis];
    };
    const boundary::Solid solid = parts_.view();
    std::vector<double> pushes(deck_.walls.size() * Push::heights, 0.0);
    for (int z = 0; z < cells[2]; ++z)
      for (int y = 0; y < cells[1]; ++y)
        for (int x = 0; x < cells[0]; ++x) {
          const std::array<double, 3> at{place(x, 0), place(y, 1), place(z, 2)};
          if (around_.at(at) != Surroundings::near) continue;
          const auto point = parts_.point(deck_, at);
          const auto nearest = solid(point);
          const bool pushing = facesFluid(point, nearest);
          for (std::size_t h = 0; pushing && h < Push::heights; ++h)
            pushes[static_cast<std::size_t>(nearest.wall) * Push::heights + h] +=
                weight * Push::of(Push::height(h) - nearest.distance / cutoff_);
        }
    return pushes;
  }

  boundary::LayerStretch stretchOf(std::size_t wall, const std::vector<double>& uniform,
                                   const std::vector<std::vector<double>>& pushes) const {
    std::vector<double> depths, wanted, spread(Push::heights, 0.0);
    forEachNear(ofWall_[wall], [&](const Place& p) {
      if (p.nearest.wall == static_cast<int>(wall) && facesFluid({{p.at[0], p.at[1], p.at[2]}}, p.nearest))
        depths.push_back(-p.nearest.distance / cutoff_);
    });
    for (std::size_t h = 0; h < Push::heights; ++h) {
      wanted.push_back(uniform[wall * Push::heights + h]);
      for (const auto& row : pushes)
        spread[h] += std::pow(row[wall * Push::heights + h] - wanted[h], 2) / static_cast<double>(pushes.size());
      spread[h] = std::sqrt(spread[h]);
    }
    return {depths, wanted, spread};
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
    // take(place) for each of a copy.
    const auto forEachTaken = [&](i64 copy, const auto& take) {
      forEachIn(copyOf(copy), ofFluid_, [&](auto kind, const auto& place, u32 its, const boundary::Solid& solid) {
        if (its != species || kind == Surroundings::inSolid) return;
        const auto at = fixed(place);
        if (kind == Surroundings::inFluid || solid({{at[0], at[1], at[2]}}).distance >= 0.0) take(at);
      });
    };
    std::vector<std::size_t> first(static_cast<std::size_t>(copies()) + 1, 0);
    hostLoop("count of a walled fluid", 0, copies(),
             [&](i64 c) { forEachTaken(c, [&](const auto&) { ++first[static_cast<std::size_t>(c) + 1]; }); });
    first[0] = static_cast<std::size_t>(particles_.count());
    for (std::size_t c = 0; c + 1 < first.size(); ++c) first[c + 1] += first[c];
    particles_.resize(first.back());
    hostLoop("walled fluid", 0, copies(), [&](i64 c) {
      std::size_t k = first[static_cast<std::size_t>(c)];
      forEachTaken(c, [&](const auto& at) {
        particles_.position[k] = at, particles_.velocity[k] = {}, particles_.species[k] = species;
        ++k;
      });
    });
  }

  // Their vertices, which get their places later.
  void takeCells(const input::Population& population) {
    const u32 species = speciesNumber(deck_, population.species);
    const i64 count = membrane::cellCount(population, deck_.box) * membrane::verticesOf(membrane::cellsOf(population));
    for (i64 k = 0; k < count; ++k) add({}, species);
  }

  // With their bonds, angles and dihedrals; their places come later.
  void takeChains(const input::Population& population) {
    HostParticles chains = makeInitialState(deck_, {&population}, ReadState{});
    const u32 first = static_cast<u32>(particles_.count());
    for (int b = 0; b < chains.count(); ++b) add({}, chains.species[static_cast<std::size_t>(b)]);
    particles_.addImages();
    for (auto bond : chains.bonds) particles_.bonds.push_back({bond.a + first, bond.b + first, bond.type});
    addTerms(chains.angles, first, particles_.angles), addTerms(chains.dihedrals, first, particles_.dihedrals);
    if (chains.molecule.empty()) return;
    particles_.molecule.resize(first, 0U);
    for (const u32 number : chains.molecule) particles_.molecule.push_back(number > 0 ? number + lastMolecule_ : 0);
    lastMolecule_ = *std::max_element(particles_.molecule.begin(), particles_.molecule.end());
  }
  template <std::size_t N>
  static void addTerms(const std::vector<HostParticles::Term<N>>& more, u32 first,
                       std::vector<HostParticles::Term<N>>& terms) {
    for (auto term : more) {
      for (u32& tag : term.tag) tag += first;
      terms.push_back(term);
    }
  }

  void takeWalls(const input::Population& population) {
    const u32 species = speciesNumber(deck_, population.species);
    for (std::size_t w = 0; w < deck_.walls.size(); ++w) {
      if (deck_.walls[w].species != population.species || deck_.walls[w].method == input::WallMethod::effective)
        continue;
      std::vector<Place> found;
      forEachNear(ofWall_[w], [&](const Place& p) {
        if (p.nearest.wall == static_cast<int>(w) && p.nearest.distance < 0.0 && p.nearest.distance > -cutoff_)
          found.push_back(p);
      });
      std::vector<unsigned char> taken(found.size(), 0);
      hostLoop("particles of a wall", 0, static_cast<i64>(found.size()), [&](i64 k) {
        Place& p = found[static_cast<std::size_t>(k)];
        if (!fluidIsNear({{p.at[0], p.at[1], p.at[2]}})) return;
        p = stretched(p, w), taken[static_cast<std::size_t>(k)] = 1;
      });
      for (std::size_t k = 0; k < found.size(); ++k)
        if (taken[k] != 0) add(found[k], species);
    }
  }

  Place stretched(Place p, std::size_t wall) const {
    if (!facesFluid({{p.at[0], p.at[1], p.at[2]}}, p.nearest)) return p;
    const double deeper = cutoff_ * stretch_[wall](-p.nearest.distance / cutoff_);
    const boundary::Solid solid = parts_.view();
    boundary::Solid::Point at{{p.at[0], p.at[1], p.at[2]}};
    double normal[3];
    solid.normal(at, normal);
    const double by[3] = {-deeper * normal[0], -deeper * normal[1], -deeper * normal[2]};
    at = solid.moved(at, by);
    if (solid(at).distance < 0.0) p.at = {at.x[0], at.x[1], at.x[2]};
    return p;
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
    return std::any_of(places_.begin(), places_.end(),
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

  using Push = boundary::LayerPush;

  const input::Deck& deck_;
  const Populations& populations_;
  Box box_ = boxOf(deck_);
  boundary::SolidParts parts_;
  FluidStates states_;
  std::size_t ofFluid_ = 0;
  std::vector<std::size_t> ofWall_;
  std::vector<boundary::LayerStretch> stretch_;
  double cutoff_ = input::largestCutoff(deck_);
  std::vector<std::array<double, 3>> places_ = placesWithin(cutoff_);
  Surroundings around_;
  HostParticles particles_;
  u32 lastMolecule_ = 0;
};

}  // namespace

HostParticles makeWalledState(const input::Deck& deck, const Populations& populations, double blockEdge) {
  return Cutter(deck, populations, blockEdge).cut();
}

void fitToWalls(const input::Deck& deck, HostParticles& particles) {
  const boundary::SolidParts parts = boundary::solidOf(deck);
  const boundary::Solid solid = parts.view();
  std::vector<bool> frozen(deck.species.size(), false), cells(deck.species.size(), false);
  for (const auto& population : deck.populations) {
    if (population.frozen)
      for (const auto& species : input::speciesOf(population)) frozen[speciesNumber(deck, species)] = true;
    if (membrane::isMembrane(population)) cells[speciesNumber(deck, population.species)] = true;
  }
  std::atomic<i64> inside = 0;
  hostLoop("fit to walls", 0, particles.count(), [&](i64 i) {
    const auto k = static_cast<std::size_t>(i);
    const boundary::Solid::Point at{{particles.position[k][0], particles.position[k][1], particles.position[k][2]}};
    const auto nearest = solid(at);
    if (nearest.distance >= 0.0 || cells[particles.species[k]]) return;  // cells are placed behind this
    if (!frozen[particles.species[k]]) {
      ++inside;
      return;
    }
    double u[3];
    solid.velocityAt(at, nearest.wall, u);
    particles.velocity[k] = {u[0], u[1], u[2]};
  });
  if (inside > 0)
    throw InputError(fmt::format("{} particles that move would start inside of walls: start from a file in which none "
                                 "does, or leave initial = \"file\" out",
                                 inside.load()));
}

}  // namespace mesowarp::fluid
