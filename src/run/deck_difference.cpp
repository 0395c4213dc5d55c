#include "run/deck_difference.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <set>
#include <vector>

#include "core/error.hpp"
#include "input/differences.hpp"
#include "input/estimate.hpp"
#include "input/grammar/diagnostic.hpp"
#include "input/grammar/parse.hpp"
#include "input/measures/measure_differences.hpp"
#include "input/method.hpp"
#include "input/species.hpp"
#include "physics/resume.hpp"

namespace mesowarp {
namespace {

std::string linesOf(input::Differences& differences, const input::Deck& now) {
  std::string lines;
  for (const auto& difference : differences.all()) lines.append("\n").append(input::format(difference, now.file));
  return lines;
}

input::Deck deckOf(const std::string& text, const std::string& path) {
  auto parsed = input::parseDeckText(text, path, {});
  if (!parsed.ok()) throw InputError(path + ": the deck inside cannot be read by this version");
  return std::move(parsed.deck);
}

// What the two decks' systems differ in, with the new deck's lines.
class SystemDifferences {
public:
  SystemDifferences(const input::Deck& then, const input::Deck& now)
      : then_(then), now_(now), methods_(input::methodsOf(now)), differences_(now) {}

  std::string find() {
    same("box.size", "another box", then_.box.size, now_.box.size);
    same("box.periodic", "another box", then_.box.periodic, now_.box.periodic);
    same("population", "other species", then_.species, now_.species);
    if (then_.run.precision != now_.run.precision) differences_.add("run.precision", "another precision");
    if (input::methodsOf(then_) != methods_)
      differences_.add("population", "other kinds of populations");
    else
      integrators(), populations(), species(), bonds(), terms("angle", then_.angles, now_.angles),
          terms("dihedral", then_.dihedrals, now_.dihedrals);
    return linesOf(differences_, now_);
  }

private:
  template <class T>
  void same(const std::string& path, const std::string& what, const T& then, const T& now) {
    differences_.same(path, what, then, now);
  }

  void integrators() {
    for (const input::MethodBlocks* method : methods_) method->integratorDifference(then_, now_, differences_);
  }

  void populations() {
    const auto &then = then_.populations, &now = now_.populations;
    same("population", "another number of [[population]] blocks", then.size(), now.size());
    for (std::size_t k = 0; k < std::min(then.size(), now.size()); ++k) {
      const std::string path = fmt::format("population.{}", k);
      same(path + ".name", "another population", then[k].name, now[k].name);
      same(path + ".kind", "another kind of population", then[k].kind, now[k].kind);
      if (then[k].name != now[k].name || then[k].kind != now[k].kind) continue;
      same(path + ".species", "other species", then[k].species, now[k].species);
      same(path + ".blocks", "other molecules", then[k].blocks, now[k].blocks);
      same(path + ".molecule", "other molecules", then[k].molecule, now[k].molecule);
      if (then[k].initial != input::StartKind::file || then[k].count > 0)  // older checkpoints do not tell
        same(path, "another number of particles", input::particleCount(then[k], then_.box),
             input::particleCount(now[k], now_.box));
      same(path + ".mass", "another mass", then[k].mass, now[k].mass);
      input::ownerOf(now[k]).populationDifference(then_, now_, k, differences_);
    }
  }

  // What [[species]] blocks say, of now or of then: particles keep the velocities of the mass that they had.
  void species() {
    for (const std::string& name : now_.species) {
      const std::string path = placeOf(name);
      if (input::speciesKeys(now_, name) || input::speciesKeys(then_, name))
        same(path, fmt::format("another mass of species \"{}\"", name), input::massOf(then_, name),
             input::massOf(now_, name));
      same(path, fmt::format("whether species \"{}\" is frozen", name), input::isFrozen(then_, name),
           input::isFrozen(now_, name));
    }
  }
  // Its own block, or the first population that has it.
  std::string placeOf(const std::string& species) const {
    const auto& blocks = input::itemsOf(now_, input::SpeciesKeys::block);
    for (std::size_t k = 0; k < blocks.size(); ++k)
      if (blocks[k].own.get<input::SpeciesKeys>().name == species) return fmt::format("species.{}", k);
    for (std::size_t k = 0; k < now_.populations.size(); ++k) {
      const auto all = input::speciesOf(now_.populations[k]);
      if (std::find(all.begin(), all.end(), species) != all.end()) return fmt::format("population.{}", k);
    }
    return "population";
  }

  // Molecules have theirs by the number of the block.
  void bonds() {
    same("bond", "another number of [[bond]] blocks", then_.bonds.size(), now_.bonds.size());
    for (std::size_t k = 0; k < std::min(then_.bonds.size(), now_.bonds.size()); ++k) {
      const auto &then = then_.bonds[k], &now = now_.bonds[k];
      const std::string path = fmt::format("bond.{}", k),
                        block = fmt::format("[[bond]] {} is of another population", k + 1);
      same(path + ".population", block, then.population, now.population);
      same(path + ".type", "bonds of another type", then.type, now.type);
      same(path + ".between", "other species", then.between, now.between);
    }
  }

  // Likewise; particles keep the terms that they started with.
  template <class Blocks>
  void terms(const std::string& name, const Blocks& then, const Blocks& now) {
    same(name, fmt::format("another number of [[{}]] blocks", name), then.size(), now.size());
    for (std::size_t k = 0; k < std::min(then.size(), now.size()); ++k) {
      const std::string path = fmt::format("{}.{}", name, k);
      same(path + ".population", fmt::format("[[{}]] {} is of another population", name, k + 1), then[k].population,
           now[k].population);
      same(path + ".type", fmt::format("{}s of another type", name), then[k].type, now[k].type);
      same(path + ".of", "other species", then[k].of, now[k].of);
    }
  }

  const input::Deck &then_, &now_;
  std::vector<const input::MethodBlocks*> methods_;
  input::Differences differences_;
};

}  // namespace

void refuseOtherSystem(const io::CheckpointContent& content, const input::Deck& deck, const std::string& path) {
  input::Deck then = deckOf(deckTextOf(content, path), path);
  if (const auto counts = content.texts.find(fileCountsText); counts != content.texts.end())
    input::takeCountsOfFiles(then, counts->second);
  const std::string lines = SystemDifferences(then, deck).find();
  if (!lines.empty())
    throw InputError(path +
                     " is of a run of another system than the deck's, which a resumed run cannot change (a new run can "
                     "begin from it: initial = \"file\"):" +
                     lines);
}

void refuseOtherMeasures(const io::CheckpointContent& content, const input::Deck& deck, const std::string& path) {
  const input::Deck then = deckOf(deckTextOf(content, path), path);
  input::Differences differences(deck);
  for (std::size_t k = 0; k < deck.measures.size(); ++k)
    for (const char* kind : {"measure_", "profile_"})
      if (content.arrays.count(kind + deck.measures[k].name) > 0)
        input::measureDifferences(then, stepOf(content, path), deck, k, differences);
  const std::string lines = linesOf(differences, deck);
  if (!lines.empty())
    throw InputError(
        path + " has sums of a [[measure]] that is another now: give it another name, and it begins anew:" + lines);
}

void refuseOtherFields(const io::CheckpointContent& content, const input::Deck& deck, const std::string& path) {
  const input::Deck then = deckOf(deckTextOf(content, path), path);
  const auto fieldsOf = [](const input::Output& output) {
    return std::set<std::string>(output.fields.begin(), output.fields.end());
  };
  input::Differences differences(deck);
  for (std::size_t k = 0; k < deck.outputs.size(); ++k)
    for (const input::Output& was : then.outputs) {
      const input::Output& is = deck.outputs[k];
      const auto trajectory = input::OutputFormat::trajectory;
      if (was.format != trajectory || is.format != trajectory || was.name != is.name) continue;
      if (fieldsOf(was) != fieldsOf(is))
        differences.add(fmt::format("output.{}.fields", k), fmt::format("it has {}", fmt::join(was.fields, ", ")));
      if (was.double_precision != is.double_precision)
        differences.add(fmt::format("output.{}.precision", k),
                        fmt::format("it has {} precision", was.double_precision ? "double" : "single"));
    }
  if (const std::string lines = linesOf(differences, deck); !lines.empty())
    throw InputError(
        "a trajectory keeps the fields and the precision that it began with: keep them in the deck, or give "
        "the trajectory another name, and it begins anew:" +
        lines);
}

double timeShiftOf(const io::CheckpointContent& content, const input::Deck& deck, const std::string& path) {
  const auto text = content.texts.find(timeShiftText);
  const double shift = text == content.texts.end() ? 0.0 : std::strtod(text->second.c_str(), nullptr);
  if (!std::isfinite(shift)) throw InputError(path + ": the checkpoint's time is no number");
  const double before = deckOf(deckTextOf(content, path), path).run.timestep, now = deck.run.timestep;
  return before == now ? shift : static_cast<double>(stepOf(content, path)) * (before - now) + shift;
}

}  // namespace mesowarp
