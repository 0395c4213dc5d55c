#include "physics/fluid/deck/wall_trial.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>
#include <vector>

#include "input/estimate.hpp"
#include "input/grammar/suggest.hpp"
#include "input/grammar/value.hpp"
#include "input/species.hpp"
#include "physics/fluid/deck/fluid_checks.hpp"

namespace mesowarp::fluid {

using namespace input;

namespace {

// Particles of fluids, beads of chains, frozen particles.
bool meetsWalls(const Population& population) {
  return isOurs(population) && population.kind != Kind::membrane && population.initial != Kind::inCells;
}

struct AtWalls {
  bool moves = false, single = false;  // single: some particles are of no molecule
};

std::map<std::string, AtWalls> speciesAtWalls(const Deck& deck) {
  std::map<std::string, AtWalls> all;
  for (const Population& population : deck.populations) {
    if (!meetsWalls(population)) continue;
    for (const auto& species : speciesOf(population)) {
      AtWalls& of = all[species];
      of.moves = of.moves || !isFrozen(deck, species), of.single = of.single || population.kind != Kind::polymer;
    }
  }
  return all;
}

bool onlyDpd(const Deck& deck) {
  return std::all_of(deck.interactions.begin(), deck.interactions.end(), [](const auto& i) { return isDpd(i); });
}

// Particles of the fluid in a cube of the longest cutoff.
double inACutoff(const Deck& deck) {
  double count = 0.0;
  for (const Population& population : deck.populations)
    if (meetsWalls(population) && !population.frozen) count += static_cast<double>(particleCount(population, deck.box));
  const auto& size = deck.box.size;
  return count / (size[0] * size[1] * size[2]) * std::pow(largestCutoff(deck), 3);
}
constexpr double thin = 0.3;  // below: fewer than 180 particles between the plates
bool isThin(const Deck& deck) { return inACutoff(deck) < thin; }

// A table may be hard; then the run starts from what its deck says, and so does the flow.
bool isOfTrial(const Interaction& interaction) {
  return isSoft(interaction) || interaction.style == FurtherStyle::table || interaction.style == FurtherStyle::manyBody;
}

}  // namespace

std::set<std::size_t> interactionsAtWalls(const Deck& deck) {
  std::set<std::size_t> numbers;
  const auto all = speciesAtWalls(deck);
  for (const auto& [a, ofA] : all)
    for (const auto& [b, ofB] : all) {
      if (!ofA.moves && !ofB.moves) continue;
      for (const Interaction* interaction : interactionsOf(deck, a, b))
        if (!betweenMolecules(*interaction) || ofA.single || ofB.single)
          numbers.insert(static_cast<std::size_t>(interaction - deck.interactions.data()));
    }
  return numbers;
}

bool isSoft(const Interaction& interaction) {
  return hasDpdNoise(interaction) || interaction.style == FurtherStyle::soft;
}

bool leavesFriction(const Wall& wall) { return wall.friction < 0.0 && wall.style == WallStyle::bounce_back; }

bool wantsTrial(const Deck& deck) {
  // The solvent holds what is in it at the wall.
  if (isGiven(deck, "collision") && (!onlyDpd(deck) || isThin(deck))) return false;
  return std::any_of(deck.walls.begin(), deck.walls.end(),
                     [](const Wall& wall) { return leavesFriction(wall) || wall.method == WallMethod::effective; });
}

std::string whyNoTrial(const Deck& deck) {
  if (isThin(deck))
    return fmt::format("the fluid has {:.2g} particles in a cube of its cutoff, and a flow that tells it needs {}",
                       inACutoff(deck), thin);
  if (onlyDpd(deck)) return {};
  for (const std::size_t k : interactionsAtWalls(deck))
    if (const Interaction& i = deck.interactions[k]; !isOfTrial(i))
      return fmt::format("style = {} ({}) acts in the fluid, and is too hard for the flow that tells it",
                         quoted(i.style),
                         !i.where.option.empty() ? i.where.option : fmt::format("line {}", i.where.line));
  for (const auto& [species, of] : speciesAtWalls(deck))
    if (of.moves && !dpdInteraction(deck, species, species))
      return fmt::format("particles of {} have no friction of DPD among them, which the flow that tells it needs",
                         quoted(species));
  return {};
}

std::string frictionNotFound(const Deck& deck) {
  if (!wantsTrial(deck)) return {};
  std::vector<std::string> open;
  for (const Wall& wall : deck.walls)
    if (leavesFriction(wall)) open.push_back(wall.name);
  const std::string why = open.empty() ? std::string() : whyNoTrial(deck);
  if (why.empty()) return {};
  return fmt::format(
      "the friction of wall{} {} is not looked for: {}. So the fluid may slip there; measure in a Couette "
      "flow what stops it, and give that as friction, or friction = 0.0 if it may slip",
      open.size() == 1 ? "" : "s", enumerate(open, "and"), why);
}

}  // namespace mesowarp::fluid
