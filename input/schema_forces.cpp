// [[interaction]], [[bond]].
#include "input/schema_blocks.hpp"

namespace mesowarp::input {

Block<Interaction> interactionBlock() {
  return {
      {"interaction", true, false, "",
       "A force between two species. Every pair of species needs one; blocks of different styles add up, and of one "
       "style a later block overrides an earlier one with \"*\" (lj and wca count as one style; so do dpd, tdpd "
       "and dpd-thermostat, which share their noise)."},
      {bind(Type::pair, "between", &Interaction::between)
           .need()
           .means("the two species (the same twice: among themselves); \"*\" stands for all"),
       word("style", &Interaction::style, {})}};
}

Block<Bond> bondBlock() {
  return {{"bond", true, false, "population",
           "Springs between neighbouring beads of a polymer, or between the bonded pairs of a file."},
          {bind(Type::name, "population", &Bond::population).need().means("the population it holds together"),
           bind(Type::integer, "type", &Bond::type)
               .from(0)
               .to(1e6)
               .means("of a population from a file: the file's bond type; 0: all its bonds"),
           bind(Type::texts, "between", &Bond::between)
               .orElseNot("any")
               .means("species of the two beads, \"*\" for all; of several blocks that fit a bond the last one counts"),
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
}

}  // namespace mesowarp::input
