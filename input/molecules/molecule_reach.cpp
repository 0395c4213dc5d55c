// How far the terms of molecules span, and how stiff they are.
#include <cmath>
#include <fmt/format.h>

#include "input/grammar/value.hpp"
#include "input/molecules/molecule_blocks.hpp"
#include "input/molecules/reach_ever.hpp"
#include "input/species.hpp"

namespace mesowarp::input {
namespace {

const Population* populationOf(const Deck& deck, const std::string& name) {
  for (const Population& p : deck.populations)
    if (p.name == name) return &p;
  return nullptr;
}

// So many bonds of the population in a row, straight: the first at rest; all stretched as they hardly ever are
// together, by six times the width of their sum's fluctuations. FENE bonds are at 0.65 r_max, and beyond 0.8 hardly
// ever.
double restingBond(const Deck& deck, const Population& population) {
  double rest = 0.0;
  for (const Bond& bond : deck.bonds) {
    if (bond.population != population.name) continue;
    const double own = bond.style == BondStyle::fene ? 0.65 * bond.r_max : bond.r0;
    if (own > 0.0) rest = rest > 0.0 ? std::min(rest, own) : own;
  }
  return rest > 0.0 ? rest : population.initial == StartKind::random ? population.bond_length : 0.0;
}
double spanOf(const Deck& deck, const Population& population, int bonds) {
  double most = population.initial == StartKind::random ? bonds * population.bond_length : 0.0;
  for (const Bond& bond : deck.bonds) {
    if (bond.population != population.name) continue;
    most = std::max(most, bond.style == BondStyle::fene
                              ? bonds * 0.8 * bond.r_max
                              : bonds * bond.r0 + 6.0 * std::sqrt(bonds * deck.run.temperature / bond.k));
  }
  return most;
}

template <class Block>
double spanOf(const Deck& deck, const std::vector<Block>& blocks, int bonds) {
  double most = 0.0;
  for (const Block& block : blocks)
    if (const Population* population = populationOf(deck, block.population))
      most = std::max(most, spanOf(deck, *population, bonds));
  return most;
}

// modes: of the stiffest vibration, omega^2 = modes k / (m l^2).
template <class Block, class Stiffness>
void checkStrength(const Deck& deck, Report& report, const char* name, const std::vector<Block>& blocks, double modes,
                   const Stiffness& stiffness) {
  for (std::size_t b = 0; b < blocks.size(); ++b) {
    const Population* population = populationOf(deck, blocks[b].population);
    if (!population) continue;
    const double length = restingBond(deck, *population);
    if (!(length > 0.0)) continue;
    const double mass = massesOf(deck, *population, blocks[b].of)[0];
    const double phase = deck.run.timestep * std::sqrt(modes * stiffness(blocks[b]) / mass) / length;
    const std::string path = fmt::format("{}.{}.k", name, b);
    if (phase > 2.0)
      report.error(path, fmt::format("k = {} is unstable with timestep = {}: with bonds {:.3g} long, dt omega = {:.3g} "
                                     "of the stiffest vibration is above 2; a timestep of at most {:.2g} is advised",
                                     blocks[b].k, deck.run.timestep, length, phase, 0.3 * deck.run.timestep / phase));
    else if (phase > 0.3)
      report.warning(path,
                     fmt::format("k = {} is stiff for timestep = {}: with bonds {:.3g} long, dt omega = {:.3g} of the "
                                 "stiffest vibration is above 0.3; a timestep of at most {:.2g} is advised",
                                 blocks[b].k, deck.run.timestep, length, phase, 0.3 * deck.run.timestep / phase));
  }
}

}  // namespace

double ghostReach(const Deck& deck) {
  if (deck.parallel.reach > 0.0) return deck.parallel.reach;
  return std::max({spanOf(deck, deck.angles, 2), spanOf(deck, deck.dihedrals, 3), deck.own.get<BondsEver>().reach});
}

// A FENE bond is as long as r_max at most, or the run ends; others have no longest length.
double longestBond(const Deck& deck) {
  double most = deck.own.get<BondsEver>().longest;
  for (const Bond& bond : deck.bonds)
    if (bond.style == BondStyle::fene) most = std::max(most, bond.r_max);
  return most;
}

// The middle bead of a straight angle moves against both ends: (1 + 4 + 1) k / (m l^2). The ends of a dihedral and the
// beads between them, with bonds that stand at 110 degrees: about 8 of n^2 k.
void checkMoleculeStrength(const Deck& deck, Report& report) {
  checkStrength(deck, report, "angle", deck.angles, 6.0, [](const Angle& angle) { return angle.k; });
  checkStrength(deck, report, "dihedral", deck.dihedrals, 8.0,
                [](const Dihedral& d) { return d.style == DihedralStyle::cosine ? d.k * d.n * d.n : d.k; });
}

}  // namespace mesowarp::input
