// Blocks of flows that need no walls that move: [shear] and [flow_rate].
#include "core/shear.hpp"
#include "input/schema.hpp"
#include "physics/fluid/deck/fluid_blocks.hpp"
#include "physics/integrate/flow_rate_keys.hpp"
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
           .means("mean of all particles that move"),
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

}  // namespace

std::vector<const Block<Deck>*> FluidBlocks::ownBlocks() const {
  static const Block<Deck> shear = shearBlock(), rate = flowRateBlock();
  std::vector<const Block<Deck>*> blocks{&shear, &rate};
  for (const auto* block : transport::ownBlocks(*this)) blocks.push_back(block);
  return blocks;
}

}  // namespace mesowarp::fluid
