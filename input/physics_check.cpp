#include "input/physics_check.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <map>

#include "core/file_kind.hpp"
#include "input/species.hpp"
#include "input/grammar/value.hpp"

namespace mesowarp::input {
namespace {

constexpr std::int64_t mostParticles = std::numeric_limits<std::int32_t>::max();

void checkCount(const Deck& deck, std::size_t k, Report& report) {
  const Population& population = deck.populations[k];
  const std::string path = fmt::format("population.{}", k), name = quoted(population.name);
  const bool density = population.density > 0.0, count = population.count > 0;
  if (density && count)
    return report.error(path + ".count", fmt::format("population {} has both density and count: give one", name));
  if (!density && !count)
    return report.error(path, fmt::format("population {} has no particles: give density or count", name));
  if (particleCount(population, deck.box) == 0)
    report.error(
        path + ".density",
        fmt::format("population {} has no particles: density = {} in a box of volume {:.6g} is less than half a {}",
                    name, population.density, deck.box.size[0] * deck.box.size[1] * deck.box.size[2],
                    population.kind == PopulationKind::polymer ? "molecule" : "particle"));
}

void checkChain(const Deck& deck, std::size_t k, Report& report) {
  const Population& polymer = deck.populations[k];
  const std::string path = fmt::format("population.{}", k);
  if (polymer.initial == InitialState::lattice)
    report.error(path + ".initial",
                 "initial = \"lattice\" is for fluids: polymers start \"random\" or from a \"file\"");
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (polymer.initial == InitialState::random && polymer.bond_length >= deck.box.size[axis] / 2.0)
      return report.error(path + ".bond_length",
                          fmt::format("bond_length = {} does not fit the box, {} along {}: it must be below half of it",
                                      polymer.bond_length, deck.box.size[axis], "xyz"[axis]));
}

// Two masses of one species would make it two species.
void checkMasses(const Deck& deck, Report& report) {
  std::map<std::string, const Population*> first;
  for (std::size_t k = 0; k < deck.populations.size(); ++k)
    for (const auto& species : speciesOf(deck.populations[k])) {
      const auto [it, isNew] = first.emplace(species, &deck.populations[k]);
      if (!isNew && it->second->mass != deck.populations[k].mass)
        report.error(fmt::format("population.{}.mass", k),
                     fmt::format("species {} has mass {} here and {} in population {}", quoted(species),
                                 deck.populations[k].mass, it->second->mass, quoted(it->second->name)));
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

std::vector<Diagnostic> checkPhysics(const Deck& deck) {
  Report report(deck);
  if (methodOf(deck) == Method::bodies) {
    checkBodies(deck, report);
    checkSchedule(deck, report);
    sortByPlace(report.diagnostics());
    return std::move(report.diagnostics());
  }
  checkGeometry(deck, report);
  checkPopulations(deck, report);
  checkSchedule(deck, report);
  checkSums(deck, report);
  checkTimestep(deck, report);
  checkBondStrength(deck, report);
  checkNeighborList(deck, report);
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

void checkPopulations(const Deck& deck, Report& report) {
  std::int64_t particles = 0;
  for (std::size_t k = 0; k < deck.populations.size(); ++k) {
    const Population& population = deck.populations[k];
    if (population.initial != InitialState::file)
      checkCount(deck, k, report);
    else
      checkFile(fmt::format("population.{}.file", k), population.file, report);
    if (population.initial == InitialState::plummer || population.initial == InitialState::sphere)
      report.error(fmt::format("population.{}.initial", k),
                   "initial = \"plummer\" and \"sphere\" are for kind = \"bodies\"");
    if (population.kind == PopulationKind::polymer) checkChain(deck, k, report);
    refuseTooMany(deck, k, particles, mostParticles, report);
  }
  checkMasses(deck, report);
}

void checkSchedule(const Deck& deck, Report& report) {
  for (std::size_t k = 0; k < deck.measures.size(); ++k) {
    const Measure& measure = deck.measures[k];
    const std::string path = fmt::format("measure.{}.", k);
    if (measure.start > deck.run.steps)
      report.error(path + "start",
                   fmt::format("start = {} is after the run's last step, {}", measure.start, deck.run.steps));
    if (measure.window > 0 && measure.window < measure.every)
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
