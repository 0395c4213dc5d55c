// What is wrong with [[group]], [[pull]] and [[hold]] blocks.
#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <stdexcept>

#include "core/shear.hpp"
#include "input/grammar/suggest.hpp"
#include "input/grammar/value.hpp"
#include "input/species.hpp"
#include "physics/boundary/deck/region.hpp"
#include "physics/group/deck/group_blocks.hpp"
#include "physics/integrate/relaxation_keys.hpp"

namespace mesowarp::group {
namespace {

using namespace input;

template <class Keys>
std::string pathOf(std::size_t k, const char* key = "") {
  return fmt::format("{}.{}{}{}", Keys::block, k, *key ? "." : "", key);
}
bool has(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Each name once.
template <class Keys>
void checkNames(const Deck& deck, Report& report) {
  const auto all = allOf<Keys>(deck);
  for (std::size_t k = 0; k < all.size(); ++k)
    for (std::size_t j = 0; j < k; ++j)
      if (all[j].name == all[k].name)
        report.error(pathOf<Keys>(k),
                     fmt::format("there is a [[{}]] {} already, in line {}: give this one another name", Keys::block,
                                 quoted(all[k].name), itemsOf(deck, Keys::block)[j].where.line));
}

void checkNumbers(const std::string& path, const char* key, const std::string& text, Report& report) {
  try {
    if (!text.empty()) rangesOf(text);
  } catch (const std::invalid_argument& piece) {
    report.error(
        path, fmt::format("{}: expected numbers and ranges such as \"1:20, 25\", found {}", key, quoted(piece.what())));
  }
}

void checkBox(const Deck& deck, const GroupKeys& g, std::size_t k, Report& report) {
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (!(g.lower[axis] < g.upper[axis]))
      return report.error(pathOf<GroupKeys>(k, "upper"),
                          fmt::format("upper must be above lower along each axis, and is "
                                      "{} against {} along {}",
                                      g.upper[axis], g.lower[axis], "xyz"[axis]));
    if (g.upper[axis] <= 0.0 || g.lower[axis] >= deck.box.size[axis])
      return report.error(pathOf<GroupKeys>(k, g.upper[axis] <= 0.0 ? "upper" : "lower"),
                          fmt::format("the group's box is outside of the box, which goes from 0 to {} along {}",
                                      deck.box.size[axis], "xyz"[axis]));
  }
}

// Groups that another one is made of stand above it.
void checkAbove(const Deck& deck, std::size_t k, const char* key, const std::vector<std::string>& named,
                Report& report) {
  std::vector<std::string> above;
  const auto all = allOf<GroupKeys>(deck);
  for (std::size_t j = 0; j < k; ++j) above.push_back(all[j].name);
  for (const auto& name : named)
    if (!has(above, name))
      report.error(pathOf<GroupKeys>(k, key), fmt::format("there is no [[group]] {} above this one{}", quoted(name),
                                                          above.empty() ? "" : suggestion(name, above)));
}

void checkMembers(const Deck& deck, const GroupKeys& g, std::size_t k, const MethodBlocks& owner, Report& report) {
  checkAbove(deck, k, "any_of", g.anyOf, report), checkAbove(deck, k, "none_of", g.noneOf, report);
  std::vector<std::string> populations;
  for (const auto& p : deck.populations)
    if (&ownerOf(p) == &owner) populations.push_back(p.name);
  for (const auto& name : g.populations)
    if (!has(populations, name))
      report.error(pathOf<GroupKeys>(k, "populations"), fmt::format("there is no population {} of {}{}", quoted(name),
                                                                    owner.inWords(), suggestion(name, populations)));
  for (const auto& name : g.species)
    if (!has(deck.species, name))
      report.error(pathOf<GroupKeys>(k, "species"),
                   fmt::format("no population has the species {}{}", quoted(name), suggestion(name, deck.species)));
  checkNumbers(pathOf<GroupKeys>(k, "molecules"), "molecules", g.molecules, report);
  checkNumbers(pathOf<GroupKeys>(k, "particles"), "particles", g.particles, report);
  const bool fromFile = std::any_of(deck.populations.begin(), deck.populations.end(),
                                    [](const auto& p) { return p.initial == input::StartKind::file; });
  if (!g.molecules.empty() && deck.bonds.empty() && !fromFile)
    report.error(pathOf<GroupKeys>(k, "molecules"),
                 "this deck has no [[bond]], and no file that could number molecules: give `particles`");
  if (!deck.walls.empty() && (!g.populations.empty() || !g.particles.empty()))
    report.error(pathOf<GroupKeys>(k, g.populations.empty() ? "particles" : "populations"),
                 "with [[wall]] blocks it is known only when the run starts which particles there are: give `species`, "
                 "or a region");
  checkBox(deck, g, k, report);
  if (g.region.empty()) return;
  if (const std::string wrong = boundary::wrongWithRegion(deck, g.region); !wrong.empty())
    report.error(pathOf<GroupKeys>(k, "region"), wrong);
}

bool isAllFrozen(const Deck& deck, const GroupKeys& g) {
  const auto species = speciesIn(deck, g);
  return !species.empty() &&
         std::all_of(species.begin(), species.end(), [&](const auto& s) { return isFrozen(deck, s); });
}

void checkGroups(const Deck& deck, const MethodBlocks& owner, Report& report) {
  const auto all = allOf<GroupKeys>(deck);
  if (all.size() > mostGroups)
    report.error(pathOf<GroupKeys>(mostGroups), fmt::format("a deck has at most {} [[group]] blocks", mostGroups));
  for (std::size_t k = 0; k < all.size(); ++k) {
    const GroupKeys& g = all[k];
    const bool box = g.lower != GroupKeys().lower || g.upper != GroupKeys().upper;
    if (g.species.empty() && g.populations.empty() && g.molecules.empty() && g.particles.empty() && g.region.empty() &&
        g.anyOf.empty() && g.noneOf.empty() && !box)
      report.error(pathOf<GroupKeys>(k), fmt::format("group {} names no particles: give species, populations, "
                                                     "molecules, particles, region, lower and upper, any_of or none_of",
                                                     quoted(g.name)));
    else
      checkMembers(deck, g, k, owner, report);
    if (wantsSums(deck) && isAllFrozen(deck, g))
      report.warning(pathOf<GroupKeys>(k), fmt::format("all particles of group {} are frozen, and its columns are of "
                                                       "those that are not, so 0: with a [[hold]] instead, the column "
                                                       "hold_{}_force_x, ... is what holds them",
                                                       quoted(g.name), g.name));
  }
}

// A group by its name: it is there.
bool checkWritten(const Deck& deck, const std::string& name, const std::string& path, Report& report) {
  std::vector<std::string> names;
  for (const auto& g : allOf<GroupKeys>(deck)) names.push_back(g.name);
  if (has(names, name)) return true;
  report.error(path, names.empty() ? fmt::format("there is no group {}: this deck has no [[group]]", quoted(name))
                                   : fmt::format("there is no group {}{}", quoted(name), suggestion(name, names)));
  return false;
}

}  // namespace

bool checkGroup(const Deck& deck, const std::string& name, const std::string& path, Report& report) {
  if (!checkWritten(deck, name, path, report)) return false;
  const auto all = allOf<GroupKeys>(deck);
  const auto it = std::find_if(all.begin(), all.end(), [&](const auto& g) { return g.name == name; });
  if (isAllFrozen(deck, *it))
    report.error(path, fmt::format("all particles of group {} are frozen, and nothing moves them", quoted(name)));
  return true;
}

namespace {

void checkPull(const Deck& deck, const PullKeys& p, std::size_t k, Report& report) {
  if (!checkGroup(deck, p.group, pathOf<PullKeys>(k, "group"), report)) return;
  if (p.style == PullStyle::couple && checkGroup(deck, p.other, pathOf<PullKeys>(k, "other"), report) &&
      p.other == p.group)
    report.error(pathOf<PullKeys>(k, "other"), "a spring between a group and itself pulls nothing: name another group");
  if (!p.isSpring()) return;
  if (p.along == std::array<bool, 3>{false, false, false})
    report.error(pathOf<PullKeys>(k, "along"), "a spring along no axis pulls nothing: give one of the three as true");
  // The group as one particle on the spring; its mass is at least that of its lightest.
  double lightest = nowhere;
  for (const auto& g : allOf<GroupKeys>(deck))
    if (g.name == p.group || g.name == p.other)
      for (const auto& s : speciesIn(deck, g))
        if (!isFrozen(deck, s)) lightest = std::min(lightest, massOf(deck, s));
  const double phase = deck.run.timestep * std::sqrt(p.k / lightest);
  if (phase > 0.5)
    report.warning(pathOf<PullKeys>(k, "k"),
                   fmt::format("if the group is one particle, timestep times sqrt(k / m) is {:.3g}, and must stay far "
                               "below 2: lower k or run.timestep unless the group is heavy",
                               phase));
}

// They have a velocity, though no temperature, and are among those that a measure takes who is not told.
void checkMeasuresOfHeld(const Deck& deck, Report& report) {
  for (std::size_t k = 0; k < deck.measures.size(); ++k) {
    const Measure& m = deck.measures[k];
    const bool ofParticles =
        m.isOfPlaces() || m.style == MeasureStyle::vacf || (m.style == MeasureStyle::msd && !m.molecules);
    if (ofParticles && m.of_species.empty())
      report.warning(
          fmt::format("measure.{}.species", k),
          fmt::format("what [[hold]] keeps is part of {}, its temperature and motion as well: name in species "
                      "whose particles it is of, or a [[group]] with none_of",
                      quoted(m.name)));
  }
}

void checkHolds(const Deck& deck, Report& report) {
  const auto all = allOf<HoldKeys>(deck);
  if (!all.empty()) checkMeasuresOfHeld(deck, report);
  for (std::size_t k = 0; k < all.size(); ++k) {
    checkGroup(deck, all[k].group, pathOf<HoldKeys>(k, "group"), report);
    for (std::size_t j = 0; j < k; ++j)
      if (all[j].group == all[k].group)
        report.error(pathOf<HoldKeys>(k, "group"),
                     fmt::format("group {} is held already, in line {}", quoted(all[k].group),
                                 itemsOf(deck, HoldKeys::block)[j].where.line));
    if (isGiven(deck, "collision"))
      report.error(pathOf<HoldKeys>(k), "a solvent would push what is held: leave out the [[hold]], or the solvent");
    if (deck.own.get<RelaxationKeys>().on)
      report.warning(pathOf<HoldKeys>(k), "the relaxation before the run moves these particles, too");
  }
}

// Those of measures have been told (input/measures/measure_checks.cpp).
void checkColumns(const Deck& deck, Report& report) {
  for (std::size_t k = 0; k < deck.outputs.size(); ++k)
    for (const char* word : {groupColumns, pullColumns})
      if (deck.outputs[k].format == OutputFormat::table && has(deck.outputs[k].columns, word) &&
          group::namedBy(deck, word).empty())
        report.error(fmt::format("output.{}.columns", k),
                     fmt::format("{}: this deck has no {}", quoted(word),
                                 std::string(word) == groupColumns ? "[[group]]" : "[[pull]] and no [[hold]]"));
}

}  // namespace

void check(const Deck& deck, Report& report) {
  checkColumns(deck, report);
  for (std::size_t k = 0; k < deck.outputs.size(); ++k)
    for (const auto& name : deck.outputs[k].groups)
      checkWritten(deck, name, fmt::format("output.{}.groups", k), report);
  if (!hasGroups(deck) && !act(deck)) return;
  checkNames<GroupKeys>(deck, report), checkNames<PullKeys>(deck, report), checkNames<HoldKeys>(deck, report);
  checkGroups(deck, ownerOfGroups(), report);
  const auto pulls = allOf<PullKeys>(deck);
  for (std::size_t k = 0; k < pulls.size(); ++k) checkPull(deck, pulls[k], k, report);
  checkHolds(deck, report);
  if (deck.own.get<Shear>().on)
    report.error(act(deck) ? (pulls.empty() ? "hold.0" : "pull.0") : "group.0",
                 "groups do not go with [shear] yet: leave one of them out");
}

// Who is in a group is found at the start; what acts on it may change.
void difference(const Deck& then, const Deck& now, Differences& differences) {
  for (std::size_t k = 0; k < now.outputs.size(); ++k)
    for (const Output& was : then.outputs)
      if (was.format == OutputFormat::trajectory && now.outputs[k].format == OutputFormat::trajectory &&
          was.name == now.outputs[k].name && was.groups != now.outputs[k].groups)
        differences.add(fmt::format("output.{}.groups", k),
                        "a trajectory of other particles than the one it goes on with");
  const auto before = allOf<GroupKeys>(then), after = allOf<GroupKeys>(now);
  differences.same("group", "another number of [[group]] blocks, which are made at the start", before.size(),
                   after.size());
  for (std::size_t k = 0; k < std::min(before.size(), after.size()); ++k) {
    const GroupKeys &a = before[k], &b = after[k];
    differences.same(pathOf<GroupKeys>(k, "name"), "another group", a.name, b.name);
    if (a.species != b.species || a.populations != b.populations || a.molecules != b.molecules ||
        a.particles != b.particles || a.region != b.region || a.anyOf != b.anyOf || a.noneOf != b.noneOf ||
        a.lower != b.lower || a.upper != b.upper)
      differences.add(pathOf<GroupKeys>(k), "a group of other particles, and groups are made at the start");
  }
}

}  // namespace mesowarp::group
