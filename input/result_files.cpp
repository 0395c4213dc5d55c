#include "input/result_files.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <fmt/format.h>
#include <map>
#include <string_view>

#include "input/grammar/value.hpp"
#include "input/measures/measure_files.hpp"
#include "input/method.hpp"

namespace mesowarp::input {
namespace {

// Names without their endings that are the program's own, and beginnings of such.
constexpr std::array<std::string_view, 6> ownNames{"deck", "mesowarp", "run", "summary", "thermo", "trajectory"};
constexpr std::array<std::string_view, 3> ownBeginnings{"checkpoint-", "earlier-", "stale-checkpoint-"};
constexpr std::size_t longestName = 100;  // a file system's names have up to 255 bytes

std::string inLowerCase(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// Decks with [[membrane]] blocks may have a table of cells, and their surfaces over time.
bool hasCells(const Deck& deck) { return !itemsOf(deck, "membrane").empty(); }

bool isTrajectory(const std::string& name, const Deck& deck) {
  const auto all = trajectoryNames(deck);
  return std::any_of(all.begin(), all.end(), [&](const std::string& one) {
    return name == inLowerCase(one) || name == inLowerCase(one) + "-bonds";
  });
}

bool isOwn(const std::string& name, const Deck& deck) {
  return (!deck.walls.empty() && name == wallFile) || (hasCells(deck) && (name == "cells" || name == "surfaces")) ||
         std::find(ownNames.begin(), ownNames.end(), name) != ownNames.end() ||
         std::any_of(ownBeginnings.begin(), ownBeginnings.end(), [&](auto front) { return name.starts_with(front); });
}

}  // namespace

std::vector<std::string> trajectoryNames(const Deck& deck, const Output& output) {
  std::vector<std::string> names;
  for (const MethodBlocks* method : methodsOf(deck))
    names.push_back(names.empty() ? output.name : output.name + "-" + method->population());
  return names;
}

std::vector<std::string> trajectoryNames(const Deck& deck) {
  std::vector<std::string> names = trajectoryNames(deck, Output{});  // an earlier run may have had one
  for (const Output& output : deck.outputs) {
    if (output.format != OutputFormat::trajectory || output.name == Output{}.name) continue;
    const auto more = trajectoryNames(deck, output);
    names.insert(names.end(), more.begin(), more.end());
  }
  return names;
}

std::vector<std::string> resultFiles(const Deck& deck) {
  std::vector<std::string> files{"deck.toml",    "deck.toml.tmp",    "run.log",
                                 "summary.json", "summary.json.tmp", "thermo.csv"};
  for (const auto& name : trajectoryNames(deck))
    for (const char* ending : {".h5", ".xmf", ".xmf.tmp", "-bonds.xmf", "-bonds.xmf.tmp"})
      files.push_back(name + ending);
  for (const auto& measure : deck.measures) {
    const bool isField = measure.style == MeasureStyle::field;
    for (const auto& suffix : measureSuffixes(measure))
      for (const char* ending : {isField ? ".xmf" : ".csv", ".h5"}) files.push_back(measure.name + suffix + ending);
    if (isField) files.push_back(measure.name + ".xmf.tmp");
  }
  if (hasCells(deck))
    for (const char* name : {"cells.csv", "cells.h5", "surfaces.h5", "surfaces.xmf", "surfaces.xmf.tmp"})
      files.emplace_back(name);
  if (!deck.walls.empty())
    for (const char* ending : {".h5", ".h5.tmp", ".xmf", ".xmf.tmp"}) files.push_back(std::string(wallFile) + ending);
  return files;
}

std::vector<std::string> resultSeries(const Deck& deck) {
  return hasCells(deck) ? std::vector<std::string>{surfaceSeries} : std::vector<std::string>{};
}

// Those of measures are refused where they meet a trajectory's.
void checkTrajectoryNames(const Deck& deck, Report& report) {
  std::map<std::string, Source> first;
  for (std::size_t k = 0; k < deck.outputs.size(); ++k) {
    const Output& output = deck.outputs[k];
    if (output.format != OutputFormat::trajectory) continue;
    const std::string path = fmt::format("output.{}.name", k), name = inLowerCase(output.name);
    if ((isOwn(name, deck) && name != "trajectory") || name.ends_with("-bonds") || name.size() > longestName)
      report.error(path, fmt::format("name = {}: {}.h5 and {}.xmf could be files that mesowarp itself writes; choose "
                                     "another, shorter than {} characters",
                                     quoted(output.name), output.name, output.name, longestName));
    for (const auto& file : trajectoryNames(deck, output))
      if (const auto [it, isNew] = first.emplace(inLowerCase(file), output.where); !isNew)
        report.error(path, fmt::format("there is a trajectory {} already, in {}: give this one a name of its own",
                                       quoted(file), lineOf(it->second)));
  }
}

void checkMeasureNames(const Deck& deck, Report& report) {
  std::map<std::string, const Measure*> first;
  for (std::size_t k = 0; k < deck.measures.size(); ++k) {
    const Measure& measure = deck.measures[k];
    const std::string path = fmt::format("measure.{}.name", k), name = inLowerCase(measure.name);
    if (isOwn(name, deck) || isTrajectory(name, deck))
      report.error(
          path, fmt::format("name = {}: {}.{} or {}.h5 would be files that mesowarp itself writes; choose another name",
                            quoted(measure.name), measure.name, measure.style == MeasureStyle::field ? "xmf" : "csv",
                            measure.name));
    else if (isTrajectory(name + "_means", deck))
      report.error(path,
                   fmt::format("name = {0}: {0}_means.h5 may have its single numbers, and is a trajectory of this "
                               "deck; choose another name for one of them",
                               measure.name));
    if (name.size() > longestName)
      report.error(
          path, fmt::format("name has {} characters; it names files, and may have up to {}", name.size(), longestName));
    const auto [it, isNew] = first.emplace(name, &measure);
    if (isNew && name.ends_with("_means"))
      report.error(path, fmt::format("name = {}: files that end so are of single numbers beside another measure's; "
                                     "choose another name",
                                     quoted(measure.name)));
    if (!isNew)
      report.error(path, fmt::format("there is a [[measure]] with name = {} already, in {}{}", quoted(it->second->name),
                                     lineOf(it->second->where),
                                     it->second->name == measure.name ? "" : "; names must differ by more than case"));
  }
}

}  // namespace mesowarp::input
