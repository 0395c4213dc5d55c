#include "start/molecule_terms.hpp"

#include <algorithm>
#include <fmt/format.h>
#include <limits>
#include <map>

#include "core/error.hpp"
#include "input/molecules/molecule_blocks.hpp"

namespace mesowarp {
namespace {

// The block of several species in a row, which is asked for again and again.
template <std::size_t N, class Block>
class BlockFinder {
public:
  BlockFinder(const input::Deck& deck, const std::vector<Block>& blocks, const input::Population& population,
              const HostParticles& particles)
      : deck_(deck), blocks_(blocks), name_(population.name), particles_(particles) {}
  bool any() const {
    return std::any_of(blocks_.begin(), blocks_.end(), [&](const Block& b) { return b.population == name_; });
  }
  // Adds the term if there is a block.
  void add(const std::array<u32, N>& tag, std::vector<HostParticles::Term<N>>& terms) {
    std::array<u32, N> species;
    for (std::size_t m = 0; m < N; ++m) species[m] = particles_.species[tag[m]];
    const auto [it, isNew] = known_.emplace(species, -1);
    if (isNew) {
      std::array<std::string, N> names;
      for (std::size_t m = 0; m < N; ++m) names[m] = deck_.species[species[m]];
      it->second = input::blockOf(blocks_, name_, 0, names);
    }
    if (it->second >= 0) terms.push_back({tag, it->second});
  }

private:
  const input::Deck& deck_;
  const std::vector<Block>& blocks_;
  std::string name_;
  const HostParticles& particles_;
  std::map<std::array<u32, N>, int> known_;
};

}  // namespace

BondedRows::BondedRows(const HostParticles& particles, i64 first, std::size_t firstBond)
    : first_(first), start_(static_cast<std::size_t>(particles.count() - first) + 1, 0) {
  std::vector<std::pair<u32, u32>> ends;
  ends.reserve(2 * (particles.bonds.size() - firstBond));
  for (std::size_t b = firstBond; b < particles.bonds.size(); ++b) {
    const auto& bond = particles.bonds[b];
    ends.push_back({bond.a, bond.b}), ends.push_back({bond.b, bond.a});
  }
  std::sort(ends.begin(), ends.end());
  ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
  for (const auto& [from, to] : ends) ++start_[from - first + 1], other_.push_back(to);
  for (std::size_t i = 1; i < start_.size(); ++i) start_[i] += start_[i - 1];
}

void addAngles(const input::Deck& deck, const input::Population& population, const BondedRows& rows,
               HostParticles& particles) {
  BlockFinder<3, input::Angle> finder(deck, deck.angles, population, particles);
  if (!finder.any() || !rows.any()) return;
  for (i64 b = rows.first(); b < rows.last(); ++b)
    for (const u32* a = rows.begin(b); a != rows.end(b); ++a)
      for (const u32* c = a + 1; c != rows.end(b); ++c) finder.add({*a, static_cast<u32>(b), *c}, particles.angles);
}

void addDihedrals(const input::Deck& deck, const input::Population& population, const BondedRows& rows,
                  HostParticles& particles) {
  BlockFinder<4, input::Dihedral> finder(deck, deck.dihedrals, population, particles);
  if (!finder.any() || !rows.any()) return;
  for (i64 b = rows.first(); b < rows.last(); ++b)
    for (const u32* c = rows.begin(b); c != rows.end(b); ++c) {
      if (*c < b) continue;  // each bond in the middle once
      for (const u32* a = rows.begin(b); a != rows.end(b); ++a)
        for (const u32* d = rows.begin(*c); d != rows.end(*c); ++d)
          if (*a != *c && *d != b && *a != *d) finder.add({*a, static_cast<u32>(b), *c, *d}, particles.dihedrals);
    }
}

bool haveMolecules(const std::vector<std::int64_t>& ofFile) {
  return std::any_of(ofFile.begin(), ofFile.end(), [](std::int64_t id) { return id != 0; });
}

void numberMolecules(const std::vector<std::int64_t>& ofFile, const BondedRows& rows, u32& next,
                     HostParticles& particles) {
  particles.molecule.resize(static_cast<std::size_t>(rows.first()), 0U);
  particles.molecule.resize(particles.position.size(), 0U);
  if (haveMolecules(ofFile)) {
    const std::int64_t before = next - 1, highest = *std::max_element(ofFile.begin(), ofFile.end()),
                       most = std::numeric_limits<u32>::max() - before - 1;
    if (highest > most)
      throw InputError(fmt::format("molecule ids reach to {}, and can to {}: number them anew", highest, most));
    for (i64 tag = rows.first(); tag < rows.last(); ++tag) {
      const std::int64_t id = ofFile[static_cast<std::size_t>(tag - rows.first())];
      particles.molecule[tag] = id == 0 ? 0 : static_cast<u32>(before + id);
    }
    next = static_cast<u32>(before + highest + 1);
    return;
  }
  std::vector<u32> group;
  for (i64 tag = rows.first(); tag < rows.last(); ++tag) {
    if (particles.molecule[tag] != 0 || rows.begin(tag) == rows.end(tag)) continue;
    group.assign(1, static_cast<u32>(tag));
    particles.molecule[tag] = next;
    for (std::size_t k = 0; k < group.size(); ++k)
      for (const u32* other = rows.begin(group[k]); other != rows.end(group[k]); ++other)
        if (particles.molecule[*other] == 0) particles.molecule[*other] = next, group.push_back(*other);
    ++next;
  }
}

}  // namespace mesowarp
