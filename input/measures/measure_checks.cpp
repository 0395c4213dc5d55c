#include "input/measures/measure_checks.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "core/shear.hpp"
#include "input/grammar/suggest.hpp"
#include "input/grammar/value.hpp"
#include "input/measures/group_names.hpp"
#include "input/method.hpp"
#include "input/schema_blocks.hpp"
#include "input/species.hpp"

namespace mesowarp::input {
namespace {

using Style = MeasureStyle;
constexpr std::int64_t fewestSamples = 4;  // of a block that has errors
constexpr int mostFields = 4;

bool contains(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}
bool isOneOf(Style style, std::initializer_list<Style> all) {
  return std::find(all.begin(), all.end(), style) != all.end();
}

class MeasureCheck {
public:
  MeasureCheck(const Deck& deck, std::size_t k, Report& report)
      : deck_(deck), measure_(deck.measures[k]), report_(report), path_(fmt::format("measure.{}.", k)),
        sheared_(deck.own.get<Shear>().on) {}

  void whose() {
    if (measure_.of_species.empty()) return;
    if (methodsOf(deck_).front()->lacksColumn("potential_energy"))
      return error("species", fmt::format("species and groups are chosen among particles with pair forces, not among "
                                          "{}: leave it out",
                                          methodsOf(deck_).front()->inWords()));
    checkSpecies();
  }
  // Temperature and stress are of the motion relative to a bin's mean velocity, and a sheared fluid has another one at
  // each height: in a bin as high as h it is off by m (rate h)^2 / 36, a third of its mean square over h.
  void heights() {
    if (!sheared_ || (!has("temperature") && !has("stress"))) return;
    const Shear& shear = deck_.own.get<Shear>();
    const double flow = shear.rate * heightOfBins(static_cast<std::size_t>(shear.gradient));
    const double excess = massOf(deck_, deck_.species.front()) * flow * flow / 36.0;
    if (excess <= 0.01 * deck_.run.temperature) return;
    report_.warning(
        path_ + "style",
        fmt::format("bins of {} hold a part of the flow that is {:.3g} faster on one side than on the other, "
                    "which adds {:.2g} to their temperature, and to the stress: take thinner bins across "
                    "{}, or the table's columns",
                    quoted(measure_.name), std::abs(flow), excess, "xyz"[shear.gradient]));
  }
  void all() {
    checkBlocks();
    if (!checkParticles()) return;
    checkSpecies();
    checkSheared();
    if (isOneOf(measure_.style, {Style::rdf, Style::clusters})) checkDistance();
    if (isOneOf(measure_.style, {Style::chains, Style::msd})) checkMolecules();
    if (measure_.style == Style::vacf) checkVelocities();
    if (measure_.style == Style::structure_factor) checkWaves();
    if (measure_.style == Style::viscosity) checkViscosity();
    if (isOneOf(measure_.style, {Style::correlation, Style::columns})) checkColumns();
    checkRange();
  }

private:
  bool has(const char* quantity) const { return contains(measure_.quantities, quantity); }
  // The most of a bin, along an axis.
  double heightOfBins(std::size_t axis) const {
    const double edge = deck_.box.size[axis];
    const bool along = static_cast<std::size_t>(measure_.axis) == axis;
    switch (measure_.style) {
    case Style::profile:
      return along ? edge / measure_.bins : edge;
    case Style::field:
      return edge / measure_.cells[axis];
    default:
      return measure_.style == Style::cylinder && along ? edge : 2.0 * measure_.radius;
    }
  }
  // What makes all of the fluid flow, in words; empty: nothing does.
  std::string drivenBy() const {
    if (!deck_.drives.empty()) return "[[drive]]";
    for (const char* block : {"flow_rate", "inflow"})
      if (std::any_of(deck_.sources.begin(), deck_.sources.end(),
                      [&](const auto& s) { return s.first == block || s.first.starts_with(std::string(block) + "."); }))
        return block == std::string("inflow") ? "[[inflow]]" : "[flow_rate]";
    for (const auto& population : deck_.populations)
      if (!population.frozen && population.velocity != std::array<double, 3>{} &&
          !ownerOf(population).lacksColumn("momentum_x"))
        return "the velocity of population " + quoted(population.name);
    return {};
  }
  void checkVelocities() {
    if (const std::string what = drivenBy(); !what.empty())
      report_.warning(path_ + "style",
                      fmt::format("{} makes a flow, which is part of all velocities, so their correlation does not "
                                  "vanish and its integral is no diffusion: take \"msd\", which leaves the drift out",
                                  what));
  }
  void error(const char* key, const std::string& message) { report_.error(path_ + key, message); }

  // A block of few samples has no error.
  void checkBlocks() {
    const std::int64_t every = std::max<std::int64_t>(measure_.every, 1), left = deck_.run.steps - measure_.start;
    const std::int64_t samples = measure_.window > 0 ? measure_.window / every : left < 0 ? 0 : left / every + 1;
    if (samples >= fewestSamples) return;
    if (measure_.window > 0)
      error("window",
            fmt::format("window = {} holds {} samples, every {} steps, and errors need {}: take at least "
                        "window = {}, or a smaller every",
                        measure_.window, samples, measure_.every, fewestSamples, fewestSamples * measure_.every));
    else
      report_.warning(path_ + "every",
                      fmt::format("the run has {} samples of this, every {} steps, and errors need {}: "
                                  "take a smaller every, or more steps",
                                  samples, measure_.every, fewestSamples));
  }

  bool ofTable() const { return isOneOf(measure_.style, {Style::viscosity, Style::correlation, Style::columns}); }

  // Of particles that have pair forces, that is a neighbour list.
  bool checkParticles() {
    const MethodBlocks& first = *methodsOf(deck_).front();
    if (ofTable() && measure_.style != Style::viscosity) return true;
    if (!first.lacksColumn("potential_energy")) return true;
    error("style", fmt::format("this style is of particles with pair forces, not of {}: take \"profile\", \"field\", "
                               "\"correlation\" or \"columns\"",
                               first.inWords()));
    return false;
  }

  // Where groups may stand for species.
  bool mayBeGroups() const {
    return measure_.isOfPlaces() || isOneOf(measure_.style, {Style::rdf, Style::msd, Style::vacf});
  }

  void checkSpecies() {
    std::vector<std::string> known = deck_.species;
    const auto& groups = deck_.own.get<GroupNames>().all;
    if (mayBeGroups()) known.insert(known.end(), groups.begin(), groups.end());
    const auto check = [&](const char* key, const std::string& name) {
      if (name == "*" || contains(known, name)) return;
      error(key, contains(groups, name)
                     ? fmt::format("{} is a [[group]], which this style cannot be of: name species", quoted(name))
                     : fmt::format("no population has the species {}{}", quoted(name), suggestion(name, known)));
    };
    if (isOneOf(measure_.style, {Style::rdf, Style::structure_factor}))
      for (const auto& name : measure_.between) check("between", name);
    for (const auto& name : measure_.of_species) check("species", name);
  }

  // Its images move: what is not by the neighbour list would need them.
  void checkSheared() {
    if (!sheared_) return;
    if (isOneOf(measure_.style, {Style::msd, Style::structure_factor, Style::clusters}))
      error("style", "in a sheared box images move with the flow, and this style does not follow them: leave it out, "
                     "or leave [shear] out");
    if (measure_.style == Style::vacf)
      error("style", "velocities of a sheared box are the flow's first of all: leave it out, or leave [shear] out");
    if (measure_.style == Style::viscosity)
      error("style", "Green-Kubo is of a fluid at rest: leave [shear] out, or take the table's column \"viscosity\"");
    if (measure_.style == Style::rdf && measure_.r_max > largestCutoff(deck_))
      error("r_max",
            fmt::format("in a sheared box r_max may be up to the largest cutoff, {:.6g}", largestCutoff(deck_)));
    const auto excludes = std::find_if(deck_.bonds.begin(), deck_.bonds.end(), [](const Bond& b) { return b.exclude; });
    if (measure_.style == Style::rdf && excludes != deck_.bonds.end())
      error("style", fmt::format("in a sheared box pairs are those of the neighbour list, which lacks those of the "
                                 "[[bond]] in line {}: set its exclude = false, or leave this measure out",
                                 excludes->where.line));
  }

  // Nearest images alone count.
  void checkDistance() {
    const char* key = measure_.style == Style::rdf ? "r_max" : "cutoff";
    const double distance = measure_.style == Style::rdf ? measure_.r_max : measure_.cutoff;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const bool repeats = deck_.box.periodic[axis];
      const double most = repeats ? 0.5 * deck_.box.size[axis] : deck_.box.size[axis];
      if (distance <= most * (1.0 + 1e-12)) continue;
      return error(key, fmt::format("{} = {} is more than {} along {}: take up to {:.6g}", key, distance,
                                    repeats ? "half the box" : "the box", "xyz"[axis], most));
    }
  }

  void checkMolecules() {
    if (measure_.style == Style::msd && !measure_.molecules) {
      if (!measure_.population.empty())
        error("population", "population is for molecules = true; whose particles is what species says");
      return;
    }
    if (!measure_.of_species.empty())
      error("species", "species is of particles; whose molecules is what population says");
    std::vector<std::string> names;
    for (const auto& population : deck_.populations) names.push_back(population.name);
    if (!measure_.population.empty() && !contains(names, measure_.population))
      return error("population", fmt::format("there is no [[population]] {}{}", quoted(measure_.population),
                                             suggestion(measure_.population, names)));
    if (!measure_.population.empty() && !deck_.walls.empty()) checkOwnSpecies();
    const bool bonded = std::any_of(deck_.bonds.begin(), deck_.bonds.end(), [&](const Bond& bond) {
      return measure_.population.empty() || bond.population == measure_.population;
    });
    if (!bonded)
      error(measure_.population.empty() ? "style" : "population",
            "molecules are what bonds join, and there is no [[bond]] here: add one, or leave the measure out");
  }

  // Between walls molecules are told by their species, since how many particles come before is not known.
  void checkOwnSpecies() {
    std::vector<std::string> own;
    for (const auto& population : deck_.populations)
      if (population.name == measure_.population) own = speciesOf(population);
    for (const auto& other : deck_.populations) {
      if (other.name == measure_.population) continue;
      for (const auto& species : speciesOf(other))
        if (contains(own, species) && std::any_of(deck_.bonds.begin(), deck_.bonds.end(),
                                                  [&](const Bond& bond) { return bond.population == other.name; }))
          return error("population",
                       fmt::format("between walls molecules of {} are told by their species, and {} has {}, too: give "
                                   "its particles a species of their own",
                                   quoted(measure_.population), quoted(other.name), quoted(species)));
    }
  }

  void checkWaves() {
    const double longest = *std::max_element(deck_.box.size.begin(), deck_.box.size.end());
    double along = 0.0;
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (deck_.box.periodic[axis]) along = std::max(along, deck_.box.size[axis]);
    if (along == 0.0)
      error("style", "waves need an axis along which the box is periodic: set box.periodic, or take \"rdf\"");
    else if (along < longest && measure_.n_max * along / longest < 1.0)
      error("n_max", fmt::format("no wave along a periodic axis is as long as that: take n_max of at least {:.0f}",
                                 longest / along + 1.0));
  }

  void checkViscosity() {
    for (std::size_t axis = 0; axis < 3; ++axis)
      if (!deck_.box.periodic[axis])
        return error("style", "Green-Kubo is of a fluid without walls: make the box periodic along all axes, or take a "
                              "profile of a flow");
    if (!deck_.walls.empty() || !deck_.drives.empty())
      return error("style", "Green-Kubo is of a fluid at rest: leave [[wall]] and [[drive]] out, or take a profile of "
                            "the flow");
    if (const std::string what = drivenBy(); !what.empty() && what != "[[inflow]]")
      return error("style", fmt::format("Green-Kubo is of a fluid at rest, and {} makes it flow, which is part of its "
                                        "pressure: leave that out",
                                        what));
    const bool noise = std::any_of(deck_.interactions.begin(), deck_.interactions.end(),
                                   [](const Interaction& i) { return isDpd(i) && (i.gamma > 0.0 || i.sigma > 0.0); });
    if (noise && measure_.every != 1)
      error("every", fmt::format("every = {}: the stress of random forces is new in each step, so each counts: take "
                                 "every = 1",
                                 measure_.every));
    const double burst = static_cast<double>(measure_.burst) * deck_.run.timestep;
    if (measure_.share < 1.0 && measure_.to >= burst)
      error("burst", fmt::format("the integral ends at to = {}, and lags of a burst end before {:.6g}: take a longer "
                                 "burst, twice to, or share = 1",
                                 measure_.to, burst));
    if (!methodsOf(deck_).front()->keepsMomentum(deck_))
      error("style", "Green-Kubo is of a fluid that keeps its momentum, and this deck's thermostat or frozen particles "
                     "take it: use a thermostat that keeps it, or a profile of a flow");
  }

  void checkColumns() {
    const auto methods = methodsOf(deck_);
    const auto refuse = [&](const std::string& column, const std::string& needs) {
      error("columns", fmt::format("the column {} needs {}: add it, or leave the column out", quoted(column), needs));
    };
    for (const auto& column : measure_.columns) {
      if (std::none_of(methods.begin(), methods.end(), [&](auto* m) { return hasColumn(*m, column); }))
        error("columns", fmt::format("the table of {} has no {}", methods.front()->inWords(), quoted(column)));
      if ((column == "shear_stress" || column == "viscosity") && !sheared_) refuse(column, "a [shear] block");
      if (column == "viscosity" && sheared_ && deck_.own.get<Shear>().rate == 0.0)
        refuse(column, "a rate other than 0");
      if ((column == "flow_velocity" || column == "drive_acceleration") &&
          !std::any_of(deck_.sources.begin(), deck_.sources.end(),
                       [](const auto& s) { return s.first == "flow_rate"; }))
        refuse(column, "a [flow_rate] block");
      if (namedBy(deck_, column).empty())
        error("columns", fmt::format("{}: this deck has nothing of that name, leave the column out", quoted(column)));
    }
  }

  void checkRange() {
    if (measure_.style == Style::columns) {
      if (measure_.to < measure_.from)
        error("to", fmt::format("to = {} is below from = {}", measure_.to, measure_.from));
      return;
    }
    if (measure_.from < 0.0) error("from", fmt::format("from = {} is no lag: take one from 0 on", measure_.from));
    if (measure_.to < 0.0) error("to", fmt::format("to = {} is no lag: take one from 0 on", measure_.to));
    if (measure_.style != Style::msd || measure_.to <= 0.0) {
      if (measure_.from > 0.0 && measure_.to <= 0.0) error("from", "from needs to: give both lags");
      return;
    }
    if (measure_.from >= measure_.to)
      error("from", fmt::format("from = {} is not below to = {}", measure_.from, measure_.to));
  }

  const Deck& deck_;
  const Measure& measure_;
  Report& report_;
  std::string path_;
  bool sheared_;
};

}  // namespace

void checkMeasured(const Deck& deck, std::size_t k, Report& report) { MeasureCheck(deck, k, report).all(); }

void checkWhoseProfile(const Deck& deck, std::size_t k, Report& report) {
  MeasureCheck(deck, k, report).whose();
  MeasureCheck(deck, k, report).heights();
}

void checkMeasuredFields(const Deck& deck, Report& report) {
  int fields = 0;
  for (std::size_t k = 0; k < deck.measures.size(); ++k) {
    const Measure& measure = deck.measures[k];
    const bool carried = (measure.style == Style::msd && !measure.molecules) || measure.style == Style::vacf;
    if (carried && ++fields == mostFields + 1)
      report.error(fmt::format("measure.{}.style", k),
                   fmt::format("particles carry the origins of up to {} measures of msd and vacf: leave one out, or "
                               "measure several species together",
                               mostFields));
  }
}

}  // namespace mesowarp::input
