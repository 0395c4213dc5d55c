#include "run/deck_difference.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <sstream>

#include "core/error.hpp"
#include "input/grammar/diagnostic.hpp"
#include "input/grammar/parse.hpp"
#include "input/physics_check.hpp"
#include "input/species.hpp"

namespace mesowarp {
namespace {

const char* kindName(input::PopulationKind kind) {
  return kind == input::PopulationKind::fluid ? "fluid" : kind == input::PopulationKind::polymer ? "polymer" : "bodies";
}

// What the two decks' systems differ in, with the new deck's lines.
class SystemDifferences {
public:
  SystemDifferences(const input::Deck& then, const input::Deck& now)
      : then_(then), now_(now), bodies_(input::methodOf(now) == input::Method::bodies), report_(now) {}

  std::string find() {
    same("box.size", "another box", then_.box.size, now_.box.size);
    same("box.periodic", "another box", then_.box.periodic, now_.box.periodic);
    same("population", "other species", then_.species, now_.species);
    if (then_.run.precision != now_.run.precision) report_.error("run.precision", "another precision");
    if (input::methodOf(then_) != input::methodOf(now_))
      report_.error("population", "other kinds of populations");
    else
      integrators(), populations(), bonds();
    std::string lines;
    for (const auto& difference : report_.diagnostics()) lines += "\n" + input::format(difference, now_.file);
    return lines;
  }

private:
  template <class T>
  void same(const std::string& path, const char* what, const T& then, const T& now) {
    if (then != now) report_.error(path, fmt::format("{}: {} in the checkpoint, {} in the deck", what, then, now));
  }

  // What is stored between steps depends on it.
  void integrators() {
    const auto &then = then_.integrator, &now = now_.integrator;
    if ((bodies_ && then.style != now.style) || (then.lambda == 0.5) != (now.lambda == 0.5))
      report_.error("integrator", "another integrator");
    else if (bodies_ && now.style == input::IntegratorStyle::hermite_block)
      same("integrator.levels", "bodies' steps are counted in other units (integrator.levels)", then.levels,
           now.levels);
  }

  void populations() {
    const auto &then = then_.populations, &now = now_.populations;
    same("population", "another number of [[population]] blocks", then.size(), now.size());
    for (std::size_t k = 0; k < std::min(then.size(), now.size()); ++k) {
      const std::string path = fmt::format("population.{}", k);
      same(path + ".name", "another population", then[k].name, now[k].name);
      same(path + ".kind", "another kind of population", std::string(kindName(then[k].kind)),
           std::string(kindName(now[k].kind)));
      if (then[k].name != now[k].name || then[k].kind != now[k].kind) continue;
      same(path + ".species", "other species", then[k].species, now[k].species);
      same(path + ".blocks", "other molecules", then[k].blocks, now[k].blocks);
      same(path, "another number of particles", numberOf(then_, then[k]), numberOf(now_, now[k]));
      same(path + ".mass", "another mass", then[k].mass, now[k].mass);
      if (!bodies_) continue;  // of bodies the checkpoint has these, and the deck would not tell
      same(path + ".total_mass", "another mass", then[k].total_mass, now[k].total_mass);
      same(path + ".charge", "another charge", then[k].charge, now[k].charge);
      same(path + ".exclusions", "exclusions where there were none, or none where there were",
           !then[k].exclusions.empty(), !now[k].exclusions.empty());
    }
  }

  // Molecules have theirs by the number of the block.
  void bonds() {
    same("bond", "another number of [[bond]] blocks", then_.bonds.size(), now_.bonds.size());
    for (std::size_t k = 0; k < std::min(then_.bonds.size(), now_.bonds.size()); ++k) {
      const auto &then = then_.bonds[k], &now = now_.bonds[k];
      const std::string path = fmt::format("bond.{}", k),
                        block = fmt::format("[[bond]] {} is of another population", k + 1);
      same(path + ".population", block.c_str(), then.population, now.population);
      same(path + ".type", "bonds of another type", then.type, now.type);
    }
  }

  std::int64_t numberOf(const input::Deck& deck, const input::Population& population) const {
    return bodies_ ? population.count : input::particleCount(population, deck.box);
  }

  const input::Deck &then_, &now_;
  bool bodies_;
  input::Report report_;
};

}  // namespace

void refuseOtherSystem(const std::string& checkpointDeck, const input::Deck& deck, const std::string& path) {
  const auto parsed = input::parseDeckText(checkpointDeck, path, {});
  if (!parsed.ok()) throw InputError(path + ": the deck inside cannot be read by this version");
  const std::string lines = SystemDifferences(parsed.deck, deck).find();
  if (!lines.empty())
    throw InputError(path +
                     " is of a run of another system than the deck's, which a resumed run cannot change (a new run can "
                     "begin from it: initial = \"file\"):" +
                     lines);
}

std::vector<std::string> deckDifferences(const std::string& checkpointDeck, const std::string& deck) {
  const auto lines = [](const std::string& text) {
    std::vector<std::string> all;
    std::istringstream stream(text);
    for (std::string line; std::getline(stream, line);)
      if (line.find("steps =") == std::string::npos) all.push_back(line);
    return all;
  };
  const auto before = lines(checkpointDeck), now = lines(deck);
  if (before.size() != now.size()) return {"blocks were added or removed"};
  std::vector<std::string> differences;
  for (std::size_t k = 0; k < before.size(); ++k)
    if (before[k] != now[k]) differences.push_back(before[k] + " -> " + now[k]);
  return differences;
}

}  // namespace mesowarp
