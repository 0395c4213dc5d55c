// [[angle]], [[dihedral]].
#include "input/schema_blocks.hpp"

namespace mesowarp::input {

Block<Angle> angleBlock() {
  return {
      {"angle", true, false, "population",
       "Stiffness of the angle between two bonds of one bead: of the angles that a population's file lists, or else of "
       "every three beads in a row."},
      {bind(Type::name, "population", &Angle::population).need().means("the population whose angles these are"),
       bind(Type::integer, "type", &Angle::type)
           .from(0)
           .to(1e6)
           .means("of a population from a file: the file's angle type; 0: all its angles"),
       bind(Type::texts, "of", &Angle::of)
           .orElseNot("any")
           .means("species of the three beads along the bonds, in either direction, \"*\" for all; of several blocks "
                  "that fit the last one counts"),
       choice("style", &Angle::style, {"harmonic", "cosine", "cosine-squared"})
           .means("harmonic: U = k/2 (theta - theta0)^2; cosine: U = k (1 + cos theta), straight at rest; "
                  "cosine-squared: U = k/2 (cos theta - cos theta0)^2. A file's constants may be without the half "
                  "(LAMMPS): double them"),
       bind(Type::number, "k", &Angle::k).above(0).in("energy").need().means("stiffness; harmonic: energy / radian^2"),
       bind(Type::number, "theta0", &Angle::theta0)
           .only("style", {"harmonic", "cosine-squared"})
           .from(0)
           .to(180)
           .in("degrees")
           .means("angle at rest; 180 is straight")}};
}

Block<Dihedral> dihedralBlock() {
  return {
      {"dihedral", true, false, "population",
       "Stiffness against twisting: of the dihedrals that a population's file lists, or else of every four beads in a "
       "row. phi is the angle between the planes of the first and the last three; 180 is trans. Three of them in a row "
       "must not be straight: give them an [[angle]]."},
      {bind(Type::name, "population", &Dihedral::population).need().means("the population whose dihedrals these are"),
       bind(Type::integer, "type", &Dihedral::type)
           .from(0)
           .to(1e6)
           .means("of a population from a file: the file's dihedral type; behind those, its improper types; 0: all its "
                  "dihedrals"),
       bind(Type::texts, "of", &Dihedral::of)
           .orElseNot("any")
           .means("species of the four beads along the bonds, in either direction, \"*\" for all; of several blocks "
                  "that fit the last one counts"),
       choice("style", &Dihedral::style, {"cosine", "harmonic"})
           .means("cosine: U = k (1 + cos(n phi - phi0)); harmonic: U = k/2 (phi - phi0)^2, the shorter way round"),
       bind(Type::number, "k", &Dihedral::k)
           .above(0)
           .in("energy")
           .need()
           .means("stiffness; harmonic: energy / radian^2"),
       bind(Type::integer, "n", &Dihedral::n).only("style", {"cosine"}).from(1).to(12).means("periods in a turn"),
       bind(Type::number, "phi0", &Dihedral::phi0)
           .from(-180)
           .to(180)
           .in("degrees")
           .means("cosine: phase (180: a minimum at phi = 0); harmonic: angle at rest")}};
}

}  // namespace mesowarp::input
