// [shear]: what a box whose images slide along each other cannot have, and what its neighbour list needs; [flow_rate].
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <string>
#include <utility>

#include "core/shear.hpp"
#include "input/grammar/value.hpp"
#include "input/molecules/molecule_blocks.hpp"
#include "input/species.hpp"
#include "physics/fluid/deck/fluid_checks.hpp"
#include "physics/integrate/flow_rate_keys.hpp"
#include "physics/integrate/schedule.hpp"

namespace mesowarp::fluid {

using namespace input;

namespace {

constexpr const char* axes = "xyz";

class ShearCheck {
public:
  ShearCheck(const Deck& deck, Report& report) : deck_(deck), report_(report), shear_(deck.own.get<Shear>()) {}

  void all() {
    if (shear_.flow == shear_.gradient)
      return report_.error("shear.gradient", fmt::format("flow and gradient are both {}: the velocity along one axis "
                                                         "grows along another",
                                                         axes[shear_.flow]));
    faces();
    others();
    particles();
    ranks();
    list();
    room();
  }

private:
  void faces() {
    for (const int axis : {shear_.flow, shear_.gradient})
      if (!deck_.box.periodic[static_cast<std::size_t>(axis)])
        report_.error(
            axis == shear_.flow ? "shear.flow" : "shear.gradient",
            fmt::format("the box is not periodic along {0}: shear without walls needs box.periodic to be true "
                        "along flow and gradient; between walls, drive the fluid by what moves them",
                        axes[axis]));
    const int third = 3 - shear_.flow - shear_.gradient;
    for (const FaceStyle style : deck_.faces[static_cast<std::size_t>(third)])
      if (style == FaceStyle::bounce_back)
        return report_.error("shear", fmt::format("walls across {} with style = \"bounce-back\" hold the sheared fluid "
                                                  "up: take \"bounce-forward\", along which it slips",
                                                  axes[third]));
  }

  // Images hold what molecules span, on one rank, too.
  void room() {
    const double span = ghostReach(deck_), usual = largestCutoff(deck_) + deck_.neighbor.skin;
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (deck_.box.periodic[axis] && deck_.box.size[axis] < 2.0 * span && span > usual)
        return report_.error(
            "box.size",
            fmt::format(
                "box.size along {} is {}, but in a sheared box it must be at least twice what bonds, angles and "
                "dihedrals may span, {:.6g}: widen the box, or set parallel.reach",
                axes[axis], deck_.box.size[axis], span));
  }

  void others() {
    if (!deck_.walls.empty())
      report_.error("wall.0",
                    "a sheared box has no walls: leave [shear] out, and let the walls move, or leave [[wall]] out");
    for (std::size_t k = 0; k < deck_.drives.size(); ++k)
      if (deck_.drives[k].style == DriveStyle::double_poiseuille)
        report_.error(fmt::format("drive.{}", k),
                      "style = \"double-poiseuille\" is of a box at rest: leave it out beside [shear]");
    if (deck_.own.get<FlowRateKeys>().on)
      report_.error("flow_rate", "the mean velocity of a sheared box is 0, that of its middle: leave [flow_rate] out");
  }

  void particles() {
    for (std::size_t k = 0; k < deck_.populations.size(); ++k) {
      const Population& population = deck_.populations[k];
      const std::string path = fmt::format("population.{}", k);
      if (!isOurs(population))
        report_.error(path + ".kind",
                      "populations of other methods have no sheared box: give them a deck of their own");
      else if (population.frozen)
        report_.error(path + ".frozen", "frozen particles do not move with a sheared box: leave them out");
    }
  }

  void ranks() {
    if (deck_.parallel.given() && deck_.parallel.ranks[static_cast<std::size_t>(shear_.flow)] > 1)
      report_.error("parallel.ranks",
                    fmt::format("parallel.ranks cuts the box along {}, the flow of the sheared box, where neighbours "
                                "would change: cut it along the other axes alone",
                                axes[shear_.flow]));
    if (deck_.parallel.transport == TransportStyle::peer)
      report_.error("parallel.transport",
                    "ghosts of a sheared box are not stored as they come, so \"peer\" cannot carry "
                    "them: take \"auto\", \"mpi\", \"nccl\" or \"host\"");
  }

  // The largest that there is at any time, and the key that has it.
  std::pair<double, std::string> largestRate() const {
    std::pair<double, std::string> largest{std::abs(shear_.rate), "shear.rate"};
    const auto all = schedulesOf(deck_);
    for (std::size_t k = 0; k < all.size(); ++k)
      for (const double rate : all[k].values)
        if (all[k].key == "shear.rate" && std::abs(rate) > largest.first)
          largest = {std::abs(rate), fmt::format("{}.{}.values", ScheduleKeys::block, k)};
    return largest;
  }

  // What the flow alone takes of the skin in a step: |rate| reach dt (grid/shear_images.hpp).
  void list() {
    const auto [rate, key] = largestRate();
    const double dt = deck_.run.timestep, cutoff = largestCutoff(deck_), skin = deck_.neighbor.skin,
                 aStep = rate * (cutoff + skin) * dt;
    if (!(skin > 0.0) || !(dt > 0.0)) return;
    if (aStep >= skin)
      report_.error(
          key, fmt::format("a rate of {} moves neighbours against each other by {:.3g} a step, and the skin is {}: "
                           "lower the rate or run.timestep, or set neighbor.skin to at least {:.3g}",
                           rate, aStep, skin, 2.0 * rate * cutoff * dt / std::max(1.0 - 2.0 * rate * dt, 0.1)));
    else if (aStep > 0.2 * skin)
      report_.warning(key,
                      fmt::format("a rate of {} takes {:.0f}% of the skin a step, so the neighbour list is built every "
                                  "few steps: a wider neighbor.skin or a smaller run.timestep costs less",
                                  rate, 100.0 * aStep / skin));
    const double fastest = 0.5 * rate * deck_.box.size[static_cast<std::size_t>(shear_.gradient)] * dt;
    if (fastest >= 0.5 * cutoff)
      report_.error(
          key, fmt::format("at the faces the flow moves particles by {:.3g} a step, and {:.3g}, the cutoff, is the "
                           "most there may be: lower the rate, run.timestep or box.size along {}",
                           fastest, cutoff, axes[shear_.gradient]));
  }

  const Deck& deck_;
  Report& report_;
  const Shear& shear_;
};

// Columns that need something the deck has not got.
void refuseColumns(const Deck& deck, const std::vector<std::string>& columns, const char* needed, Report& report) {
  for (std::size_t k = 0; k < deck.outputs.size(); ++k)
    for (const auto& column : deck.outputs[k].columns)
      if (std::find(columns.begin(), columns.end(), column) != columns.end())
        report.error(fmt::format("output.{}.columns", k),
                     fmt::format("the column {} needs {}: add it, or leave the column out", quoted(column), needed));
}

// A rate that changes its sign, or begins or ends at 0.
bool passesZero(const Deck& deck) {
  for (const ScheduleKeys& keys : schedulesOf(deck))
    if (keys.key == "shear.rate" && !keys.values.empty())
      if (const auto [low, high] = std::minmax_element(keys.values.begin(), keys.values.end());
          *low <= 0.0 && *high >= 0.0)
        return true;
  return false;
}

}  // namespace

void checkShear(const Deck& deck, Report& report) {
  const Shear& shear = deck.own.get<Shear>();
  if (shear.on) ShearCheck(deck, report).all();
  if (!shear.on) refuseColumns(deck, {"shear_stress", "viscosity"}, "a [shear] block", report);
  if (shear.on && passesZero(deck))
    refuseColumns(deck, {"viscosity"}, "a shear.rate that is never 0", report);
  else if (shear.on && shear.rate == 0.0)
    refuseColumns(deck, {"viscosity"}, "a shear.rate other than 0", report);
}

void checkFlowRate(const Deck& deck, Report& report) {
  const FlowRateKeys& rate = deck.own.get<FlowRateKeys>();
  if (!rate.on) return refuseColumns(deck, {"flow_velocity", "drive_acceleration"}, "a [flow_rate] block", report);
  if (!deck.box.periodic[static_cast<std::size_t>(rate.along)])
    report.error("flow_rate.along", fmt::format("the box is not periodic along {0}, so nothing can flow there: name "
                                                "another axis, or set box.periodic to true along {0}",
                                                axes[rate.along]));
  if (rate.proportional == 0.0 && rate.integral == 0.0)
    report.error("flow_rate", "proportional and integral are both 0: nothing would be controlled; for a force that "
                              "stays take a [[drive]]");
  const double look = rate.every * deck.run.timestep;
  if (rate.proportional * look >= 1.0 || rate.integral * look * look >= 1.0)
    report.error("flow_rate.every",
                 fmt::format("a look every {} steps, {:.3g} of time, is too seldom for these gains, and the flow would "
                             "swing more and more: keep proportional times that below 1, and integral times its square",
                             rate.every, look));
}

}  // namespace mesowarp::fluid
