#include "physics/fluid/walled/fluid_states.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/error.hpp"
#include "input/species.hpp"
#include "physics/fluid/deck/fluid_checks.hpp"
#include "physics/fluid/fluid.hpp"
#include "physics/fluid/walled/single_beads.hpp"
#include "physics/group/deck/group_keys.hpp"
#include "physics/integrate/deck/schedule_extremes.hpp"

namespace mesowarp::fluid {
namespace {

// In cutoffs. What repeats beyond 10 nobody sees, but what a wall holds differs from layer to layer, by as much as its
// friction needs to be off by 0.05 where blocks are so wide; that goes with one over the edge (docs/theory/walls.md).
// So a block is up to a quarter of the box.
constexpr double leastEdge = 10.0, mostEdge = 40.0, partOfBox = 0.25;
constexpr double equilibrateFor = 10.0;  // in units of time of the deck
// What is frozen does not average itself out: among so many states each wall takes the one that pushes the fluid as the
// mean of them does. Of larger blocks, fewer.
constexpr double states = 64.0, leastStates = 8.0;
constexpr double stateEvery = 0.25;

double edgeFor(const input::Deck& deck) {
  return std::clamp(std::cbrt(partOfBox * volumeInCutoffs(deck)), leastEdge, mostEdge);
}
// edge: of a block, in cutoffs.
int statesOf(double edge) {
  return static_cast<int>(std::clamp(states * std::pow(leastEdge / edge, 3), leastStates, states));
}

FluidStates blockOf(const input::Deck& withMolecules, double cutoffs) {
  const input::Deck deck = withSingleBeads(atFirstStep(withMolecules));
  FluidStates block;
  input::Deck& own = block.block = deck;
  own.walls.clear(), own.shapes.clear(), own.boundaries.clear(), own.drives.clear();
  own.faces = {};
  const double reach = input::largestCutoff(deck) + deck.neighbor.skin,
               edge = std::max(cutoffs * input::largestCutoff(deck), 2.05 * reach);
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
    if (!isOurs(population) || population.frozen || population.kind == Kind::membrane) continue;
    own.populations.push_back(population);
    own.populations.back().velocity = {};
  }
  own.bonds.clear();
  own.lists.erase(group::GroupKeys::block), own.lists.erase(group::PullKeys::block);
  own.lists.erase(group::HoldKeys::block);
  own.run.precision = input::Precision::single;  // enough for places to start from, and the fastest
  if (own.sums.accumulator != input::Accumulator::narumi) own.sums.accumulator = input::Accumulator::single;
  return block;
}

}  // namespace

double volumeInCutoffs(const input::Deck& deck) {
  return deck.box.size[0] * deck.box.size[1] * deck.box.size[2] / std::pow(input::largestCutoff(deck), 3);
}

FluidStates equilibratedStates(const input::Deck& deck, double wished) {
  const double edge = wished > 0.0 ? wished : edgeFor(deck);
  FluidStates block = blockOf(deck, edge);
  const HostParticles start = mesowarp::makeInitialState(block.block);
  const auto engine = startEngine(block.block, start);
  const auto stepsIn = [&](double time) { return static_cast<i64>(std::ceil(time / block.block.run.timestep)); };
  const i64 first = stepsIn(equilibrateFor), apart = stepsIn(stateEvery), last = first + (statesOf(edge) - 1) * apart;
  for (i64 step = 0; step <= last; ++step) {
    Wanted wanted;
    wanted.velocities = wanted.snapshot = step >= first && (step - first) % apart == 0;
    engine->rebuildIfDue(step);
    engine->advance(step, wanted);
    if (wanted.snapshot || step % 100 == 0)
      if (const auto failure = engine->failure())
        throw RunError("the fluid that walls are cut from, before the run: " + *failure);
    if (wanted.snapshot) block.all.push_back(engine->snapshot(step));
  }
  return block;
}

}  // namespace mesowarp::fluid
