#include "input/complete.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>
#include <map>

#include "input/grammar/diagnostic.hpp"
#include "input/grammar/suggest.hpp"
#include "input/grammar/value.hpp"
#include "input/measures/measure_files.hpp"
#include "input/measures/measure_share.hpp"
#include "input/method.hpp"
#include "input/molecules/molecule_blocks.hpp"
#include "input/result_files.hpp"
#include "input/schema.hpp"

namespace mesowarp::input {
namespace {

// Errors for all but the first of the blocks with one name.
template <class Blocks, class NameOf>
void refuseTwins(Report& report, const std::string& block, const std::string& key, const Blocks& blocks,
                 NameOf nameOf) {
  std::map<std::string, Source> first;
  for (std::size_t k = 0; k < blocks.size(); ++k) {
    const auto [it, isNew] = first.emplace(nameOf(blocks[k]), blocks[k].where);
    if (!isNew)
      report.error(fmt::format("{}.{}.{}", block, k, key),
                   fmt::format("there is a [[{}]] with {} = {} already, in {}", block, key, quoted(it->first),
                               lineOf(it->second)));
  }
}

void give(BlocksRead& read, Report& report) {
  for (auto& diagnostic : report.diagnostics()) read.diagnostics.push_back(std::move(diagnostic));
}

}  // namespace

void nameFile(Deck& deck, const std::string& key, std::string& file, bool ofStart) {
  std::error_code error;
  const auto path = std::filesystem::absolute(std::filesystem::path(deck.file).parent_path() / file, error);
  if (!error) file = path.lexically_normal().string();
  deck.own.get<NamedFiles>().all.push_back({key, file, ofStart});
}

void completeNames(BlocksRead& read) {
  Deck& deck = read.deck;
  Report report(deck);
  for (auto& measure : deck.measures)
    if (measure.name.empty()) measure.name = nameOf(measure);
  for (std::size_t k = 0; k < deck.populations.size(); ++k)
    if (auto& file = deck.populations[k].file; !file.empty())
      nameFile(deck, fmt::format("population.{}.file", k), file, true);
  for (std::size_t k = 0; k < deck.shapes.size(); ++k)
    if (auto& file = deck.shapes[k].file; !file.empty()) nameFile(deck, fmt::format("shape.{}.file", k), file);
  if (!read.broken.count("population"))
    refuseTwins(report, "population", "name", deck.populations, [](const Population& p) { return p.name; });
  if (!read.broken.count("shape"))
    refuseTwins(report, "shape", "name", deck.shapes, [](const Shape& s) { return s.name; });
  if (!read.broken.count("wall")) refuseTwins(report, "wall", "name", deck.walls, [](const Wall& w) { return w.name; });
  if (!read.broken.count("measure")) checkMeasureNames(deck, report);
  static const std::vector<std::string> formats{"table", "trajectory", "checkpoint"};
  if (!read.broken.count("output"))
    refuseTwins(report, "output", "format", deck.outputs, [&](const Output& o) {
      const bool several = o.format == OutputFormat::trajectory;
      return formats[static_cast<std::size_t>(o.format)] + (several ? fmt::format(" {}", &o - &deck.outputs[0]) : "");
    });
  if (!read.broken.count("output")) checkTrajectoryNames(deck, report);
  give(read, report);
}

void completeFaces(BlocksRead& read) {
  Report report(read.deck);
  std::map<std::pair<int, int>, Source> given;
  for (std::size_t k = 0; k < read.deck.boundaries.size(); ++k) {
    const Boundary& boundary = read.deck.boundaries[k];
    if (boundary.face.empty()) continue;  // an error has been told
    const int axis = boundary.face[0] - 'x';
    for (int side = 0; side < 2; ++side) {
      if (boundary.face.size() > 1 && boundary.face[1] != "-+"[side]) continue;
      const auto [it, isNew] = given.emplace(std::pair(axis, side), boundary.where);
      if (!isNew)
        report.error(fmt::format("boundary.{}.face", k), fmt::format("face {}{} has a boundary already, in {}",
                                                                     "xyz"[axis], "-+"[side], lineOf(it->second)));
      read.deck.faces[static_cast<std::size_t>(axis)][static_cast<std::size_t>(side)] = boundary.style;
    }
  }
  give(read, report);
}

std::int64_t roundInterval(std::int64_t steps, std::int64_t rows) {
  const std::int64_t most = steps / rows;
  std::int64_t interval = 1;
  for (std::int64_t ten = 1; ten <= most; ten *= 10)
    for (const std::int64_t factor : {1, 2, 5})
      if (factor * ten <= most) interval = factor * ten;
  return interval;
}

void completeOutputs(BlocksRead& read) {
  if (read.broken.count("output")) return;
  const auto& schema = schemaOf<Output>();
  const bool isAnyGiven = !read.deck.outputs.empty();
  const auto isGiven = [](const Output& output) { return output.format == OutputFormat::checkpoint; };
  const bool isCheckpointGiven = std::any_of(read.deck.outputs.begin(), read.deck.outputs.end(), isGiven);
  for (const OutputFormat format : {OutputFormat::table, OutputFormat::checkpoint}) {
    if (format == OutputFormat::table ? isAnyGiven : isCheckpointGiven) continue;
    Output output;
    output.format = format;
    for (const auto& field : schema.fields)
      if (field.fallback && applies(schema, field, output)) field.set(output, *field.fallback);
    if (format == OutputFormat::table) output.every = roundInterval(read.deck.run.steps, 20);
    if (format == OutputFormat::table) useUsualColumns(*methodsOf(read.deck).front(), output);
    read.deck.outputs.push_back(output);
  }
}

// The deck has its populations, or an interaction in its style, be it in the wrong place.
static bool takesPart(const Deck& deck, const MethodBlocks& method) {
  const auto methods = methodsOf(deck);
  const auto styles = method.interactions();
  return std::find(methods.begin(), methods.end(), &method) != methods.end() ||
         std::any_of(deck.interactions.begin(), deck.interactions.end(), [&](const Interaction& i) {
           return std::find(styles.begin(), styles.end(), i.style) != styles.end();
         });
}

void complete(BlocksRead& read) {
  completeMethods(read);
  completeMolecules(read);  // what is added may be for their beads
  for (const MethodBlocks* method : methodBlocks())
    if (takesPart(read.deck, *method)) method->addPopulations(read);
  completeNames(read);
  completeSpecies(read);
  for (const MethodBlocks* method : methodBlocks())
    if (takesPart(read.deck, *method)) method->complete(read);
  completeFaces(read);
  completeOutputs(read);
  completeShares(read.deck);
  for (auto& population : read.deck.populations)
    if (population.temperature < 0.0)
      population.temperature = ownerOf(population).usualTemperature(read.deck, population);
}

}  // namespace mesowarp::input
