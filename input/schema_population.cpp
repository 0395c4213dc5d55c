// [[population]].
#include "input/schema.hpp"

namespace mesowarp::input {

template <>
const Block<Population>& schemaOf<Population>() {
  static const Block<Population> block{
      {"population", true, true, "name",
       "Particles of one kind, and how they start. Species are numbered in order of appearance."},
      {bind(Type::name, "name", &Population::name).need().means("unique among the populations"),
       choice("kind", &Population::kind, {"fluid", "polymer"})
           .means("fluid: single particles; polymer: chains of beads"),
       choice("initial", &Population::initial, {"random", "lattice", "file"})
           .means("random: anywhere (polymer: random walks); lattice: simple cubic (fluid only); file: from `file`"),
       bind(Type::name, "species", &Population::species)
           .only("kind", {"fluid"})
           .orElseNot("none")
           .means("species of all its particles; needed unless `types` is given"),
       bind(Type::text, "blocks", &Population::blocks)
           .only("kind", {"polymer"})
           .orElseNot("none")
           .means("one letter a bead, such as \"AAABB\"; needed unless `types` is given"),
       bind(Type::letters, "letters", &Population::letters)
           .only("kind", {"polymer"})
           .derived("each letter is a species' name")
           .means("species of each letter of `blocks`"),
       bind(Type::number, "density", &Population::density)
           .only("initial", {"random", "lattice"})
           .orElseNot("from `count`")
           .above(0)
           .in("1 / volume")
           .means("particles (beads) per volume of the box"),
       bind(Type::integer, "count", &Population::count)
           .only("initial", {"random", "lattice"})
           .orElseNot("from `density`")
           .from(1)
           .to(4294967295.0)
           .means("number of particles, of a polymer: of molecules"),
       bind(Type::text, "file", &Population::file)
           .only("initial", {"file"})
           .need()
           .means(
               "own trajectory (its last frame), own checkpoint (a bond's type is the number of its deck's [[bond]], "
               "from 1), or LAMMPS data, in a box of the deck's size; relative to the deck's folder"),
       bind(Type::names, "types", &Population::types)
           .only("initial", {"file"})
           .derived("the file's own, or `species`")
           .means("species of the file's type 1, 2, …"),
       bind(Type::number, "mass", &Population::mass).above(0).in("mass").means("of each particle"),
       bind(Type::number, "temperature", &Population::temperature)
           .from(0)
           .in("energy")
           .derived("run.temperature")
           .means("k_BT of the initial velocities"),
       bind(Type::number, "bond_length", &Population::bond_length)
           .only("kind", {"polymer"})
           .only("initial", {"random"})
           .above(0)
           .in("length")
           .means("step of the random walk that places a molecule"),
       bind(Type::numbers, "velocity", &Population::velocity)
           .in("length / time")
           .means("mean velocity, added after the momentum of the random velocities is removed")}};
  return block;
}

}  // namespace mesowarp::input
