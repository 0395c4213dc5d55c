// The blocks that change the box while a run goes on, [barostat] and [deformation]: grammar and checks.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "core/shear.hpp"
#include "input/grammar/convert.hpp"
#include "input/grammar/suggest.hpp"
#include "input/grammar/value.hpp"
#include "input/schema.hpp"
#include "input/species.hpp"
#include "physics/fluid/deck/fluid_blocks.hpp"
#include "physics/fluid/deck/fluid_checks.hpp"
#include "physics/group/deck/group_blocks.hpp"
#include "physics/integrate/box/box_keys.hpp"
#include "physics/integrate/flow_rate_keys.hpp"
#include "physics/integrate/inflow_keys.hpp"
#include "physics/integrate/schedule.hpp"
#include "physics/membrane/deck/membrane_blocks.hpp"
#include "physics/transport/deck/transport_deck.hpp"

namespace mesowarp::fluid {

using namespace input;

Block<Deck> barostatBlock() {
  using Keys = BarostatKeys;
  return ownBlock<Keys>(
      {"barostat", false, false, "",
       "Constant pressure in a box that is periodic along all axes: its edges change with the pressure and with a "
       "noise, so that volumes have the distribution of the ensemble.",
       &fluidBlocks(), true},
      {choice("style", &Keys::style, {"stochastic-cell-rescaling"}).means("that of Bernetti and Bussi (2020)"),
       bind(Type::number, "pressure", &Keys::pressure)
           .in("energy / length^3")
           .need()
           .means("the mean that the table's pressure will have"),
       choice("coupling", &Keys::coupling, {"isotropic", "semi-isotropic", "anisotropic", "z"})
           .means("isotropic: one factor for all edges; semi-isotropic: one for x and y, one for z (films, "
                  "interfaces); anisotropic: one for each (crystals); z: that edge alone"),
       bind(Type::number, "surface_tension", &Keys::tension)
           .only("coupling", {"semi-isotropic"})
           .in("energy / length^2")
           .means("of all interfaces across z together: P_xx and P_yy become pressure - surface_tension / L_z"),
       bind(Type::number, "compressibility", &Keys::compressibility)
           .above(0)
           .in("length^3 / energy")
           .need()
           .means("isothermal, -(dV/dP)/V, about; it sets how fast the box answers, not how its volume is distributed. "
                  "0.02 for the DPD fluid of a = 25 and density 3"),
       bind(Type::number, "period", &Keys::period)
           .above(0)
           .in("time")
           .means("tau_p: how long the volume takes to relax, if compressibility is right"),
       bind(Type::integer, "every", &Keys::every)
           .from(1)
           .to(1e6)
           .in("steps")
           .derived("10, or less: at most a hundredth of period")
           .means("between changes; the neighbour list is built behind each. Seldom changes make the volume's variance "
                  "too large, by some every timestep / period of it")});
}

Block<Deck> deformationBlock() {
  using Keys = DeformationKeys;
  return ownBlock<Keys>(
      {"deformation", false, false, "",
       "The box' edges change with time, and particles are stretched with it; velocities are those relative to that "
       "flow. Give rate, or size and to.",
       &fluidBlocks(), true},
      {bind(Type::numbers, "rate", &Keys::rate)
           .in("1 / time")
           .means("of each edge, of its length at the start: L(t) = L(0) (1 + rate t)"),
       bind(Type::numbers, "size", &Keys::size)
           .from(0)
           .in("length")
           .means("instead: the edges at step `to`, which they reach evenly; 0: this edge stays"),
       bind(Type::integer, "from", &Keys::from).from(0).to(1e15).in("steps").means("when it begins"),
       bind(Type::integer, "to", &Keys::to).from(0).to(1e15).in("steps").means("when it ends; 0: with the run"),
       bind(Type::integer, "every", &Keys::every)
           .from(1)
           .to(1e6)
           .in("steps")
           .means("between changes; the neighbour list is built behind each")});
}

void completeBox(BlocksRead& read) {
  auto& barostat = read.deck.own.get<BarostatKeys>();
  barostat.on = isGiven(read.deck, "barostat");
  const double steps = read.deck.run.timestep > 0.0 ? 0.01 * barostat.period / read.deck.run.timestep : 1.0;
  if (barostat.every == 0) barostat.every = static_cast<std::int64_t>(std::clamp(std::floor(steps + 1e-9), 1.0, 10.0));
  auto& deformation = read.deck.own.get<DeformationKeys>();
  for (const ScheduleKeys& keys : schedulesOf(read.deck))
    for (std::size_t a = 0; a < 3; ++a)
      if (keys.key == std::string("box.size.") + "xyz"[a]) deformation.byTable[a] = true;
  deformation.on = isGiven(read.deck, "deformation") || deformation.anyByTable();
}

namespace {

bool isOfEdges(const ScheduleKeys& keys) { return keys.key.starts_with("box.size."); }

class BoxChangeCheck {
public:
  BoxChangeCheck(const Deck& deck, Report& report)
      : deck_(deck), report_(report), path_(deck.own.get<BarostatKeys>().on ? "barostat" : "deformation"),
        cause_("[" + path_ + "]") {
    if (!deck.own.get<BarostatKeys>().on && !deck.own.get<DeformationKeys>().byItself()) bySchedule();
  }

  void all() {
    box();
    flows();
    populations();
    measures();
    friction();
  }

private:
  // It is the first of edges, and nothing else, that changes them.
  void bySchedule() {
    const auto all = schedulesOf(deck_);
    const auto of = std::find_if(all.begin(), all.end(), [](const auto& keys) { return isOfEdges(keys); });
    if (of == all.end()) return;
    path_ = fmt::format("{}.{}", ScheduleKeys::block, of - all.begin());
    const Source where = sourceOf(deck_, path_);
    cause_ = fmt::format("the [[schedule]] of {}{}", of->key,
                         where.line > 0 ? fmt::format(" in line {}", where.line) : std::string());
  }
  void refuse(const std::string& path, const char* what) {
    report_.error(path, fmt::format("{}: leave it out, or leave {} out", what, cause_));
  }

  // That against the flow of the box is a force of its own, which has the usual sums alone.
  void friction() {
    const auto& all = deck_.interactions;
    const auto drags = [](const Interaction& one) { return hasDpdNoise(one) && one.gamma > 0.0; };
    if (!deck_.own.get<DeformationKeys>().on || std::none_of(all.begin(), all.end(), drags)) return;
    if (!sumsAsUsual(deck_))
      report_.error("sums.accumulator", fmt::format("under {} DPD's friction is for the usual accumulators: leave "
                                                    "sums.accumulator out",
                                                    cause_));
  }

  void box() {
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (!deck_.box.periodic[axis])
        return report_.error(path_, fmt::format("the box is not periodic along {}, and walls do not move with a box "
                                                "that changes: make it periodic along all axes, or leave {} out",
                                                "xyz"[axis], cause_));
    if (!deck_.walls.empty()) refuse("wall.0", "walls do not move with a box that changes");
    if (deck_.own.get<BarostatKeys>().on && deck_.own.get<DeformationKeys>().on)
      report_.error("deformation", "[barostat] and [deformation] both change the box: leave one of them out");
    const double reach = largestCutoff(deck_) + deck_.neighbor.skin;
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (const double edge = deck_.box.size[axis]; edge >= 2.0 * reach && edge < 2.2 * reach)
        report_.warning("box.size", fmt::format("an edge of {} is hardly above twice cutoff + skin, {:.6g}: a box that "
                                                "shrinks below that stops the run",
                                                edge, 2.0 * reach));
  }

  void flows() {
    if (deck_.own.get<Shear>().on) refuse("shear", "a sheared box keeps its lengths");
    if (deck_.own.get<FlowRateKeys>().on) refuse("flow_rate", "pressure and lengths are of a fluid without a flow");
    if (!deck_.drives.empty()) refuse("drive.0", "pressure and lengths are of a fluid without a flow");
    if (!inflowsOf(deck_).empty()) refuse("inflow.0", "an inflow's region is of a box that stays");
    if (group::act(deck_))
      report_.error(path_, fmt::format("[[pull]] and [[hold]] have places in a box that stays: leave them out, or "
                                       "leave {} out",
                                       cause_));
  }

  void populations() {
    for (std::size_t k = 0; k < deck_.populations.size(); ++k) {
      const std::string path = fmt::format("population.{}", k);
      if (!isOurs(deck_.populations[k]))
        refuse(path + ".kind", "populations of other methods have a box that stays");
      else if (deck_.populations[k].frozen)
        refuse(path + ".frozen", "frozen particles do not move with a box that changes");
    }
    for (const auto& species : deck_.species)
      if (isFrozen(deck_, species) &&
          std::none_of(deck_.populations.begin(), deck_.populations.end(), [](const auto& p) { return p.frozen; }))
        return refuse("species.0", "frozen particles do not move with a box that changes");
    if (transport::hasTransport(deck_)) refuse("interaction.0", "solutes are not known to follow a box that changes");
  }

  // They follow the box, but for the stress of a volume that stays. What reaches far needs room in a box that shrinks.
  void measures() {
    for (std::size_t k = 0; k < deck_.measures.size(); ++k) {
      const Measure& measure = deck_.measures[k];
      const std::string path = fmt::format("measure.{}.", k);
      if (measure.style == MeasureStyle::viscosity)
        report_.error(path + "style",
                      fmt::format("Green-Kubo is of a fluid whose volume stays, and a box that changes moves with the "
                                  "stress: measure it in a run without {}, at the mean volume of this one",
                                  cause_));
      if (measure.style == MeasureStyle::rdf && measure.r_max > largestCutoff(deck_))
        room(path + "r_max", measure.r_max, -1);
      if (measure.style == MeasureStyle::sphere) room(path + "radius", measure.radius, -1);
      if (measure.style == MeasureStyle::cylinder) room(path + "radius", measure.radius, measure.axis);
    }
  }
  // along: an axis that does not matter.
  void room(const std::string& path, double reach, int along) {
    const std::string key = path.substr(path.rfind('.') + 1);
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (static_cast<int>(axis) != along && reach > 0.4 * deck_.box.size[axis])
        return report_.error(path,
                             fmt::format("{0} = {1} is above 0.4 of an edge, {2}, and a box that shrinks would be "
                                         "too small for it: lower {0}",
                                         key, reach, deck_.box.size[axis]));
  }

  const Deck& deck_;
  Report& report_;
  std::string path_, cause_;  // of what changes the box, and in words
};

void checkBarostat(const Deck& deck, const BarostatKeys& keys, Report& report) {
  const double change = static_cast<double>(keys.every) * deck.run.timestep;
  if (change > 0.5 * keys.period)
    report.error("barostat.period",
                 fmt::format("changes are {:.4g} of time apart, more than half of period = {}: raise it, or "
                             "lower every",
                             change, keys.period));
  else if (change > 0.05 * keys.period)
    report.warning("barostat.every",
                   fmt::format("changes are {:.4g} of time apart, {:.0f}% of period, and the volume's variance will be "
                               "too large by a share like that (its mean will not): lower every, or raise period",
                               change, 100.0 * change / keys.period));
}

// Edges by a table begin with the box' own, and stay long enough.
void checkEdgeTables(const Deck& deck, const DeformationKeys& keys, double least, Report& report) {
  const auto all = schedulesOf(deck);
  for (std::size_t k = 0; k < all.size(); ++k)
    for (std::size_t a = 0; a < 3; ++a) {
      if (all[k].key != std::string("box.size.") + "xyz"[a] || all[k].steps.empty() ||
          all[k].steps.size() != all[k].values.size())
        continue;
      const std::string path = fmt::format("{}.{}.values", ScheduleKeys::block, k);
      if (const double first = all[k].at(0); std::abs(first - deck.box.size[a]) > 1e-9 * deck.box.size[a])
        report.error(path, fmt::format("{} would be {} at the start, and is {}: begin with that", quoted(all[k].key),
                                       first, deck.box.size[a]));
      if (const double last = *std::min_element(all[k].values.begin(), all[k].values.end()); last < least)
        report.error(path, fmt::format("the edge along {} would become {:.6g}, and twice cutoff + skin, {:.6g}, is the "
                                       "least",
                                       "xyz"[a], last, least));
      if (keys.rate[a] != 0.0 || keys.size[a] != 0.0)
        report.error(path,
                     fmt::format("{} is what [deformation] changes, too: leave one of them out", quoted(all[k].key)));
    }
}

void checkDeformation(const Deck& deck, const DeformationKeys& keys, Report& report) {
  const double least = 2.0 * (largestCutoff(deck) + deck.neighbor.skin);
  checkEdgeTables(deck, keys, least, report);
  if (keys.anyByTable() && !keys.byItself()) return;
  const auto any = [](const std::array<double, 3>& v) { return v != std::array<double, 3>{}; };
  if (any(keys.rate) == any(keys.size))
    return report.error("deformation", "give rate or size, one of the two, with a number other than 0");
  if (any(keys.size) && keys.to == 0)
    return report.error("deformation.to", "size needs the step at which it is reached: give to");
  if (keys.to > 0 && keys.to <= keys.from)
    return report.error("deformation.to", fmt::format("to = {} must be above from = {}", keys.to, keys.from));
  const double time = deck.run.timestep * static_cast<double>((keys.to > 0 ? keys.to : deck.run.steps) - keys.from);
  for (std::size_t a = 0; a < 3; ++a) {
    const double end = keys.size[a] > 0.0 ? keys.size[a] : deck.box.size[a] * (1.0 + keys.rate[a] * time);
    if (end < least)
      report.error(any(keys.size) ? "deformation.size" : "deformation.rate",
                   fmt::format("the edge along {} would become {:.6g}, and twice cutoff + skin, {:.6g}, is the least: "
                               "stop earlier, deform less, or start with a larger box",
                               "xyz"[a], end, least));
  }
}

}  // namespace

void checkBox(const Deck& deck, Report& report) {
  if (!changesBox(deck)) return;
  BoxChangeCheck(deck, report).all();
  const auto& barostat = deck.own.get<BarostatKeys>();
  const auto& deformation = deck.own.get<DeformationKeys>();
  if (barostat.on) checkBarostat(deck, barostat, report);
  if (deformation.on) checkDeformation(deck, deformation, report);
}

namespace {

// Tables of edges, as words to compare.
std::string edgeWords(const Deck& deck) {
  std::string words;
  for (const ScheduleKeys& keys : schedulesOf(deck))
    if (isOfEdges(keys))
      words +=
          fmt::format("{} {} {} {};", keys.key, keys.style, fmt::join(keys.steps, " "), fmt::join(keys.values, " "));
  return words;
}

}  // namespace

// What is refused when a run is resumed: a box of other lengths would be taken for the deck's.
void boxDifference(const Deck& then, const Deck& now, Differences& differences) {
  if (changesBox(then) && !changesBox(now))
    differences.add("box", "the checkpoint's box has changed under [barostat] or [deformation], which this deck lacks: "
                           "keep the block, or start a new run from the checkpoint with its box.size");
  const auto &before = then.own.get<DeformationKeys>(), &after = now.own.get<DeformationKeys>();
  if (after.on && (!before.on || before.rate != after.rate || before.size != after.size || before.from != after.from ||
                   before.to != after.to || edgeWords(then) != edgeWords(now)))
    differences.add("deformation", "another deformation");
  else if (after.on && after.rate != std::array<double, 3>{} && then.run.timestep != now.run.timestep)
    differences.add(
        "deformation.rate",
        fmt::format("run.timestep is {}, and was {}, so the edges would jump to what they would be if it had "
                    "always been that",
                    now.run.timestep, then.run.timestep));
}

}  // namespace mesowarp::fluid
