// [[interaction]], [[bond]].
#include "input/schema.hpp"

namespace mesowarp::input {

template <>
const Block<Interaction>& schemaOf<Interaction>() {
  static const std::vector<std::string> attractive{"lj"}, lennardJones{"lj", "wca", "lj-coulomb"}, dpd{"dpd"},
      gravity{"gravity"};
  static const Block<Interaction> block{
      {"interaction", true, false, "",
       "The force between two species. Every pair of species needs one; a later block overrides an earlier one."},
      {bind(Type::pair, "between", &Interaction::between)
           .need()
           .means("the two species (the same twice: among themselves); \"*\" stands for all"),
       choice("style", &Interaction::style, {"dpd", "lj", "wca", "gravity", "lj-coulomb"})
           .means("dpd: F = a w - gamma w_R^2 (e·v) + sigma w_R xi / sqrt(dt), w = 1 - r/r_c, w_R = w^s; lj: "
                  "Lennard-Jones, cut and shifted; wca: its repulsive part. Of bodies, between all of them: gravity: F "
                  "= constant m_i m_j r / (r^2 + softening^2)^(3/2); lj-coulomb: Lennard-Jones, without a cutoff, and "
                  "what [electrostatics] adds"),
       bind(Type::number, "a", &Interaction::a)
           .only("style", dpd)
           .in("energy / length")
           .need()
           .means("repulsion at contact"),
       bind(Type::number, "gamma", &Interaction::gamma)
           .only("style", dpd)
           .from(0)
           .in("mass / time")
           .derived("sigma^2 / (2 k_BT)")
           .means("friction; give gamma or sigma, the other follows"),
       bind(Type::number, "sigma", &Interaction::sigma)
           .only("style", dpd)
           .from(0)
           .in("energy sqrt(time) / length")
           .derived("sqrt(2 gamma k_BT)")
           .means("noise amplitude"),
       bind(Type::number, "sigma", &Interaction::sigma)
           .only("style", lennardJones)
           .orElse(1.0)
           .above(0)
           .in("length")
           .means("distance at which the Lennard-Jones potential is zero"),
       bind(Type::number, "cutoff", &Interaction::cutoff).only("style", dpd).above(0).in("length").means("r_c"),
       bind(Type::number, "cutoff", &Interaction::cutoff)
           .only("style", attractive)
           .above(0)
           .in("length")
           .derived("2.5 sigma")
           .means("r_c; the energy is shifted to zero there (wca: always 2^(1/6) sigma)"),
       bind(Type::number, "exponent", &Interaction::exponent)
           .only("style", dpd)
           .above(0)
           .to(10)
           .means("s of w_R = (1 - r/r_c)^s; smaller is more viscous"),
       bind(Type::number, "epsilon", &Interaction::epsilon)
           .only("style", lennardJones)
           .above(0)
           .in("energy")
           .means("well depth"),
       bind(Type::number, "constant", &Interaction::constant)
           .only("style", gravity)
           .above(0)
           .in("force length^2 / mass^2")
           .means("of gravity, G"),
       bind(Type::number, "softening", &Interaction::softening)
           .only("style", gravity)
           .from(0)
           .in("length")
           .means("epsilon: forces are as if bodies were that far apart across, too")}};
  return block;
}

template <>
const Block<Bond>& schemaOf<Bond>() {
  static const Block<Bond> block{
      {"bond", true, false, "population",
       "Springs between neighbouring beads of a polymer, or between the bonded pairs of a file.", Method::particles},
      {bind(Type::name, "population", &Bond::population).need().means("the population it holds together"),
       bind(Type::integer, "type", &Bond::type)
           .from(0)
           .to(1e6)
           .means("of a population from a file: the file's bond type; 0: all its bonds"),
       choice("style", &Bond::style, {"harmonic", "fene"})
           .means("harmonic: F = k (r - r0); fene: F = k r / (1 - (r / r_max)^2)"),
       bind(Type::number, "k", &Bond::k).above(0).in("energy / length^2").need().means("spring constant"),
       bind(Type::number, "r0", &Bond::r0).only("style", {"harmonic"}).from(0).in("length").means("rest length"),
       bind(Type::number, "r_max", &Bond::r_max)
           .only("style", {"fene"})
           .above(0)
           .in("length")
           .need()
           .means("largest extension"),
       bind(Type::boolean, "exclude", &Bond::exclude).means("bonded neighbours do not feel the pair force")}};
  return block;
}

}  // namespace mesowarp::input
