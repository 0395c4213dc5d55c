#include "physics/integrate/deck/schedule_blocks.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "input/grammar/suggest.hpp"
#include "input/grammar/value.hpp"
#include "input/schema.hpp"
#include "physics/integrate/schedule.hpp"

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
      bind(Type::text, "key", &Keys::key).need().means("what changes: " + scheduledKeys()),
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
  return ownList<Keys>(std::move(info), std::move(fields));
}

// A flow that the initial state has is that of the first step.
static void beginsWith(Deck& deck, const ScheduleKeys& keys) {
  if (keys.steps.empty() || keys.steps.size() != keys.values.size()) return;
  const ScheduledNumber found = scheduledNumber(deck, keys.key);
  if (found.kind == Scheduled::shear || found.kind == Scheduled::flow || found.kind == Scheduled::wall)
    *found.number = keys.at(0);
}

void completeSchedules(BlocksRead& read) {
  const auto it = read.deck.lists.find(ScheduleKeys::block);
  if (it == read.deck.lists.end()) return;
  for (OwnItem& item : it->second) {
    auto& keys = item.own.get<ScheduleKeys>();
    beginsWith(read.deck, keys);
    if (!keys.name.empty()) continue;
    keys.name = keys.key;
    std::replace(keys.name.begin(), keys.name.end(), '.', '-');
  }
}

namespace {

bool mayBeNegative(const std::string& key) {
  const auto has = [&](const char* part) { return key.find(part) != std::string::npos; };
  return key.ends_with(".a") || has(".acceleration.") || has(".force.") || key.starts_with("barostat.") ||
         key.ends_with(".velocity") || has(".velocity.") || has(".spin.") || key == "shear.rate" ||
         key.starts_with("dihedral.");
}

void checkSteps(const ScheduleKeys& keys, const std::string& path, Report& report) {
  if (keys.steps.empty() || keys.steps.size() != keys.values.size())
    return report.error(path + ".values", fmt::format("{} steps and {} values: give one value for each step",
                                                      keys.steps.size(), keys.values.size()));
  for (std::size_t k = 0; k < keys.steps.size(); ++k) {
    if (keys.steps[k] != std::floor(keys.steps[k]))
      return report.error(path + ".steps", fmt::format("steps: {} is not a whole number", keys.steps[k]));
    if (k > 0 && !(keys.steps[k] > keys.steps[k - 1]))
      return report.error(path + ".steps",
                          fmt::format("steps: {} is not above {} before it", keys.steps[k], keys.steps[k - 1]));
    const bool positive =
        keys.key.ends_with(".friction") || keys.key.ends_with(".epsilon") || keys.key.starts_with("box.size.");
    if (!mayBeNegative(keys.key) && (keys.values[k] < 0.0 || (positive && keys.values[k] == 0.0)))
      return report.error(path + ".values", fmt::format("values: {} is not possible for {}: expected numbers {} 0",
                                                        keys.values[k], quoted(keys.key), positive ? ">" : ">="));
  }
}

}  // namespace

void checkSchedules(const Deck& deck, Report& report) {
  Deck copy = deck;  // the numbers are looked for, and left alone
  const auto all = schedulesOf(deck);
  for (std::size_t k = 0; k < all.size(); ++k) {
    const std::string path = fmt::format("{}.{}", ScheduleKeys::block, k);
    const Scheduled kind = scheduledNumber(copy, all[k].key).kind;
    if (kind == Scheduled::nothing)
      report.error(path + ".key", fmt::format("{} is no number of this deck that may change: expected {}",
                                              quoted(all[k].key), scheduledKeys()));
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
