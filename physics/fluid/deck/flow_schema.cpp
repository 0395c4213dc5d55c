// Blocks of flows that need no walls that move: [shear] and [flow_rate].
#include <algorithm>
#include <fmt/format.h>

#include "core/shear.hpp"
#include "input/grammar/convert.hpp"
#include "input/schema.hpp"
#include "input/species.hpp"
#include "physics/fluid/deck/fluid_blocks.hpp"
#include "physics/fluid/deck/fluid_checks.hpp"
#include "physics/integrate/flow_rate_keys.hpp"
#include "physics/integrate/relaxation_keys.hpp"
#include "physics/transport/deck/transport_blocks.hpp"

namespace mesowarp::fluid {

using namespace input;

namespace {

const std::vector<std::string> axes{"x", "y", "z"};

Block<Deck> shearBlock() {
  return ownBlock<Shear>(
      {"shear", false, false, "",
       "Lees-Edwards boundaries: the box' images beyond the faces across the gradient slide along the flow, so a fluid "
       "is sheared without walls. Temperature, pressure, momentum and kinetic energy are then of the motion without "
       "the flow.",
       &fluidBlocks(), true},
      {bind(Type::number, "rate", &Shear::rate)
           .in("1 / time")
           .need()
           .means("the velocity along `flow` is rate times the height along `gradient`, from the middle of the box"),
       choice("flow", &Shear::flow, axes).means("the axis along which the fluid flows"),
       choice("gradient", &Shear::gradient, axes).means("the axis along which the velocity grows; both are periodic")});
}

Block<Deck> flowRateBlock() {
  return ownBlock<FlowRateKeys>(
      {"flow_rate", false, false, "",
       "A body force along an axis, the same on each particle per mass, that keeps their mean velocity at a value: "
       "start + proportional e + integral (sum of e dt), e the velocity that lacks.",
       &fluidBlocks(), true},
      {bind(Type::number, "velocity", &FlowRateKeys::velocity)
           .in("length / time")
           .need()
           .means("mean of all particles that move and are not held"),
       choice("along", &FlowRateKeys::along, axes).means("the axis of the flow, which is periodic"),
       bind(Type::number, "proportional", &FlowRateKeys::proportional)
           .from(0)
           .in("1 / time")
           .means("how hard a velocity that lacks is answered at once"),
       bind(Type::number, "integral", &FlowRateKeys::integral)
           .from(0)
           .in("1 / time^2")
           .means("and how hard in the long run; above a quarter of proportional^2 the flow may swing"),
       bind(Type::number, "start", &FlowRateKeys::start)
           .in("length / time^2")
           .means("acceleration before the first look"),
       bind(Type::integer, "every", &FlowRateKeys::every).from(1).to(1e6).in("steps").means("between looks")});
}

Block<Deck> relaxationBlock() {
  using Keys = RelaxationKeys;
  return ownBlock<Keys>(
      {"relaxation", false, false, "",
       "Steps before step 0, in no table: particles go down their forces, none farther than `displacement` a step, so "
       "that they may overlap at the start. Velocities at step 0 are those of the populations.",
       &fluidBlocks(), true},
      {bind(Type::integer, "steps", &Keys::steps)
           .from(1)
           .to(1e8)
           .means("with the deck's forces, and as many before them with the push-off"),
       bind(Type::number, "displacement", &Keys::displacement)
           .above(0)
           .in("length")
           .means("of a particle in one step, at most"),
       bind(Type::number, "push_off", &Keys::pushOff)
           .from(0)
           .in("energy")
           .derived("50 run.temperature with lj, wca or table, else 0")
           .means(
               "A of the soft force, U = A (1 + cos(pi r/r_c)), that stands in for lj and wca (to 2^(1/6) sigma) and "
               "table; 0: no such steps")});
}

}  // namespace

void completeRelaxation(BlocksRead& read) {
  auto& keys = read.deck.own.get<RelaxationKeys>();
  keys.on = isGiven(read.deck, "relaxation");
  if (keys.pushOff >= 0.0) return;
  const auto hard = [](const Interaction& i) {
    return familyOf(i.style) == InteractionStyle::lj || i.style == FurtherStyle::table;
  };
  const bool any = std::any_of(read.deck.interactions.begin(), read.deck.interactions.end(), hard);
  keys.pushOff = any ? 50.0 * std::max(read.deck.run.temperature, 0.02) : 0.0;
}

void checkRelaxation(const Deck& deck, Report& report) {
  const auto& keys = deck.own.get<RelaxationKeys>();
  if (!keys.on) return;
  double smallest = largestCutoff(deck);
  for (const auto& interaction : deck.interactions) smallest = std::min(smallest, interaction.cutoff);
  if (keys.displacement > 0.25 * smallest)
    report.error(
        "relaxation.displacement",
        fmt::format("displacement = {} is above a quarter of the shortest cutoff, {:.6g}: particles would jump "
                    "over each other",
                    keys.displacement, smallest));
  if (keys.pushOff > 0.0 && !sumsAsUsual(deck))
    report.error("relaxation.push_off", "a push-off is for the usual accumulators: set push_off = 0, or leave "
                                        "sums.accumulator out");
}

std::vector<const Block<Deck>*> FluidBlocks::ownBlocks() const {
  static const Block<Deck> shear = shearBlock(), rate = flowRateBlock(), relaxation = relaxationBlock(),
                           barostat = barostatBlock(), deformation = deformationBlock();
  std::vector<const Block<Deck>*> blocks{&shear, &rate, &relaxation, &barostat, &deformation};
  for (const auto* block : transport::ownBlocks(*this)) blocks.push_back(block);
  return blocks;
}

}  // namespace mesowarp::fluid
