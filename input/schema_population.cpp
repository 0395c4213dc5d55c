// [[population]].
#include "input/method.hpp"
#include "input/schema_blocks.hpp"

namespace mesowarp::input {

Block<Population> populationBlock() {
  return {
      {"population", true, true, "name",
       "Particles of one kind, and how they start. Species are numbered in order of appearance."},
      {bind(Type::name, "name", &Population::name).need().means("unique among the populations"),
       word("kind", &Population::kind, {}).orElse(methodBlocks().front()->kinds().front()),
       word("initial", &Population::initial, {"random", "lattice", "file"}),
       bind(Type::name, "species", &Population::species)
           .only("kind", {})
           .orElseNot("none")
           .means("species of all its particles; needed unless `types` is given"),
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
           .means("own trajectory (its last frame), own checkpoint (a bond's type is the number of its deck's "
                  "[[bond]], from 1), LAMMPS data or a LAMMPS dump, in a box of the deck's size; relative to the "
                  "deck's folder"),
       bind(Type::names, "types", &Population::types)
           .only("initial", {"file"})
           .derived("none: give `species` or `blocks`")
           .means("species of the file's type 1, 2, …; needed where the file has several, and instead of `species` or "
                  "`blocks`. Without it particles whose species the file names as the deck does have that one, all "
                  "others `species`"),
       bind(Type::number, "mass", &Population::mass).only("kind", {}).above(0).in("mass").means("of each particle"),
       bind(Type::number, "temperature", &Population::temperature)
           .only("kind", {})
           .from(0)
           .in("energy")
           .derived("run.temperature")
           .means("k_BT of the initial velocities"),
       bind(Type::numbers, "velocity", &Population::velocity)
           .in("length / time")
           .means("mean velocity, added after the momentum of the random velocities is removed")}};
}

}  // namespace mesowarp::input
