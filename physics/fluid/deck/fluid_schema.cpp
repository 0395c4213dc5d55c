// What the fluid adds to the deck's grammar: fluids and polymers, and the forces between pairs of their particles.
#include "input/schema.hpp"
#include "physics/boundary/deck/wall_columns.hpp"
#include "physics/fluid/deck/fluid_blocks.hpp"
#include "physics/fluid/deck/fluid_checks.hpp"
#include "physics/membrane/deck/membrane_blocks.hpp"
#include "physics/transport/deck/transport_blocks.hpp"
#include "physics/transport/deck/transport_deck.hpp"

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

void addForces(Block<Interaction>& block) {
  block.addChoices("style", fluidBlocks().interactions(),
                   "dpd: F = a w - gamma w_R^2 (e·v) + sigma w_R xi / sqrt(dt), w = 1 - r/r_c, w_R = w^s; lj: "
                   "Lennard-Jones, cut and shifted; wca: its repulsive part");
  block.add(bind(Type::number, "a", &Interaction::a)
                .only("style", {"dpd"})
                .in("energy / length")
                .need()
                .means("repulsion at contact"));
  block.add(bind(Type::number, "gamma", &Interaction::gamma)
                .only("style", {"dpd"})
                .from(0)
                .in("mass / time")
                .derived("sigma^2 / (2 k_BT)")
                .means("friction; give gamma or sigma, the other follows"));
  block.add(bind(Type::number, "sigma", &Interaction::sigma)
                .only("style", {"dpd"})
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
  block.add(
      bind(Type::number, "cutoff", &Interaction::cutoff).only("style", {"dpd"}).above(0).in("length").means("r_c"));
  block.add(bind(Type::number, "cutoff", &Interaction::cutoff)
                .only("style", {"lj"})
                .above(0)
                .in("length")
                .derived("2.5 sigma")
                .means("r_c; the energy is shifted to zero there (wca: always 2^(1/6) sigma)"));
  block.add(bind(Type::number, "exponent", &Interaction::exponent)
                .only("style", {"dpd"})
                .above(0)
                .to(10)
                .means("s of w_R = (1 - r/r_c)^s; smaller is more viscous"));
  block.add(bind(Type::number, "epsilon", &Interaction::epsilon)
                .only("style", {"lj", "wca"})
                .above(0)
                .in("energy")
                .means("well depth"));
}

}  // namespace

void FluidBlocks::extend(SharedBlocks& blocks) const {
  addKinds(blocks.of<Population>());
  addForces(blocks.of<Interaction>());
  blocks.of<Output>().addChoices("columns", boundary::wallColumnNames(), boundary::wallColumnsMean());
  transport::extend(blocks, fluidBlocks().kinds());
  membrane::extend(blocks);
}

std::vector<std::pair<std::string, std::string>> FluidBlocks::expectations(const Deck& deck) const {
  auto all = transport::expectations(deck);
  for (auto& one : membrane::expectations(deck)) all.push_back(std::move(one));
  return all;
}
std::vector<std::string> FluidBlocks::carries(const Deck& deck) const { return transport::transportOf(deck).solutes; }
std::vector<std::string> FluidBlocks::namedBy(const Deck& deck, const std::string& word) const {
  if (auto columns = boundary::wallColumnsNamedBy(deck, word); !columns.empty()) return columns;
  return transport::namedBy(deck, word);
}

}  // namespace mesowarp::fluid
