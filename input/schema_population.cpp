// [[population]].
#include "input/schema.hpp"

namespace mesowarp::input {

template <>
const Block<Population>& schemaOf<Population>() {
  static const Block<Population> block{
      {"population", true, true, "name",
       "Particles of one kind, and how they start. Species are numbered in order of appearance."},
      {bind(Type::name, "name", &Population::name).need().means("unique among the populations"),
       choice("kind", &Population::kind, {"fluid", "polymer", "bodies"})
           .means("fluid: single particles; polymer: chains of beads; bodies: single, without a box, each sees all "
                  "others"),
       choice("initial", &Population::initial, {"random", "lattice", "file", "plummer", "sphere"})
           .means("random: anywhere (polymer: random walks); lattice: simple cubic (not of polymers); file: from "
                  "`file`; of bodies, plummer: Plummer's sphere in equilibrium; sphere: uniform; lattice: the sites "
                  "nearest to `center`"),
       bind(Type::name, "species", &Population::species)
           .only("kind", {"fluid", "bodies"})
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
           .only("initial", {"random", "lattice", "plummer", "sphere"})
           .orElseNot("from `density`")
           .from(1)
           .to(4294967295.0)
           .means("number of particles, of a polymer: of molecules"),
       bind(Type::text, "file", &Population::file)
           .only("initial", {"file"})
           .need()
           .means("own trajectory (its last frame), own checkpoint (a bond's type is the number of its deck's "
                  "[[bond]], from 1), or LAMMPS data, in a box of the deck's size; bodies: own trajectory or "
                  "checkpoint of bodies, or text (a line a body: x y z vx vy vz, then mass, charge and number of the "
                  "species in `types`, from 1, as far as given); relative to the deck's folder"),
       bind(Type::names, "types", &Population::types)
           .only("initial", {"file"})
           .derived("none: give `species` or `blocks`")
           .means("species of the file's type 1, 2, …; needed where the file has several, and instead of `species` or "
                  "`blocks`. Without it particles whose species the file names as the deck does have that one, all "
                  "others `species`"),
       bind(Type::number, "mass", &Population::mass).above(0).in("mass").means("of each particle"),
       bind(Type::number, "temperature", &Population::temperature)
           .from(0)
           .in("energy")
           .derived("run.temperature")
           .means("k_BT of the initial velocities; under gravity 0 if not given, and of no meaning to plummer"),
       bind(Type::number, "bond_length", &Population::bond_length)
           .only("kind", {"polymer"})
           .only("initial", {"random"})
           .above(0)
           .in("length")
           .means("step of the random walk that places a molecule"),
       bind(Type::numbers, "velocity", &Population::velocity)
           .in("length / time")
           .means("mean velocity, added after the momentum of the random velocities is removed"),
       bind(Type::number, "total_mass", &Population::total_mass)
           .only("kind", {"bodies"})
           .only("initial", {"plummer", "sphere", "lattice"})
           .orElseNot("from `mass`")
           .above(0)
           .in("mass")
           .means("of all its bodies, instead of `mass`"),
       bind(Type::number, "charge", &Population::charge)
           .only("kind", {"bodies"})
           .in("charge")
           .means("of each body; a text file may have its own"),
       bind(Type::number, "radius", &Population::radius)
           .only("initial", {"sphere", "plummer"})
           .orElse(1.0)
           .above(0)
           .in("length")
           .means("of the sphere; of plummer the scale length, 3 pi / 16 in N-body units"),
       bind(Type::number, "spacing", &Population::spacing)
           .only("kind", {"bodies"})
           .only("initial", {"lattice"})
           .orElse(1.0)
           .above(0)
           .in("length")
           .means("of the lattice"),
       bind(Type::numbers, "center", &Population::center)
           .only("kind", {"bodies"})
           .only("initial", {"plummer", "sphere", "lattice"})
           .in("length")
           .means("where they lie"),
       bind(Type::text, "exclusions", &Population::exclusions)
           .only("kind", {"bodies"})
           .orElseNot("none")
           .means("file with a pair of bodies a line that have no force between them: their numbers in this "
                  "population, from 0; relative to the deck's folder")}};
  return block;
}

}  // namespace mesowarp::input
