// [[group]], [[pull]] and [[hold]]: grammar, completion, columns.
#include <algorithm>
#include <fmt/format.h>

#include "input/measures/group_names.hpp"
#include "physics/group/deck/group_blocks.hpp"

namespace mesowarp::group {
namespace {

using namespace input;

Block<OwnItem> groupBlock() {
  using Keys = GroupKeys;
  std::vector<Key<Keys>> fields{
      bind(Type::name, "name", &Keys::name).need().means("of the group"),
      bind(Type::names, "species", &Keys::species).orElseNot("any").means("of these species"),
      bind(Type::names, "populations", &Keys::populations).orElseNot("any").means("of these populations"),
      bind(Type::text, "molecules", &Keys::molecules)
          .orElseNot("any")
          .means("of molecules with these numbers, from 1, as a trajectory has them: \"1:20, 25\", or with a stride "
                 "\"1:99:2\"; both ends count"),
      bind(Type::text, "particles", &Keys::particles)
          .orElseNot("any")
          .means("with these numbers, from 0, as a trajectory has them in `id`; written as `molecules`"),
      bind(Type::text, "region", &Keys::region)
          .orElseNot("anywhere")
          .means("in this region at the start: names of [[shape]] blocks with not, and, or and brackets"),
      bind(Type::names, "any_of", &Keys::anyOf).orElseNot("all").means("in one of these groups, of blocks above"),
      bind(Type::names, "none_of", &Keys::noneOf).orElseNot("none").means("in none of these"),
      bind(Type::numbers, "lower", &Keys::lower)
          .orElseNot("the box")
          .in("length")
          .means("in a box at the start, from here"),
      bind(Type::numbers, "upper", &Keys::upper).orElseNot("the box").in("length").means("to there")};
  BlockInfo info{Keys::block, true, false, "",
                 "A set of particles in a box: those that meet all that is given. Who is in it is found when the run "
                 "starts, and stays so."};
  return ownList<Keys>(std::move(info), std::move(fields));
}

Key<PullKeys> springKey(Key<PullKeys> key) { return std::move(key).only("style", {"spring", "tow", "couple"}); }

Block<OwnItem> pullBlock() {
  using Keys = PullKeys;
  std::vector<Key<Keys>> fields{
      bind(Type::name, "name", &Keys::name).orElseNot("the group's").means("of its columns"),
      bind(Type::name, "group", &Keys::group).need().means("what it acts on"),
      choice("style", &Keys::style, {"force", "each", "acceleration", "spring", "tow", "couple"})
          .means("force: on the group as a whole, shared out by mass; each: on each particle; acceleration: mass times "
                 "this on each; spring: of the group's centre of mass to a point; tow: to a point that starts where "
                 "the centre of mass is in step 0; couple: to the centre of mass of another group"),
      bind(Type::numbers, "force", &Keys::force)
          .only("style", {"force", "each"})
          .need()
          .in("energy / length")
          .means("constant, or as a [[schedule]] says"),
      bind(Type::numbers, "acceleration", &Keys::acceleration)
          .only("style", {"acceleration"})
          .need()
          .in("length / time^2")
          .means("constant, or as a [[schedule]] says"),
      springKey(bind(Type::number, "k", &Keys::k)
                    .from(0)
                    .need()
                    .in("energy / length^2")
                    .means("F = k (R - r0) towards the point, shared out by mass")),
      springKey(bind(Type::number, "r0", &Keys::r0).from(0).in("length").means("distance at rest")),
      springKey(bind(Type::booleans, "along", &Keys::along).means("axes along which distances count and it pulls")),
      bind(Type::numbers, "at", &Keys::at)
          .only("style", {"spring"})
          .need()
          .in("length")
          .means("the point in step 0; the centre of mass counts box lengths that particles have crossed"),
      bind(Type::numbers, "velocity", &Keys::velocity)
          .only("style", {"spring", "tow"})
          .in("length / time")
          .means("of the point"),
      bind(Type::name, "other", &Keys::other).only("style", {"couple"}).need().means("the other group")};
  BlockInfo info{Keys::block, true, false, "",
                 "A force from outside on a group, or a spring of its centre of mass. It has no part in energies and "
                 "pressure of the table."};
  return ownList<Keys>(std::move(info), std::move(fields));
}

Block<OwnItem> holdBlock() {
  using Keys = HoldKeys;
  std::vector<Key<Keys>> fields{bind(Type::name, "name", &Keys::name).orElseNot("the group's").means("of its columns"),
                                bind(Type::name, "group", &Keys::group).need().means("what is held"),
                                bind(Type::numbers, "velocity", &Keys::velocity)
                                    .in("length / time")
                                    .means("that all its particles have and keep; 0: they are frozen")};
  BlockInfo info{Keys::block, true, false, "",
                 "Particles of a group keep one velocity, whatever acts on them; they have no temperature."};
  return ownList<Keys>(std::move(info), std::move(fields));
}

template <class Keys>
void nameAll(BlocksRead& read) {
  const auto it = read.deck.lists.find(Keys::block);
  if (it == read.deck.lists.end()) return;
  for (OwnItem& item : it->second)
    if (auto& keys = item.own.get<Keys>(); keys.name.empty()) keys.name = keys.group;
}

template <class Keys>
void addColumns(const Deck& deck, const std::vector<std::string>& quantities, std::vector<std::string>& columns) {
  for (const Keys& keys : allOf<Keys>(deck))
    for (const std::string& quantity : quantities) columns.push_back(columnOf(keys, quantity));
}

}  // namespace

std::vector<const Block<OwnItem>*> ownLists(const MethodBlocks& owner) {
  static Block<OwnItem> group = groupBlock(), pull = pullBlock(), hold = holdBlock();
  group.owner = pull.owner = hold.owner = &owner;
  return {&group, &pull, &hold};
}

void extend(SharedBlocks& blocks) {
  blocks.of<Output>().addChoices(
      "columns", ownColumns(),
      "; groups: of each [[group]], of what is not frozen, temperature (of those that are not held, relative to their "
      "mean velocity), place of the centre of mass, velocity and force; pulls: of each [[pull]] force on the group, "
      "place of its centre of mass, length, "
      "energy and work of the point that it is pulled to, of each [[hold]] the force that holds it");
}

void complete(BlocksRead& read) {
  nameAll<PullKeys>(read), nameAll<HoldKeys>(read);
  auto& names = read.deck.own.get<GroupNames>().all;
  for (const GroupKeys& keys : allOf<GroupKeys>(read.deck)) names.push_back(keys.name);
}

std::vector<std::string> ownColumns() { return {groupColumns, pullColumns}; }

std::vector<std::string> namedBy(const Deck& deck, const std::string& word) {
  std::vector<std::string> columns;
  if (word == groupColumns)
    addColumns<GroupKeys>(
        deck, {"temperature", "x", "y", "z", "velocity_x", "velocity_y", "velocity_z", "force_x", "force_y", "force_z"},
        columns);
  if (word == pullColumns) {
    addColumns<PullKeys>(deck, {"force_x", "force_y", "force_z", "x", "y", "z"}, columns);
    for (const PullKeys& keys : allOf<PullKeys>(deck))
      if (keys.isSpring())
        for (const char* quantity : {"length", "energy", "work"}) columns.push_back(columnOf(keys, quantity));
    addColumns<HoldKeys>(deck, {"force_x", "force_y", "force_z"}, columns);
  }
  return columns;
}

bool act(const Deck& deck) {
  return !itemsOf(deck, PullKeys::block).empty() || !itemsOf(deck, HoldKeys::block).empty();
}

std::vector<std::string> pullPhases(const Deck& deck) {
  std::vector<std::string> names;
  for (const auto& keys : allOf<PullKeys>(deck)) names.push_back(phaseOf(keys));
  return names;
}
std::vector<std::string> holdPhases(const Deck& deck) {
  std::vector<std::string> names;
  for (const auto& keys : allOf<HoldKeys>(deck)) names.push_back(phaseOf(keys));
  if (wantsSums(deck)) names.push_back(sumsPhase);
  return names;
}

}  // namespace mesowarp::group
