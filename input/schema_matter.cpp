// [[population]], [[interaction]], [[bond]].
#include "input/schema.hpp"

namespace mesowarp::input {

template <>
const Block<Population>& schemaOf<Population>() {
  static const Block<Population> block{
      {"population", true, true, "name", "Particles of one kind, and how they start. Species are numbered in order of appearance."},
      {bind(Type::name, "name", &Population::name).need().means("unique among the populations"),
       choice("kind", &Population::kind, {"fluid", "polymer"}).means("fluid: single particles; polymer: chains of beads"),
       choice("initial", &Population::initial, {"random", "lattice", "file"})
           .means("random: anywhere (polymer: random walks); lattice: simple cubic (fluid only); file: from `file`"),
       bind(Type::name, "species", &Population::species).only("kind", {"fluid"}).orElseNot("none")
           .means("species of all its particles; needed unless `types` is given"),
       bind(Type::text, "blocks", &Population::blocks).only("kind", {"polymer"}).orElseNot("none")
           .means("one letter a bead, such as \"AAABB\"; needed unless `types` is given"),
       bind(Type::letters, "letters", &Population::letters).only("kind", {"polymer"}).derived("each letter is a species' name")
           .means("species of each letter of `blocks`"),
       bind(Type::number, "density", &Population::density).only("initial", {"random", "lattice"}).orElseNot("from `count`")
           .above(0).in("1 / volume").means("particles (beads) per volume of the box"),
       bind(Type::integer, "count", &Population::count).only("initial", {"random", "lattice"}).orElseNot("from `density`")
           .from(1).to(4294967295.0).means("number of particles, of a polymer: of molecules"),
       bind(Type::text, "file", &Population::file).only("initial", {"file"}).need()
           .means("own trajectory or checkpoint (HDF5), or LAMMPS data; relative to the deck's folder"),
       bind(Type::names, "types", &Population::types).only("initial", {"file"}).derived("the file's own, or `species`")
           .means("species of the file's type 1, 2, …"),
       bind(Type::number, "mass", &Population::mass).above(0).in("mass").means("of each particle"),
       bind(Type::number, "temperature", &Population::temperature).from(0).in("energy").derived("run.temperature")
           .means("k_BT of the initial velocities"),
       bind(Type::number, "bond_length", &Population::bond_length).only("kind", {"polymer"}).only("initial", {"random"})
           .above(0).in("length").means("step of the random walk that places a molecule"),
       bind(Type::numbers, "velocity", &Population::velocity).in("length / time")
           .means("mean velocity, added after the momentum of the random velocities is removed")}};
  return block;
}

template <>
const Block<Interaction>& schemaOf<Interaction>() {
  static const std::vector<std::string> attractive{"lj"}, lennardJones{"lj", "wca"}, dpd{"dpd"};
  static const Block<Interaction> block{
      {"interaction", true, false, "",
       "The force between two species. Every pair of species needs one; a later block overrides an earlier one."},
      {bind(Type::pair, "between", &Interaction::between).need()
           .means("the two species (the same twice: among themselves); \"*\" stands for all"),
       choice("style", &Interaction::style, {"dpd", "lj", "wca"})
           .means("dpd: F = a w - gamma w_R^2 (e·v) + sigma w_R xi / sqrt(dt), w = 1 - r/r_c, w_R = w^s; lj: "
                  "Lennard-Jones, cut and shifted; wca: its repulsive part"),
       bind(Type::number, "a", &Interaction::a).only("style", dpd).in("energy / length").need().means("repulsion at contact"),
       bind(Type::number, "gamma", &Interaction::gamma).only("style", dpd).from(0).in("mass / time")
           .derived("sigma^2 / (2 k_BT)").means("friction; give gamma or sigma, the other follows"),
       bind(Type::number, "sigma", &Interaction::sigma).only("style", dpd).from(0).in("energy sqrt(time) / length")
           .derived("sqrt(2 gamma k_BT)").means("noise amplitude"),
       bind(Type::number, "sigma", &Interaction::sigma).only("style", lennardJones).orElse(1.0).above(0).in("length")
           .means("distance at which the Lennard-Jones potential is zero"),
       bind(Type::number, "cutoff", &Interaction::cutoff).only("style", dpd).above(0).in("length").means("r_c"),
       bind(Type::number, "cutoff", &Interaction::cutoff).only("style", attractive).above(0).in("length")
           .derived("2.5 sigma").means("r_c; the energy is shifted to zero there (wca: always 2^(1/6) sigma)"),
       bind(Type::number, "exponent", &Interaction::exponent).only("style", dpd).above(0).to(10)
           .means("s of w_R = (1 - r/r_c)^s; smaller is more viscous"),
       bind(Type::number, "epsilon", &Interaction::epsilon).only("style", lennardJones).above(0).in("energy").means("well depth")}};
  return block;
}

template <>
const Block<Bond>& schemaOf<Bond>() {
  static const Block<Bond> block{
      {"bond", true, false, "population", "Springs between neighbouring beads of a polymer, or between the bonded pairs of a file."},
      {bind(Type::name, "population", &Bond::population).need().means("the population it holds together"),
       bind(Type::integer, "type", &Bond::type).from(0).to(1e6)
           .means("of a population from a file: the file's bond type; 0: all its bonds"),
       choice("style", &Bond::style, {"harmonic", "fene"})
           .means("harmonic: F = k (r - r0); fene: F = k r / (1 - (r / r_max)^2)"),
       bind(Type::number, "k", &Bond::k).above(0).in("energy / length^2").need().means("spring constant"),
       bind(Type::number, "r0", &Bond::r0).only("style", {"harmonic"}).from(0).in("length").means("rest length"),
       bind(Type::number, "r_max", &Bond::r_max).only("style", {"fene"}).above(0).in("length").need().means("largest extension"),
       bind(Type::boolean, "exclude", &Bond::exclude).means("bonded neighbours do not feel the pair force")}};
  return block;
}

}  // namespace mesowarp::input
