// What bonds, angles and dihedrals of molecules must be.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include "input/grammar/suggest.hpp"
#include "input/grammar/value.hpp"
#include "input/method.hpp"
#include "input/molecules/molecule_blocks.hpp"
#include "input/molecules/molecule_text.hpp"
#include "input/species.hpp"

namespace mesowarp::input {
namespace {

using Words = std::vector<std::string>;

// Of a population that the deck describes, the species of every so many beads in a row.
std::vector<Words> rowsOf(const Population& population, std::size_t beads) {
  std::vector<Words> rows;
  if (population.initial == StartKind::file || population.blocks.empty()) return rows;
  const Molecule molecule = moleculeOf(population);
  const auto species = beadSpecies(population);
  std::vector<std::vector<int>> bonded(species.size());
  for (std::size_t b = 0; b < species.size(); ++b)
    if (molecule.parent[b] >= 0)
      bonded[b].push_back(molecule.parent[b]), bonded[static_cast<std::size_t>(molecule.parent[b])].push_back(int(b));
  std::vector<std::vector<int>> paths;
  for (std::size_t b = 0; b < species.size(); ++b) paths.push_back({static_cast<int>(b)});
  for (std::size_t n = 1; n < beads; ++n) {
    std::vector<std::vector<int>> longer;
    for (const auto& path : paths)
      for (const int next : bonded[static_cast<std::size_t>(path.back())])
        if (n < 2 || next != path[path.size() - 2]) longer.push_back(path), longer.back().push_back(next);
    paths = std::move(longer);
  }
  for (const auto& path : paths) {
    Words row;
    for (const int b : path) row.push_back(species[static_cast<std::size_t>(b)]);
    if (std::find(rows.begin(), rows.end(), row) == rows.end()) rows.push_back(row);
  }
  return rows;
}

class Checker {
public:
  Checker(Report& report, const Deck& deck) : report_(report), deck_(deck) {
    for (const auto& population : deck.populations) names_.push_back(population.name);
  }

  template <class Block>
  void check(const std::string& name, const std::string& key, const std::vector<Block>& blocks, std::size_t beads) {
    for (std::size_t k = 0; k < blocks.size(); ++k) {
      const Block& block = blocks[k];
      const std::string path = fmt::format("{}.{}", name, k);
      if (!species(path + "." + key, patternOf(block), beads)) continue;
      const Population* population = find(name, path, block);
      if (!population) continue;
      replaced(name, key, blocks, k);
      const auto rows = rowsOf(*population, beads);
      const bool fits =
          std::any_of(rows.begin(), rows.end(), [&](const Words& r) { return takes(patternOf(block), r); });
      if (population->initial != StartKind::file && !fits)
        report_.error(path, fmt::format("no {} beads in a row of population {} are such: change `{}`, or leave the "
                                        "block out",
                                        beads, quoted(population->name), key));
    }
  }

  // Where some bonds have a block, all must.
  void bondsAreHeld() {
    for (std::size_t p = 0; p < deck_.populations.size(); ++p) {
      const Population& population = deck_.populations[p];
      const auto own = [&](const Bond& bond) { return bond.population == population.name; };
      if (std::none_of(deck_.bonds.begin(), deck_.bonds.end(), own)) continue;
      for (const Words& pair : rowsOf(population, 2))
        if (blockOf(deck_.bonds, population.name, 0, pair) < 0)
          return report_.error(
              fmt::format("population.{}", p),
              fmt::format("no [[bond]] of population {} is between {} and {}, which are bonded: add one with "
                          "between = [{}, {}]",
                          quoted(population.name), quoted(pair[0]), quoted(pair[1]), quoted(pair[0]), quoted(pair[1])));
    }
  }

private:
  bool species(const std::string& path, const Words& pattern, std::size_t beads) {
    if (!pattern.empty() && pattern.size() != beads)
      return report_.error(path, fmt::format("expected {} species, one a bead, found {}", beads, pattern.size())),
             false;
    for (const auto& name : pattern)
      if (name != "*" && std::find(deck_.species.begin(), deck_.species.end(), name) == deck_.species.end())
        return report_.error(path, fmt::format("no population has the species {}{}", quoted(name),
                                               suggestion(name, deck_.species))),
               false;
    return true;
  }

  template <class Block>
  const Population* find(const std::string& name, const std::string& path, const Block& block) {
    const auto at = std::find(names_.begin(), names_.end(), block.population);
    if (at == names_.end()) {
      if (name != "bond")  // told already
        report_.error(path + ".population", fmt::format("there is no population {}{}", quoted(block.population),
                                                        suggestion(block.population, names_)));
      return nullptr;
    }
    const Population& population = deck_.populations[static_cast<std::size_t>(at - names_.begin())];
    if (const auto why = ownerOf(population).refusesBonds(population); !why.empty()) {
      if (name != "bond") report_.error(path + ".population", why);
      return nullptr;
    }
    if (name != "bond" && block.type != 0 && population.initial != StartKind::file)
      report_.error(path + ".type", fmt::format("type is for the {}s of a file; leave it out for population {}", name,
                                                quoted(population.name)));
    return &population;
  }

  // By a later block that takes all that this one does.
  template <class Block>
  void replaced(const std::string& name, const std::string& key, const std::vector<Block>& blocks, std::size_t k) {
    for (std::size_t later = k + 1; later < blocks.size(); ++later) {
      const Block &a = blocks[k], &b = blocks[later];
      const bool told = name == "bond" && patternOf(a).empty() && patternOf(b).empty();
      const bool covers = patternOf(b).empty() || (!patternOf(a).empty() && takes(patternOf(b), patternOf(a)));
      if (told || a.population != b.population || (b.type != 0 && b.type != a.type) || !covers) continue;
      return report_.error(
          fmt::format("{}.{}", name, k),
          fmt::format(
              "this [[{}]] has no effect: a later one, in line {}, is for the same beads. Leave one out, or put "
              "the one whose `{}` says more behind the other",
              name, b.where.line, key));
    }
  }

  Report& report_;
  const Deck& deck_;
  Words names_;
};

}  // namespace

void completeMolecules(BlocksRead& read) {
  if (read.broken.count("population")) return;
  Report report(read.deck);
  for (std::size_t k = 0; k < read.deck.populations.size(); ++k) {
    Population& population = read.deck.populations[k];
    if (population.molecule.empty()) continue;
    const std::string path = fmt::format("population.{}", k);
    try {
      const std::string beads = moleculeOf(population.molecule).beads;
      if (!population.blocks.empty() && population.blocks != beads)
        report.error(path + ".blocks",
                     fmt::format("population {} has both blocks and molecule: give one", quoted(population.name)));
      population.blocks = beads;
    } catch (const MoleculeError& error) {
      report.error(path + ".molecule",
                   fmt::format("molecule = {} is no molecule, {}", quoted(population.molecule), error.what()));
      read.broken.insert("population");
    }
  }
  for (auto& diagnostic : report.diagnostics()) read.diagnostics.push_back(std::move(diagnostic));
}

void checkMolecules(Report& report, const Deck& deck) {
  Checker checker(report, deck);
  checker.check("bond", "between", deck.bonds, 2);
  checker.check("angle", "of", deck.angles, 3);
  checker.check("dihedral", "of", deck.dihedrals, 4);
  checker.bondsAreHeld();
}

}  // namespace mesowarp::input
