#include "input/physics_check.hpp"

#include <algorithm>
#include <fmt/format.h>

#include "core/file_kind.hpp"
#include "core/shear.hpp"
#include "input/grammar/suggest.hpp"
#include "input/grammar/value.hpp"
#include "input/measures/measure_checks.hpp"
#include "input/method.hpp"

namespace mesowarp::input {
namespace {

// Words that a method adds to population.initial are for its own kinds.
void checkInitial(const Deck& deck, Report& report) {
  for (std::size_t k = 0; k < deck.populations.size(); ++k)
    for (const MethodBlocks* method : methodBlocks()) {
      const auto words = method->initials();
      const bool has = std::find(words.begin(), words.end(), deck.populations[k].initial) != words.end();
      if (!has || method == &ownerOf(deck.populations[k])) continue;
      report.error(fmt::format("population.{}.initial", k),
                   fmt::format("initial = {} {} for kind = {}", enumerate(words, "and"),
                               words.size() == 1 ? "is" : "are", enumerate(method->kinds(), "or")));
    }
}

constexpr double mostCells = 1e7;

void checkCells(const Measure& measure, const std::string& path, Report& report) {
  const double all = measure.cells[0] * measure.cells[1] * measure.cells[2];
  if (all > mostCells)
    report.error(path + "cells", fmt::format("cells = [{}, {}, {}] are {} cells, and a field can have {}: take fewer",
                                             measure.cells[0], measure.cells[1], measure.cells[2], all, mostCells));
}

// Shells lie whole in the box, so that their volume is known and no particle is in two of them.
void checkShells(const Deck& deck, const Measure& measure, const std::string& path, Report& report) {
  if (measure.inner_radius >= measure.radius)
    return report.error(path + "inner_radius", fmt::format("inner_radius = {} is not below radius = {}",
                                                           measure.inner_radius, measure.radius));
  const Shear shear = deck.own.get<Shear>();
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (measure.style == MeasureStyle::cylinder && static_cast<int>(axis) == measure.axis) continue;
    const double size = deck.box.size[axis], at = measure.center[axis];
    const bool slides = shear.on && shear.gradient == static_cast<int>(axis);  // images beyond are not straight above
    const double most = deck.box.periodic[axis] && !slides ? 0.5 * size : std::min(at, size - at);
    if (measure.radius <= most * (1.0 + 1e-12)) continue;
    if (most > 0.0)
      report.error(path + "radius", fmt::format("the {} reaches beyond {} along {}: radius may be up to {:.6g} there",
                                                measure.style == MeasureStyle::cylinder ? "cylinder" : "sphere",
                                                slides                    ? "the face whose images slide"
                                                : deck.box.periodic[axis] ? "half the box"
                                                                          : "the box",
                                                "xyz"[axis], most));
    else
      report.error(path + "center",
                   fmt::format("the center lies outside of the box along {}, [0, {}]", "xyz"[axis], size));
    return;
  }
}

}  // namespace

void checkFile(const std::string& path, const std::string& file, Report& report) {
  if (file.empty()) return;
  const std::string why = whyNoFile(file);
  if (why == "does not exist")
    report.error(path, fmt::format("there is no file {}", quoted(file)));
  else if (!why.empty())
    report.error(path, fmt::format("{} {}", quoted(file), why));
}

void checkStartFile(const Deck& deck, const std::string& path, const std::string& file, Report& report) {
  if (deck.own.get<StartFiles>().needed) checkFile(path, file, report);
}

std::vector<Diagnostic> checkPhysics(const Deck& deck) {
  Report report(deck);
  for (const MethodBlocks* method : methodsOf(deck)) method->check(deck, report);
  checkInitial(deck, report);
  checkMeasures(deck, report);
  checkSchedule(deck, report);
  sortByPlace(report.diagnostics());
  return std::move(report.diagnostics());
}

void refuseTooMany(const Deck& deck, std::size_t k, std::int64_t& soFar, std::int64_t most, Report& report) {
  const std::int64_t here = particleCount(deck.populations[k], deck.box);  // at most 1e18
  const bool fitted = soFar <= most;
  soFar = std::min(soFar, most + 1) + here;
  if (soFar <= most || !fitted) return;
  const std::string path = fmt::format("population.{}", k);
  const char* keys[] = {".count", ".density", ".file"};
  const auto key =
      std::find_if(std::begin(keys), std::end(keys), [&](const char* name) { return isGiven(deck, path + name); });
  report.error(key == std::end(keys) ? path : path + *key,
               fmt::format("too many particles: {} of population {} make {}, and a run can hold {}", here,
                           quoted(deck.populations[k].name), soFar, most));
}

void checkMeasures(const Deck& deck, Report& report) {
  for (std::size_t k = 0; k < deck.measures.size(); ++k) {
    const Measure& measure = deck.measures[k];
    if (!measure.isOfPlaces()) {
      checkMeasured(deck, k, report);
      continue;
    }
    checkWhoseProfile(deck, k, report);
    const std::string path = fmt::format("measure.{}.", k);
    const auto& words = measure.quantities;
    const bool stress = std::find(words.begin(), words.end(), "stress") != words.end();
    if (measure.style == MeasureStyle::field) {
      checkCells(measure, path, report);
      if (stress && methodsOf(deck).front()->lacksColumn("potential_energy"))
        report.error(path + "quantities", fmt::format("\"stress\" is a sum over forces between pairs, which {} do not "
                                                      "have: leave it out",
                                                      methodsOf(deck).front()->inWords()));
    } else {
      if (measure.style != MeasureStyle::profile) checkShells(deck, measure, path, report);
      if (stress)
        report.error(path + "quantities", "\"stress\" is for style = \"field\": cells = [1, 1, 40] are 40 slabs "
                                          "across z");
    }
  }
  checkMeasuredFields(deck, report);
}

void checkSchedule(const Deck& deck, Report& report) {
  for (std::size_t k = 0; k < deck.measures.size(); ++k) {
    const Measure& measure = deck.measures[k];
    const std::string path = fmt::format("measure.{}.", k);
    if (measure.start > deck.run.steps)
      report.error(path + "start",
                   fmt::format("start = {} is after the run's last step, {}", measure.start, deck.run.steps));
    if (measure.window > 0 && measure.window < measure.every && measure.isOfPlaces())
      report.error(path + "window", fmt::format("window = {} is shorter than every = {}: a block would hold no sample",
                                                measure.window, measure.every));
  }
  for (std::size_t k = 0; k < deck.outputs.size(); ++k) {
    const Output& output = deck.outputs[k];
    if (output.at_end || (output.every > 0 && output.every <= deck.run.steps)) continue;
    if (output.format == OutputFormat::checkpoint && output.every == 0) continue;  // the way to ask for none
    const std::string path = fmt::format("output.{}.every", k);
    if (output.every == 0)
      report.error(path, "every = 0 means only at the end, but at_end is false: nothing would be written");
    else
      report.warning(path, fmt::format("every = {} is more than the run's {} steps, and at_end is false", output.every,
                                       deck.run.steps));
  }
}

}  // namespace mesowarp::input
