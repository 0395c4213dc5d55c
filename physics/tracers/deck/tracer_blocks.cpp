#include "physics/tracers/deck/tracer_blocks.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <utility>

#include "input/grammar/value.hpp"
#include "input/physics_check.hpp"
#include "input/schema.hpp"

namespace mesowarp::tracers {
namespace {

using namespace input;

bool isOneOf(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

void checkNumber(const Deck& deck, std::size_t k, Report& report) {
  const Population& tracers = deck.populations[k];
  const std::string path = fmt::format("population.{}", k), name = quoted(tracers.name);
  if (tracers.density > 0.0 && tracers.count > 0)
    report.error(path + ".count", fmt::format("population {} has both density and count: give one", name));
  else if (particleCount(tracers, deck.box) == 0)
    report.error(path, fmt::format("population {} has no tracers: give density or count, or more of it", name));
}

// Coordinates are fractions of the box: a step is told from its nearest image if it is less than half a period, and one
// reflection brings it back between walls if it is less than the box. No random number is above 6.8.
void checkStep(const Deck& deck, std::size_t k, Report& report) {
  const Population& tracers = deck.populations[k];
  const double dt = deck.run.timestep, width = 7.0 * std::sqrt(2.0 * diffusionOf(tracers) * dt);
  for (std::size_t axis = 0; axis < 3; ++axis) {
    const double step = width + std::abs(tracers.velocity[axis]) * dt;
    const double room = deck.box.size[axis] * (deck.box.periodic[axis] ? 0.5 : 1.0);
    if (step < room) continue;
    return report.error(
        fmt::format("population.{}.diffusion", k),
        fmt::format("tracers of population {} may move {:.3g} along {} in one step, and must stay below {:.3g}: lower "
                    "run.timestep, or widen the box",
                    quoted(tracers.name), step, "xyz"[axis], room));
  }
}

void warnOfWalls(const Deck& deck, std::size_t k, Report& report) {
  if (deck.walls.empty()) return;
  report.warning(fmt::format("population.{}.kind", k),
                 fmt::format("tracers know no [[wall]]: those of population {} start in solids, too, and diffuse "
                             "through them; faces of the box that are not periodic are what stops them",
                             quoted(deck.populations[k].name)));
}

}  // namespace

const TracerBlocks& tracerBlocks() {
  static const TracerBlocks blocks;
  return blocks;
}

void TracerBlocks::extend(SharedBlocks& blocks) const {
  Block<Population>& population = blocks.of<Population>();
  population.addChoices("kind", kinds(), "; tracers: points that diffuse and drift, without forces and without mass");
  population.say("initial", "; tracers: random alone");
  population.say("velocity", "; tracers: their drift");
  population.add(inOwn<Population>(bind(Type::number, "diffusion", &TracerKeys::diffusion)
                                       .only("kind", kinds())
                                       .from(0)
                                       .in("length^2 / time")
                                       .need()
                                       .means("D of tracers: each coordinate spreads by 2 D t")));
  blocks.of<BoxBlock>().say("periodic", "; of tracers without a fluid it needs none: they are reflected in any case");
  blocks.of<Output>().addChoices("columns", ownColumns(),
                                 "; tracer_msd: mean squared displacement of tracers since the start, length^2");
}

bool TracerBlocks::takes(const std::string& block) const {
  return isOneOf({"run", "box", "population", "output"}, block);
}

bool TracerBlocks::lacksColumn(const std::string& column) const {
  return !isOneOf({"time", "wall_time", "particle_steps_per_second"}, column);
}

std::vector<std::string> TracerBlocks::usualColumns() const {
  return {"time", "tracer_msd", "wall_time", "particle_steps_per_second"};
}

std::string TracerBlocks::refusesBonds(const Population& population) const {
  return fmt::format("population {} is of tracers, which have no bonds", quoted(population.name));
}

std::int64_t TracerBlocks::particleCount(const Population& population, const BoxBlock& box) const {
  if (population.count > 0) return population.count;
  return std::llround(std::min(population.density * box.size[0] * box.size[1] * box.size[2], 1e18));
}

void TracerBlocks::check(const Deck& deck, Report& report) const {
  constexpr std::int64_t most = std::int64_t{1} << 30;  // terms of an exact sum (state/exact_sums.hpp)
  std::int64_t tracers = 0;
  bool first = true;
  for (std::size_t k = 0; k < deck.populations.size(); ++k) {
    if (&ownerOf(deck.populations[k]) != this) continue;
    const std::string path = fmt::format("population.{}", k);
    if (!std::exchange(first, false)) report.error(path, "a deck has one population of tracers");
    if (deck.populations[k].initial != StartKind::random)
      report.error(path + ".initial", "tracers start at random places: leave initial out");
    checkNumber(deck, k, report);
    checkStep(deck, k, report);
    warnOfWalls(deck, k, report);
    refuseTooMany(deck, k, tracers, most, report);
  }
}

// Bytes of the fields of a tracer; what a core does, of which nearly all is random numbers.
Estimate TracerBlocks::estimate(const Deck&, std::int64_t tracers, double) const {
  constexpr double bytes = 4.0 + 24.0 + 24.0 + 12.0, stepsPerSecond = 4.6e6;
  Estimate result;
  result.memoryBytes = result.checkpointBytes = static_cast<double>(tracers) * bytes;
  result.secondsPerStep = static_cast<double>(tracers) / stepsPerSecond;
  return result;
}

}  // namespace mesowarp::tracers
