// Whether the fluid around membranes is stiff enough to carry them: the stress of a flow that deforms cells is some
// shear_modulus / radius, and where that is much of the fluid's bulk modulus, the fluid gives way in the thin gap
// between a cell and a wall instead of lifting the cell off it. Tubes of cells show by how much (docs/validation.md).
#include <algorithm>
#include <cmath>
#include <fmt/format.h>

#include "core/error.hpp"
#include "core/shear.hpp"
#include "input/estimate.hpp"
#include "input/grammar/value.hpp"
#include "input/species.hpp"
#include "physics/membrane/deck/membrane_blocks.hpp"

namespace mesowarp::membrane {
namespace {

using namespace input;

constexpr double mostOfBulk = 0.1;

bool hasWalls(const Deck& deck) {
  const auto& periodic = deck.box.periodic;
  return !deck.walls.empty() || !std::all_of(periodic.begin(), periodic.end(), [](bool is) { return is; });
}

bool flows(const Deck& deck) {
  if (deck.own.get<Shear>().on || !deck.drives.empty()) return true;
  return std::any_of(deck.sources.begin(), deck.sources.end(), [](const auto& source) {
    return source.first == "flow_rate" || source.first.starts_with("pull.") || source.first.starts_with("inflow.");
  });
}

double radiusOf(const Mechanics& m) { return std::sqrt(m.area0 / (4.0 * M_PI)); }

}  // namespace

// K = rho dP / d rho of P = rho k_BT + 0.101 a r_c^4 rho^2 (Groot & Warren, J. Chem. Phys. 107 (1997) 4423). The fluid
// is that outside, or the first that moves.
std::optional<Plasma> plasmaOf(const Deck& deck, const MembraneKeys& keys) {
  const auto names = fluidSpecies(deck);
  Plasma plasma{keys.outside.empty() && !names.empty() ? names.front() : keys.outside, 0.0, 0.0};
  double density = 0.0, push = 0.0;
  const double volume = deck.box.size[0] * deck.box.size[1] * deck.box.size[2];
  for (const Population& p : deck.populations)
    if (p.species == plasma.species && p.initial != inCells)
      density += p.density > 0.0 ? p.density : static_cast<double>(particleCount(p, deck.box)) / volume;
  for (const Interaction* i : interactionsOf(deck, plasma.species, plasma.species))
    if (isDpd(*i)) push += 0.101 * i->a * std::pow(i->cutoff, 4), plasma.cutoff = std::max(plasma.cutoff, i->cutoff);
  if (!(density > 0.0 && push > 0.0)) return std::nullopt;
  plasma.bulkModulus = density * (deck.run.temperature + 2.0 * push * density);
  return plasma;
}

void checkPlasma(const Deck& deck, Report& report) {
  if (!flows(deck) || !hasWalls(deck)) return;
  const auto all = membranesOf(deck);
  for (std::size_t k = 0; k < all.size(); ++k)
    for (const Population& p : deck.populations) try {
        if (!isMembrane(p) || p.name != all[k].population) continue;
        const Mechanics m = mechanicsOf(deck, all[k], *meshOf(cellsOf(p)));
        const auto plasma = plasmaOf(deck, all[k]);
        const double part = plasma ? m.shear / radiusOf(m) / plasma->bulkModulus : 0.0;
        if (part > mostOfBulk)
          report.warning(fmt::format("membrane.{}.shear_modulus", k),
                         fmt::format("the fluid {} gives way before the cells of {} do: a flow that deforms them has a "
                                     "stress of about shear_modulus / radius = {:.3g}, {:.2g} of the fluid's bulk "
                                     "modulus {:.3g}, and at most {} is advised, else cells come too near to walls: "
                                     "lower all moduli of the membrane and what drives the flow alike, or raise "
                                     "the fluid's a or density",
                                     plasma->species, quoted(p.name), m.shear / radiusOf(m), part, plasma->bulkModulus,
                                     mostOfBulk));
      } catch (const InputError&) {  // told elsewhere
      }
}

std::string plasmaText(const Plasma& plasma, const Mechanics& m) {
  return fmt::format(
      "{}, bulk modulus about {:.4g}, of which shear_modulus / radius is {:.2g}; a cell is {:.2g} cutoffs "
      "thick (2 volume / area)",
      plasma.species, plasma.bulkModulus, m.shear / radiusOf(m) / plasma.bulkModulus,
      2.0 * m.volume0 / m.area0 / plasma.cutoff);
}

}  // namespace mesowarp::membrane
