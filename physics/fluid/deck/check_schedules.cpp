// What a [[schedule]] makes of forces, bonds, thermostats and walls in the course of a run.
#include <algorithm>
#include <fmt/format.h>
#include <set>

#include "input/grammar/suggest.hpp"
#include "input/grammar/value.hpp"
#include "input/molecules/molecule_blocks.hpp"
#include "physics/fluid/deck/fluid_checks.hpp"
#include "physics/fluid/deck/wall_trial.hpp"
#include "physics/integrate/deck/schedule_extremes.hpp"
#include "physics/membrane/deck/membrane_blocks.hpp"
#include "physics/pair/deck/made_like.hpp"
#include "physics/transport/deck/transport_blocks.hpp"

namespace mesowarp::fluid {

using namespace input;

// They are held against the time step where their numbers are at their ends, as those of the start are; what is told
// of the start already is not told again. What would not start so may yet come to be so: all but what a force, a flux
// or a thermostat cannot compute is a warning.
void checkScheduledForces(const Deck& deck, Report& report) {
  std::set<std::string> told;
  for (const Diagnostic& one : report.diagnostics()) told.insert(one.message);
  for (const auto& [step, then] : decksAtExtremes(deck)) {
    Report impossible(then), unwise(then);
    for (std::size_t k = 0; k < then.interactions.size(); ++k) checkMorse(then, k, impossible);
    transport::checkStiffness(then, impossible), checkThermostatRates(then, impossible);
    checkTimestep(then, unwise), checkBondStrength(then, unwise), checkMoleculeStrength(then, unwise);
    Deck cells = then;  // moduli in newtons and joules are by the temperature that the deck says
    cells.run.temperature = deck.run.temperature;
    membrane::checkMechanics(cells, unwise);
    for (Diagnostic& one : unwise.diagnostics()) one.warning = true;
    for (Report* some : {&impossible, &unwise})
      for (Diagnostic& one : some->diagnostics()) {
        if (!told.insert(one.message).second) continue;
        one.message = fmt::format("in step {}, by its [[schedule]]: {}", step, one.message);
        report.diagnostics().push_back(std::move(one));
      }
  }
}

namespace {

// Whether a key is of a force that acts at walls, or the temperature.
bool countsAtWalls(const Deck& deck, const std::set<std::size_t>& atWalls, const std::string& key) {
  if (key == "run.temperature") return true;
  return std::any_of(atWalls.begin(), atWalls.end(), [&](std::size_t k) {
    const int like = deck.interactions[k].own.get<MadeLike>().block;
    return key.starts_with(fmt::format("interaction.{}.", like < 0 ? static_cast<int>(k) : like));
  });
}

template <class Test>
std::vector<std::string> wallsWith(const Deck& deck, const Test& test) {
  std::vector<std::string> names;
  for (const Wall& wall : deck.walls)
    if (test(wall)) names.push_back(wall.name);
  return names;
}

}  // namespace

void checkScheduledWalls(const Deck& deck, Report& report) {
  if (!wantsTrial(deck) || !whyNoTrial(deck).empty()) return;
  const auto atWalls = interactionsAtWalls(deck);
  const auto open = wallsWith(deck, leavesFriction);
  const auto effective = wallsWith(deck, [](const Wall& wall) { return wall.method == WallMethod::effective; });
  const auto all = schedulesOf(deck);
  for (std::size_t k = 0; k < all.size(); ++k) {
    const auto& [name, key, style, steps, values] = all[k];
    if (!isComplete(all[k]) || !countsAtWalls(deck, atWalls, key)) continue;
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    if (*least == *most) continue;
    const std::string path = fmt::format("{}.{}.key", ScheduleKeys::block, k);
    const double first = all[k].at(0);
    if (!open.empty())
      report.warning(path, fmt::format("the friction of wall{} {} is looked for before the run, at {} = {}, and stays "
                                       "while {} does not: a flow may end some hundredths of a cutoff off the surface; "
                                       "where that counts, give wall.N.friction, and a [[schedule]] of it: run.log of "
                                       "a deck with other numbers says what is found there",
                                       open.size() == 1 ? "" : "s", enumerate(open, "and"), key, first, key));
    if (!effective.empty() && first == 0.0 && key.ends_with(".a"))
      report.warning(path, fmt::format("what keeps the fluid from lying in layers at wall{} {} is looked for before "
                                       "the run, and then grows with {}, which begins with 0: begin above 0, or take "
                                       "method = \"frozen\"",
                                       effective.size() == 1 ? "" : "s", enumerate(effective, "and"), key));
  }
}

void checkScheduledMeasures(const Deck& deck, Report& report) {
  for (std::size_t m = 0; m < deck.measures.size(); ++m) {
    const Measure& measure = deck.measures[m];
    if (measure.style != MeasureStyle::viscosity) continue;
    for (const ScheduleKeys& schedule : schedulesOf(deck)) {
      if (!isComplete(schedule)) continue;
      const double first = schedule.at(measure.start);
      bool changes = schedule.at(deck.run.steps) != first;
      for (const double step : schedule.steps)
        changes = changes || (step > static_cast<double>(measure.start) && step < static_cast<double>(deck.run.steps) &&
                              schedule.at(static_cast<std::int64_t>(step)) != first);
      if (changes)
        report.error(fmt::format("measure.{}.style", m),
                     fmt::format("Green-Kubo is of a fluid in equilibrium, and {} changes from step {} on, where this "
                                 "begins: let it begin behind that (start), or leave the [[schedule]] out",
                                 schedule.key, measure.start));
    }
  }
}

}  // namespace mesowarp::fluid
