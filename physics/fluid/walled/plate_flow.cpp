#include "physics/fluid/walled/plate_flow.hpp"

#include <algorithm>
#include <cmath>

#include "core/shear.hpp"
#include "input/species.hpp"
#include "physics/fluid/deck/fluid_checks.hpp"
#include "physics/fluid/deck/wall_trial.hpp"
#include "physics/fluid/walled/fluid_states.hpp"
#include "physics/fluid/walled/single_beads.hpp"
#include "physics/group/deck/group_keys.hpp"
#include "physics/integrate/deck/schedule_extremes.hpp"
#include "physics/integrate/flow_rate_keys.hpp"
#include "physics/integrate/inflow_keys.hpp"
#include "physics/integrate/langevin_keys.hpp"

namespace mesowarp::fluid {
namespace {

double fluidMass(const input::Deck& deck) {
  for (const auto& p : deck.populations)
    if (isOurs(p) && !p.frozen && p.kind != Kind::membrane) return input::massOf(deck, input::speciesOf(p).front());
  return 1.0;
}

void leaveOutDrives(input::Deck& deck) {
  deck.boundaries.clear(), deck.drives.clear(), deck.faces = {};
  for (const char* block : {group::GroupKeys::block, group::PullKeys::block, group::HoldKeys::block, InflowKeys::block})
    deck.lists.erase(block);
  if (const auto baths = deck.lists.find(ThermostatKeys::block); baths != deck.lists.end())
    std::erase_if(baths->second,
                  [](const auto& item) { return !item.own.template get<ThermostatKeys>().group.empty(); });
  deck.own.get<Shear>().on = false, deck.own.get<FlowRateKeys>().on = false;
}

// Those that act on nothing that is here. DPD's stay: they harm nothing.
void leaveOutInteractions(input::Deck& deck, const input::Deck& of) {
  const auto atWalls = interactionsAtWalls(of);
  std::vector<input::Interaction> kept;
  for (std::size_t k = 0; k < of.interactions.size(); ++k)
    if (atWalls.count(k) > 0 || input::isDpd(of.interactions[k])) kept.push_back(of.interactions[k]);
  deck.interactions = kept;
}

// What is found is the surer the wider the plates are; they take up to an eighth of the deck's volume, in cutoffs.
double widthFor(const input::Deck& of) {
  constexpr double least = 10.0, most = 40.0, part = 0.125;
  return least * std::floor(std::clamp(std::sqrt(part * volumeInCutoffs(of) / PlateFlow::height), least, most) / least);
}

void addPlate(input::Deck& deck, const input::Wall& like, const char* name, double at, double speed) {
  input::Shape shape;
  shape.name = name, shape.style = input::ShapeStyle::plane, shape.axis = 2, shape.at = at, shape.above = speed > 0.0;
  deck.shapes.push_back(shape);
  input::Wall wall = like;
  wall.name = wall.solid = name, wall.spin = wall.about = {}, wall.velocity = {speed, 0.0, 0.0};
  deck.walls.push_back(wall);
}

}  // namespace

PlateFlow plateFlow(const input::Deck& scheduled, const input::Wall& like) {
  const input::Deck of = atFirstStep(scheduled), single = withSingleBeads(of);
  PlateFlow flow;
  input::Deck& deck = flow.deck = single;
  leaveOutDrives(deck), leaveOutInteractions(deck, of);
  flow.cutoff = input::largestCutoff(deck), flow.mass = fluidMass(single);
  flow.thermal = std::sqrt(deck.run.temperature / flow.mass);
  for (const auto& interaction : deck.interactions)
    if (input::hasDpdNoise(interaction)) flow.reach = std::max(flow.reach, input::reachOf(interaction));
  deck.shapes.clear(), deck.walls.clear(), deck.measures.clear(), deck.outputs.clear();
  flow.width = widthFor(of);
  deck.box.size = {flow.width * flow.cutoff, flow.width * flow.cutoff, PlateFlow::height * flow.cutoff};
  deck.box.periodic = {true, true, true};
  deck.parallel = {};
  deck.run.precision = input::Precision::single;
  if (deck.sums.accumulator != input::Accumulator::narumi) deck.sums.accumulator = input::Accumulator::single;
  std::erase_if(deck.populations, [&](const input::Population& p) {
    const bool plates = p.species == like.species && like.method == input::WallMethod::frozen;
    return !isOurs(p) || p.kind == Kind::membrane || (p.frozen && !plates);
  });
  for (auto& population : deck.populations) population.velocity = {};
  input::Output table;
  table.columns = {"wall1_force_x", "wall2_force_x"};
  deck.outputs.push_back(table);
  const double speed = PlateFlow::speedOfPlates * flow.thermal;
  addPlate(deck, like, "below", PlateFlow::thickness * flow.cutoff, -speed);
  addPlate(deck, like, "above", (PlateFlow::gap + PlateFlow::thickness) * flow.cutoff, speed);
  return flow;
}

}  // namespace mesowarp::fluid
