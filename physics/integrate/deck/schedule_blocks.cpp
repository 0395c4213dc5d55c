#include "physics/integrate/deck/schedule_blocks.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "input/grammar/suggest.hpp"
#include "input/grammar/value.hpp"
#include "input/molecules/molecule_blocks.hpp"
#include "input/molecules/reach_ever.hpp"
#include "input/schema.hpp"
#include "physics/integrate/deck/schedule_extremes.hpp"
#include "physics/pair/deck/made_like.hpp"

namespace mesowarp {

using namespace input;

std::vector<std::string> scheduledColumnsOf(const Deck& deck) {
  std::vector<std::string> columns;
  for (const auto& keys : schedulesOf(deck)) columns.push_back(std::string(scheduledColumns) + "." + keys.name);
  return columns;
}

Block<OwnItem> scheduleBlock() {
  using Keys = ScheduleKeys;
  std::vector<Key<Keys>> fields{
      bind(Type::text, "key", &Keys::key).need().means("what changes, as the table below has it"),
      bind(Type::name, "name", &Keys::name)
          .derived("key, with - for dots")
          .means("its column in a table is scheduled.NAME"),
      choice("style", &Keys::style, {"linear", "jumps"})
          .means("linear: straight lines between the steps; jumps: each value holds until the next step"),
      bind(Type::list, "steps", &Keys::steps)
          .need()
          .from(0)
          .means("rising whole numbers; before the first and behind the last the value stays"),
      bind(Type::list, "values", &Keys::values).need().means("one for each of steps, in the unit of the key")};
  BlockInfo info{
      ScheduleKeys::block, true, false, "name",
      "A number of the deck that changes with the step, and so is what this block says, whatever its own block "
      "does. Noise follows friction and temperature."};
  info.behind = scheduledTable();
  return ownList<Keys>(std::move(info), std::move(fields));
}

// A flow that the initial state has is that of the first step.
static void beginsWith(Deck& deck, const ScheduleKeys& keys) {
  if (!isComplete(keys)) return;
  const ScheduledNumber found = scheduledNumber(deck, keys.key);
  if (found.kind == Scheduled::shear || found.kind == Scheduled::flow || found.kind == Scheduled::wall)
    *found.number = keys.at(0);
}

// Lists, cells and ghosts are for the furthest that forces and bonds ever reach.
static void reach(Deck& deck) {
  auto& bonds = deck.own.get<BondsEver>();
  for (const auto& [step, then] : decksAtExtremes(deck)) {
    for (std::size_t k = 0; k < deck.interactions.size(); ++k) {
      Interaction& own = deck.interactions[k];
      const double cutoff = then.interactions[k].cutoff;
      auto& ever = own.own.get<CutoffEver>().cutoff;
      if (cutoff != own.cutoff) ever = std::max({ever, own.cutoff, cutoff});
    }
    if (const double ghosts = ghostReach(then); std::isfinite(ghosts)) bonds.reach = std::max(bonds.reach, ghosts);
    bonds.longest = std::max(bonds.longest, longestBond(then));
  }
}

void completeSchedules(BlocksRead& read) {
  const auto it = read.deck.lists.find(ScheduleKeys::block);
  if (it == read.deck.lists.end()) return;
  for (const char* block : {"run", "box", "interaction", "bond", "angle", "dihedral", ScheduleKeys::block})
    if (read.broken.count(block)) return;
  for (OwnItem& item : it->second) {
    auto& keys = item.own.get<ScheduleKeys>();
    beginsWith(read.deck, keys);
    if (!keys.name.empty()) continue;
    keys.name = keys.key;
    std::replace(keys.name.begin(), keys.name.end(), '.', '-');
  }
  reach(read.deck);
}

namespace {

bool endsWithOneOf(const std::string& key, std::initializer_list<const char*> ends) {
  return std::any_of(ends.begin(), ends.end(), [&](const char* end) { return key.ends_with(end); });
}

bool mustBePositive(const std::string& key) {
  return (key.ends_with(".friction") && !key.starts_with("wall.")) ||
         endsWithOneOf(key, {".epsilon", ".sigma", ".cutoff", ".beta", ".r_max", ".reduced_volume"}) ||
         key.starts_with("box.size.") || (key.starts_with("interaction.") && key.ends_with(".r0"));
}

// Of what the unit is degrees.
bool isAngle(const std::string& key) { return endsWithOneOf(key, {".theta0", ".phi0"}); }

bool mayBeNegative(const std::string& key) {
  const auto has = [&](const char* part) { return key.find(part) != std::string::npos; };
  return key.ends_with(".a") || has(".acceleration.") || has(".force.") || key.starts_with("barostat.") ||
         key.starts_with("source.") || key.ends_with(".velocity") || has(".velocity.") || has(".spin.") ||
         key == "shear.rate" || key.starts_with("dihedral.");
}

void checkSteps(const ScheduleKeys& keys, const std::string& path, Report& report) {
  if (!isComplete(keys))
    return report.error(path + ".values", fmt::format("{} steps and {} values: give one value for each step",
                                                      keys.steps.size(), keys.values.size()));
  for (std::size_t k = 0; k < keys.steps.size(); ++k) {
    if (keys.steps[k] != std::floor(keys.steps[k]))
      return report.error(path + ".steps", fmt::format("steps: {} is not a whole number", keys.steps[k]));
    if (k > 0 && !(keys.steps[k] > keys.steps[k - 1]))
      return report.error(path + ".steps",
                          fmt::format("steps: {} is not above {} before it", keys.steps[k], keys.steps[k - 1]));
    if (isAngle(keys.key) && std::abs(keys.values[k]) > 180.0)
      return report.error(path + ".values",
                          fmt::format("values: {} is not possible for {}: expected {} to 180 degrees", keys.values[k],
                                      quoted(keys.key), mayBeNegative(keys.key) ? -180 : 0));
    if (keys.key.ends_with(".reduced_volume") && keys.values[k] > 1.0)
      return report.error(path + ".values", fmt::format("values: {} is not possible for {}: of all shapes of an area a "
                                                        "sphere, which has 1, holds the most",
                                                        keys.values[k], quoted(keys.key)));
    const bool positive = mustBePositive(keys.key);
    if (!mayBeNegative(keys.key) && (keys.values[k] < 0.0 || (positive && keys.values[k] == 0.0)))
      return report.error(path + ".values", fmt::format("values: {} is not possible for {}: expected numbers {} 0",
                                                        keys.values[k], quoted(keys.key), positive ? ">" : ">="));
  }
}

}  // namespace

// How deep layers of walls are, how their particles lie, and where the tables of what walls do end: all that is made
// once, for the lengths of the start.
static void checkReach(const Deck& deck, const ScheduleKeys& keys, const std::string& path, Report& report) {
  if (deck.walls.empty() || !keys.key.starts_with("interaction.") || !endsWithOneOf(keys.key, {".cutoff", ".sigma"}))
    return;
  report.error(path + ".key",
               fmt::format("{} cannot change in a deck with [[wall]] blocks, whose layers are as deep as forces reach "
                           "at the start, and as dense: change a strength or run.temperature instead, give "
                           "each length a run of its own, or take faces of the box ([[boundary]]) for walls",
                           quoted(keys.key)));
}

// Whether a key is of a block that the program has added, which goes with the one that it is made like.
static bool isAdded(const Deck& deck, const std::string& key) {
  for (std::size_t k = 0; k < deck.interactions.size(); ++k)
    if (deck.interactions[k].own.get<MadeLike>().block >= 0 && key.starts_with(fmt::format("interaction.{}.", k)))
      return true;
  return false;
}

void checkSchedules(const Deck& deck, Report& report) {
  Deck copy = deck;  // the numbers are looked for, and left alone
  const auto all = schedulesOf(deck);
  for (std::size_t k = 0; k < all.size(); ++k) {
    const std::string path = fmt::format("{}.{}", ScheduleKeys::block, k);
    const Scheduled kind = scheduledNumber(copy, all[k].key).kind;
    if (kind == Scheduled::nothing || isAdded(deck, all[k].key))
      report.error(path + ".key", fmt::format("{} is no number of this deck that may change: expected {}",
                                              quoted(all[k].key), scheduledKeys()));
    checkReach(deck, all[k], path, report);
    checkSteps(all[k], path, report);
    for (std::size_t j = 0; j < k; ++j) {
      const int line = itemsOf(deck, ScheduleKeys::block)[j].where.line;
      if (all[j].key == all[k].key)
        report.error(path + ".key", fmt::format("{} has a [[schedule]] already, in line {}", quoted(all[k].key), line));
      else if (all[j].name == all[k].name)
        report.error(path + ".name",
                     fmt::format("there is a [[schedule]] {} already, in line {}", quoted(all[k].name), line));
    }
  }
}

}  // namespace mesowarp
