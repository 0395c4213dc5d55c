// What the fluid adds to the deck's grammar: fluids and polymers, and the forces between pairs of their particles.
#include <fmt/format.h>

#include "input/molecules/molecule_blocks.hpp"
#include "input/schema.hpp"
#include "input/species.hpp"
#include "physics/boundary/deck/wall_columns.hpp"
#include "physics/fluid/deck/fluid_blocks.hpp"
#include "physics/fluid/deck/fluid_checks.hpp"
#include "physics/group/deck/group_blocks.hpp"
#include "physics/integrate/deck/schedule_blocks.hpp"
#include "physics/integrate/inflow_keys.hpp"
#include "physics/membrane/deck/membrane_blocks.hpp"
#include "physics/pair/conservative_keys.hpp"
#include "physics/pair/deck/many_body_checks.hpp"
#include "physics/transport/deck/transport_blocks.hpp"
#include "physics/transport/deck/transport_deck.hpp"
#include "start/start_region.hpp"

namespace mesowarp::fluid {
namespace {

using namespace input;

void addKinds(Block<Population>& block) {
  block.addChoices("kind", fluidBlocks().kinds(), "fluid: single particles; polymer: chains of beads");
  block.addChoices("initial", fluidBlocks().initials(), "");
  block.say("initial", "random: anywhere (polymer: random walks); lattice: simple cubic (not of polymers); file: from "
                       "`file`; solid: where the [[wall]] blocks with its species are (added by itself)");
  block.alsoFor("species", "kind", "", {"fluid"});
  for (const char* key : {"mass", "temperature"}) block.alsoFor(key, "kind", "", fluidBlocks().kinds());
  block.add(bind(Type::text, "blocks", &Population::blocks)
                .only("kind", {"polymer"})
                .orElseNot("none")
                .means("one letter a bead, such as \"AAABB\"; needed unless `types` is given"),
            "species");
  block.add(
      bind(Type::text, "molecule", &Population::molecule)
          .only("kind", {"polymer"})
          .orElseNot("a chain of `blocks`")
          .means("instead of `blocks`: a letter a bead, with a number for several in a row; (…) is a branch at the "
                 "bead before it, with a number for several; […] with a number repeats: \"A4(B2)A4\", "
                 "\"A(B5)3\", \"[A2B]10\""),
      "blocks");
  block.add(bind(Type::letters, "letters", &Population::letters)
                .only("kind", {"polymer"})
                .derived("each letter is a species' name")
                .means("species of each letter of `blocks`"),
            "blocks");
  block.add(bind(Type::boolean, "frozen", &Population::frozen)
                .only("kind", {"fluid"})
                .means("its particles keep their places and have `velocity` for good (a wall that moves along itself); "
                       "others feel them, they have no temperature and no degrees of freedom"),
            "velocity");
  block.add(inOwn<Population>(bind(Type::text, "region", &StartRegion::words)
                                  .only("kind", {"fluid"})
                                  .only("initial", {"random"})
                                  .orElseNot("anywhere")
                                  .means("its particles start in this region: names of [[shape]] blocks with not, and, "
                                         "or and brackets; `density` is that in there")),
            "density");
  block.add(bind(Type::number, "bond_length", &Population::bond_length)
                .only("kind", {"polymer"})
                .only("initial", {"random"})
                .above(0)
                .in("length")
                .means("step of the random walk that places a molecule"),
            "temperature");
  block.add(inOwn<Population>(bind(Type::number, "apart", &ChainKeys::apart)
                                  .only("kind", {"polymer"})
                                  .only("initial", {"random"})
                                  .from(0)
                                  .in("length")
                                  .means("least distance between beads at the start: chains are then self-avoiding "
                                         "walks, as lj and wca need; 0: beads may overlap")),
            "bond_length");
}

void addTableKeys(Block<Interaction>& block) {
  const auto own = [&](Key<TableKeys> key) { block.add(inOwn<Interaction>(std::move(key).only("style", {"table"}))); };
  own(bind(Type::text, "file", &TableKeys::file)
          .need()
          .means(
              "r, energy and force: a file as LAMMPS's pair_write makes them, or three plain columns; relative to the "
              "deck's folder"));
  own(bind(Type::text, "section", &TableKeys::section)
          .derived("the file's first")
          .means("keyword of the table in a file of LAMMPS"));
  own(choice("interpolation", &TableKeys::interpolation, {"cubic", "linear"})
          .means("between knots at equal steps of r^2; cubic: the force is the slope of the energy; linear: both are "
                 "linear in r^2, as LAMMPS's table linear"));
  own(bind(Type::integer, "points", &TableKeys::points).orElse(std::int64_t{2000}).from(4).to(200000).means("knots"));
  block.add(bind(Type::number, "cutoff", &Interaction::cutoff)
                .only("style", {"table"})
                .above(0)
                .in("length")
                .derived("the last r of the file")
                .means("where force and energy end; not shifted"));
}

void addMorseKeys(Block<Interaction>& block) {
  const auto own = [&](Key<MorseKeys> key) { block.add(inOwn<Interaction>(std::move(key).only("style", {"morse"}))); };
  own(bind(Type::number, "beta", &MorseKeys::beta).need().above(0).in("1 / length").means("how narrow the well is"));
  own(bind(Type::number, "r0", &MorseKeys::r0).need().above(0).in("length").means("where the energy is least"));
  block.add(bind(Type::number, "cutoff", &Interaction::cutoff)
                .only("style", {"morse"})
                .above(0)
                .in("length")
                .need()
                .means("r_c; the energy is shifted to zero there"));
}

void addForces(Block<Interaction>& block) {
  block.addChoices("style", fluidBlocks().interactions(),
                   "dpd: F = a w - gamma w_R^2 (e·v) + sigma w_R xi / sqrt(dt), w = 1 - r/r_c, w_R = w^s; lj: "
                   "Lennard-Jones, cut and shifted; wca: its repulsive part; dpd-thermostat: the friction and noise of "
                   "dpd alone, to be added to another force; soft: U = A (1 + cos(pi r/r_c)); table: from a file; "
                   "morse: U = epsilon [(1 - exp(-beta (r - r0)))^2 - 1], cut and shifted; many-body: F = b (rho_i + "
                   "rho_j) (1 - r/r_d), rho the density around a particle: with dpd of a < 0 a liquid that has a "
                   "surface");
  block.add(bind(Type::number, "a", &Interaction::a)
                .only("style", {"dpd"})
                .in("energy / length")
                .need()
                .means("repulsion at contact"));
  block.add(bind(Type::number, "gamma", &Interaction::gamma)
                .only("style", {"dpd", "dpd-thermostat"})
                .from(0)
                .in("mass / time")
                .derived("sigma^2 / (2 k_BT)")
                .means("friction; give gamma or sigma, the other follows"));
  block.add(bind(Type::number, "sigma", &Interaction::sigma)
                .only("style", {"dpd", "dpd-thermostat"})
                .from(0)
                .in("energy sqrt(time) / length")
                .derived("sqrt(2 gamma k_BT)")
                .means("noise amplitude"));
  block.add(bind(Type::number, "sigma", &Interaction::sigma)
                .only("style", {"lj", "wca"})
                .orElse(1.0)
                .above(0)
                .in("length")
                .means("distance at which the Lennard-Jones potential is zero"));
  block.add(bind(Type::number, "cutoff", &Interaction::cutoff)
                .only("style", {"dpd", "dpd-thermostat"})
                .above(0)
                .in("length")
                .means("r_c"));
  block.add(bind(Type::number, "cutoff", &Interaction::cutoff)
                .only("style", {"lj"})
                .above(0)
                .in("length")
                .derived("2.5 sigma")
                .means("r_c; the energy is shifted to zero there (wca: always 2^(1/6) sigma)"));
  block.add(bind(Type::number, "exponent", &Interaction::exponent)
                .only("style", {"dpd", "dpd-thermostat"})
                .above(0)
                .to(10)
                .means("s of w_R = (1 - r/r_c)^s; smaller is more viscous"));
  block.add(bind(Type::number, "epsilon", &Interaction::epsilon)
                .only("style", {"lj", "wca", "morse"})
                .above(0)
                .in("energy")
                .means("well depth"));
  block.add(inOwn<Interaction>(bind(Type::number, "amplitude", &SoftKeys::amplitude)
                                   .only("style", {"soft"})
                                   .from(0)
                                   .in("energy")
                                   .need()
                                   .means("A: the energy at contact is 2 A")));
  block.add(
      bind(Type::number, "cutoff", &Interaction::cutoff).only("style", {"soft"}).above(0).in("length").means("r_c"));
  addMorseKeys(block);
  block.add(inOwn<Interaction>(bind(Type::number, "b", &ManyBodyKeys::b)
                                   .only("style", {"many-body"})
                                   .need()
                                   .from(0)
                                   .in("energy length^2")
                                   .means("repulsion at contact for each unit of both densities")));
  block.add(bind(Type::number, "cutoff", &Interaction::cutoff)
                .only("style", {"many-body"})
                .orElse(0.75)
                .above(0)
                .in("length")
                .means("r_d, of the force and of the densities"));
  block.add(inOwn<Interaction>(choice("density_weight", &ManyBodyKeys::weight, {"quadratic", "lucy"})
                                   .only("style", {"many-body"})
                                   .means("with which a neighbour counts: Warren's 15 / (2 pi r_d^3) (1 - r/r_d)^2, "
                                          "which keeps energy; lucy: 105 / (16 pi r_d^3) (1 + 3 r/r_d) (1 - r/r_d)^3, "
                                          "as LAMMPS's mdpd/rhosum has it")));
  addTableKeys(block);
  block.add(inOwn<Interaction>(bind(Type::boolean, "different_molecules", &MoleculeScope::different)
                                   .only("style", {"lj", "wca", "soft", "morse"})
                                   .means("between particles of different molecules alone: what bonds join, or a cell "
                                          "of a membrane; particles of no molecule feel all")));
}

}  // namespace

void FluidBlocks::extend(SharedBlocks& blocks) const {
  addKinds(blocks.of<Population>());
  addForces(blocks.of<Interaction>());
  blocks.of<Output>().addChoices("columns", boundary::wallColumnNames(), boundary::wallColumnsMean());
  blocks.of<Output>().addChoices("columns", {scheduledColumns}, "; scheduled: what each [[schedule]] is at");
  blocks.of<Output>().addChoices("columns", {inflowColumns},
                                 "; inflows: of each [[inflow]] inflow1_velocity, ... and inflow1_force, ..., the mean "
                                 "velocity of its particles and the force on them, as means since the row before");
  transport::extend(blocks, fluidBlocks().kinds());
  membrane::extend(blocks);
  group::extend(blocks);
}

std::vector<std::pair<std::string, std::string>> FluidBlocks::expectations(const Deck& deck) const {
  auto all = addedForces(deck);
  for (const auto& species : deck.species)
    if (const double density = isFrozen(deck, species) ? 0.0 : liquidDensity(deck, species); density > 0.0)
      all.push_back({"liquid", fmt::format("of {} without pressure: density {:.2f} (Warren's equation of state)",
                                           species, density)});
  for (auto& more : transport::expectations(deck)) all.push_back(std::move(more));
  for (auto& one : membrane::expectations(deck)) all.push_back(std::move(one));
  const double reach = ghostReach(deck), usual = largestCutoff(deck) + deck.neighbor.skin;
  if (reach > usual)
    all.push_back({"ghosts on several ranks",
                   fmt::format("{:.3g} around each part, {}", reach,
                               deck.parallel.reach > 0.0 ? "as parallel.reach says"
                                                         : "which bonds, angles, dihedrals and membranes may span")});
  return all;
}
std::vector<std::string> FluidBlocks::carries(const Deck& deck) const { return transport::transportOf(deck).solutes; }
std::vector<std::string> FluidBlocks::namedBy(const Deck& deck, const std::string& word) const {
  if (word == scheduledColumns) return scheduledColumnsOf(deck);
  if (word == inflowColumns) {
    std::vector<std::string> columns;
    for (std::size_t k = 0; k < inflowsOf(deck).size(); ++k)
      for (auto& name : inflowColumnsOf(k)) columns.push_back(std::move(name));
    return columns;
  }
  if (word == group::groupColumns || word == group::pullColumns) return group::namedBy(deck, word);
  if (auto columns = boundary::wallColumnsNamedBy(deck, word); !columns.empty()) return columns;
  return transport::namedBy(deck, word);
}

}  // namespace mesowarp::fluid
