// Initial states, made on the host from numbers keyed by tag, so that they are the same on any machine.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

#include "app/checkpoint_state.hpp"
#include "core/error.hpp"
#include "core/random.hpp"
#include "input/diagnostic.hpp"
#include "input/physics_check.hpp"
#include "input/species.hpp"
#include "io/initial_file.hpp"

namespace mesowarp {
namespace {

using Point = std::array<double, 3>;

// Adds particles of one population to the state; knows the box and the deck.
class Builder {
 public:
  explicit Builder(const input::Deck& deck) : deck_(deck), box_(boxOf(deck)) {}

  void add(const input::Population& population) {
    first_ = particles_.count();
    if (population.initial == input::InitialState::file)
      fromFile(population);
    else if (population.kind == input::PopulationKind::polymer)
      chains(population);
    else if (population.initial == input::InitialState::lattice)
      lattice(population);
    else
      random(population);
    velocities_.push_back(&population);
    ends_.push_back(particles_.count());
  }

  HostParticles finish() {
    giveVelocities();
    return std::move(particles_);
  }

 private:
  u32 nextTag() const { return static_cast<u32>(particles_.count()); }

  u32 speciesOf(const std::string& name) const {
    const auto it = std::find(deck_.species.begin(), deck_.species.end(), name);
    if (it == deck_.species.end()) throw InputError("unknown species '" + name + "'");
    return static_cast<u32>(it - deck_.species.begin());
  }

  void place(const Point& at, u32 species) {
    particles_.position.push_back({toFixed(box_, 0, at[0]), toFixed(box_, 1, at[1]), toFixed(box_, 2, at[2])});
    particles_.velocity.push_back({});
    particles_.species.push_back(species);
  }

  Point randomPoint(u32 tag) const {
    TagRandom random(deck_.run.seed, Stream::initialPosition, tag);
    Point at{};
    for (int axis = 0; axis < 3; ++axis) at[axis] = random.uniform() * box_.size[axis];
    return at;
  }

  void random(const input::Population& population) {
    const i64 count = input::particleCount(population, deck_.box);
    const u32 species = speciesOf(population.species);
    for (i64 k = 0; k < count; ++k) place(randomPoint(nextTag()), species);
  }

  // Simple cubic sites, the fewest that hold the count; sites left over are spread evenly.
  void lattice(const input::Population& population) {
    const i64 count = input::particleCount(population, deck_.box);
    const u32 species = speciesOf(population.species);
    std::array<i64, 3> sites{1, 1, 1};
    double spacing = std::cbrt(box_.volume() / static_cast<double>(count));
    while (sites[0] * sites[1] * sites[2] < count) {
      for (int axis = 0; axis < 3; ++axis)
        sites[axis] = std::max<i64>(1, static_cast<i64>(std::floor(box_.size[axis] / spacing + 1e-9)));
      spacing *= 0.999;
    }
    const i64 all = sites[0] * sites[1] * sites[2];
    for (i64 k = 0; k < count; ++k) {
      const i64 site = k * all / count;
      const std::array<i64, 3> at{site % sites[0], site / sites[0] % sites[1], site / (sites[0] * sites[1])};
      Point p{};
      for (int axis = 0; axis < 3; ++axis)
        p[axis] = (static_cast<double>(at[axis]) + 0.5) * box_.size[axis] / static_cast<double>(sites[axis]);
      place(p, species);
    }
  }

  // Random walks of fixed step; a step that would leave through a wall is drawn again.
  void chains(const input::Population& population) {
    const i64 beads = static_cast<i64>(population.blocks.size());
    const i64 molecules = input::particleCount(population, deck_.box) / beads;
    const int bond = bondOf(population.name, 0);
    std::vector<u32> species;
    for (const auto& name : input::beadSpecies(population)) species.push_back(speciesOf(name));
    for (i64 m = 0; m < molecules; ++m) {
      Point at = randomPoint(nextTag());
      for (i64 b = 0; b < beads; ++b) {
        const u32 tag = nextTag();
        if (b > 0) {
          at = chainStep(at, tag, population.bond_length);
          if (bond >= 0) particles_.bonds.push_back({tag - 1, tag, bond});
        }
        place(at, species[static_cast<std::size_t>(b)]);
      }
    }
  }

  Point chainStep(const Point& from, u32 tag, double length) const {
    TagRandom random(deck_.run.seed, Stream::chainStep, tag);
    for (;;) {
      Point d{random.gaussian(), random.gaussian(), random.gaussian()};
      const double norm = std::sqrt(d[0] * d[0] + d[1] * d[1] + d[2] * d[2]);
      bool inside = true;
      for (int axis = 0; axis < 3; ++axis) {
        d[axis] = from[axis] + d[axis] / norm * length;
        if (box_.periodic[axis]) d[axis] -= std::floor(d[axis] / box_.size[axis]) * box_.size[axis];
        inside = inside && d[axis] >= 0.0 && d[axis] < box_.size[axis];
      }
      if (inside) return d;
    }
  }

  // The deck's bond block for a population and bond type; -1: none.
  int bondOf(const std::string& population, int type) const {
    for (std::size_t k = 0; k < deck_.bonds.size(); ++k)
      if (deck_.bonds[k].population == population && (deck_.bonds[k].type == 0 || type == 0 || deck_.bonds[k].type == type))
        return static_cast<int>(k);
    return -1;
  }

  // An error about what the population's file holds, with the deck's line.
  [[noreturn]] void refuse(const input::Population& population, const std::string& message) const {
    const auto path = fmt::format("population.{}.file", &population - deck_.populations.data());
    throw InputError(input::format({input::sourceOf(deck_, path), population.file + ": " + message}, deck_.file));
  }

  void fromFile(const input::Population& population) {
    const io::InitialState state =
        io::looksLikeCheckpoint(population.file) ? stateOfCheckpoint(population.file) : io::readInitialFile(population.file);
    for (int axis = 0; axis < 3; ++axis)
      if (state.box[axis] > 0.0 && std::abs(state.box[axis] - box_.size[axis]) > 1e-6 * box_.size[axis])
        refuse(population, fmt::format("its box edge is {:.9g} along {}, but box.size is {:.9g}: a state is read into the box "
                                       "it is of", state.box[axis], "xyz"[axis], box_.size[axis]));
    for (const double mass : state.massOfType)
      if (mass > 0.0 && mass != population.mass)
        refuse(population, fmt::format("its particles have mass {:.9g}, population \"{}\" has {:.9g}: set its mass", mass,
                                       population.name, population.mass));
    for (std::size_t k = 0; k < state.type.size(); ++k) {
      place({state.position[3 * k], state.position[3 * k + 1], state.position[3 * k + 2]}, fileSpecies(population, state, k));
      if (!state.velocity.empty())
        particles_.velocity.back() = {state.velocity[3 * k], state.velocity[3 * k + 1], state.velocity[3 * k + 2]};
    }
    keepVelocities_[velocities_.size()] = !state.velocity.empty();
    for (const auto& bond : state.bonds) {
      const int block = bondOf(population.name, bond.type);
      if (block < 0)
        refuse(population, fmt::format("bond type {} has no [[bond]] block for population \"{}\"", bond.type,
                                       population.name));
      particles_.bonds.push_back({static_cast<u32>(first_ + bond.a), static_cast<u32>(first_ + bond.b), block});
    }
  }

  u32 fileSpecies(const input::Population& population, const io::InitialState& state, std::size_t k) const {
    const std::size_t type = static_cast<std::size_t>(state.type[k]);
    if (!population.types.empty()) {
      if (type > population.types.size())
        refuse(population, fmt::format("it has particles of type {}, but types names {} species", type,
                                       population.types.size()));
      return speciesOf(population.types[type - 1]);
    }
    if (!state.speciesNames.empty() && type <= state.speciesNames.size()) {
      const auto& name = state.speciesNames[type - 1];
      if (std::find(deck_.species.begin(), deck_.species.end(), name) != deck_.species.end()) return speciesOf(name);
    }
    return speciesOf(population.species);
  }

  // Maxwell velocities; net momentum removed and, where all share one temperature, scaled to it exactly. Velocities
  // from a file stay as they are.
  void giveVelocities() {
    const std::vector<double> masses = massesOf(deck_);
    const int n = particles_.count();
    std::vector<bool> fresh(n, true);
    int start = 0;
    for (std::size_t p = 0; p < velocities_.size(); ++p) {
      const auto& population = *velocities_[p];
      const double kT = population.temperature < 0.0 ? deck_.run.temperature : population.temperature;
      const auto kept = keepVelocities_.find(p);
      for (int i = start; i < ends_[p]; ++i) {
        fresh[i] = kept == keepVelocities_.end() || !kept->second;
        if (!fresh[i]) continue;
        TagRandom random(deck_.run.seed, Stream::initialVelocity, static_cast<u32>(i));
        const double width = std::sqrt(kT / masses[particles_.species[i]]);
        for (double& v : particles_.velocity[i]) v = width * random.gaussian();
      }
      start = ends_[p];
    }
    removeMomentum(masses, fresh);
    start = 0;
    for (std::size_t p = 0; p < velocities_.size(); start = ends_[p++])
      for (int i = start; i < ends_[p]; ++i)
        for (int axis = 0; axis < 3; ++axis) particles_.velocity[i][axis] += velocities_[p]->velocity[axis];
  }

  void removeMomentum(const std::vector<double>& masses, const std::vector<bool>& fresh) {
    Point momentum{};
    double mass = 0.0, kinetic = 0.0;
    i64 count = 0;
    for (int i = 0; i < particles_.count(); ++i) {
      if (!fresh[i]) continue;
      const double m = masses[particles_.species[i]];
      for (int axis = 0; axis < 3; ++axis) momentum[axis] += m * particles_.velocity[i][axis];
      mass += m;
      ++count;
    }
    if (count < 2) return;
    for (int i = 0; i < particles_.count(); ++i) {
      if (!fresh[i]) continue;
      for (int axis = 0; axis < 3; ++axis) {
        particles_.velocity[i][axis] -= momentum[axis] / mass;
        kinetic += masses[particles_.species[i]] * particles_.velocity[i][axis] * particles_.velocity[i][axis];
      }
    }
    const double kT = oneTemperature();
    if (kT < 0.0 || kinetic <= 0.0) return;
    const double scale = std::sqrt(kT * 3.0 * static_cast<double>(count - 1) / kinetic);
    for (int i = 0; i < particles_.count(); ++i)
      if (fresh[i])
        for (double& v : particles_.velocity[i]) v *= scale;
  }

  double oneTemperature() const {
    double kT = -1.0;
    for (const auto* population : velocities_) {
      const double own = population->temperature < 0.0 ? deck_.run.temperature : population->temperature;
      if (kT >= 0.0 && own != kT) return -1.0;
      kT = own;
    }
    return kT;
  }

  const input::Deck& deck_;
  Box box_;
  HostParticles particles_;
  int first_ = 0;
  std::vector<const input::Population*> velocities_;
  std::vector<int> ends_;
  std::map<std::size_t, bool> keepVelocities_;
};

}  // namespace

Box boxOf(const input::Deck& deck) { return {deck.box.size, deck.box.periodic}; }

std::vector<double> massesOf(const input::Deck& deck) {
  std::vector<double> masses;
  for (const auto& species : deck.species) masses.push_back(input::massOf(deck, species));
  return masses;
}

int HostParticles::mostBondsOfAParticle() const {
  std::vector<int> bondsOf(position.size(), 0);
  for (const auto& bond : bonds) ++bondsOf[bond.a], ++bondsOf[bond.b];
  return bondsOf.empty() ? 0 : *std::max_element(bondsOf.begin(), bondsOf.end());
}

HostParticles makeInitialState(const input::Deck& deck) {
  Builder builder(deck);
  for (const auto& population : deck.populations) builder.add(population);
  return builder.finish();
}

}  // namespace mesowarp
