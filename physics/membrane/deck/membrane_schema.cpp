// What membranes add to the deck's grammar.
#include <algorithm>

#include "input/molecules/reach_ever.hpp"
#include "physics/boundary/deck/fluid_volume.hpp"
#include "physics/membrane/deck/membrane_blocks.hpp"
#include "physics/membrane/mesh/cell_shapes.hpp"
#include "physics/membrane/mesh/surface_files.hpp"

namespace mesowarp::membrane {
namespace {

using namespace input;

Block<OwnItem> membraneBlock() {
  using Keys = MembraneKeys;
  std::vector<Key<Keys>> fields{
      bind(Type::name, "population", &Keys::population).need().means("whose cells it is of"),
      bind(Type::number, "shear_modulus", &Keys::shear_modulus)
          .need()
          .from(0)
          .in("energy / length^2")
          .means("mu0 of the sheet of springs; with length_unit in N / m, as the other moduli in SI units"),
      bind(Type::number, "bending_modulus", &Keys::bending_modulus)
          .need()
          .from(0)
          .in("energy")
          .means("kappa; k_b = 2 kappa / sqrt(3) of each edge; with length_unit in J"),
      bind(Type::number, "area_modulus", &Keys::area_modulus)
          .from(0)
          .orElseNot("49 shear_modulus")
          .in("energy / length^2")
          .means("k_g of the cell's area"),
      bind(Type::number, "local_area_modulus", &Keys::local_area_modulus)
          .from(0)
          .orElseNot("shear_modulus")
          .in("energy / length^2")
          .means("k_l of each triangle's"),
      bind(Type::number, "volume_modulus", &Keys::volume_modulus)
          .from(0)
          .orElseNot("200 shear_modulus / radius of a sphere of the cell's area")
          .in("energy / length^3")
          .means("k_v of the cell's volume"),
      bind(Type::number, "extension", &Keys::extension)
          .above(0)
          .to(0.95)
          .means("x0, the stress-free length of an edge over its largest"),
      bind(Type::number, "exponent", &Keys::exponent).above(0).to(12).means("m of the springs' repulsion"),
      bind(Type::number, "friction", &Keys::friction)
          .from(0)
          .in("mass / time")
          .means("gamma^T of each edge, with its noise; it resists the turning of edges as well, and so bending and "
                 "tumbling: for a membrane that is viscous in its plane alone leave it 0 and take friction_along"),
      bind(Type::number, "friction_along", &Keys::friction_along)
          .from(0)
          .in("mass / time")
          .orElseNot("friction / 3")
          .means(
              "gamma^C along each edge; the membrane's viscosity is sqrt(3) / 2 (gamma^T + gamma^C / 2) drawn out in "
              "its plane, sqrt(3) (gamma^T + gamma^C / 4) in simple shear"),
      bind(Type::number, "reduced_volume", &Keys::reduced_volume)
          .from(0)
          .to(1)
          .means("of V0, against the sphere of the same area; 0: the mesh's volume"),
      choice("angles", &Keys::angles, {"sphere", "flat", "mesh"})
          .means("angles without bending energy: all as of a sphere with so many vertices, all 0, or the mesh's own"),
      choice("area_volume", &Keys::area_volume, {"current", "lagged", "extrapolated"})
          .means(
              "area and volume of the cell that its forces know: of this step; or of the step before, so that ranks "
              "need not wait for their sum; or as they would go on from the last three, which keeps stiff cells from "
              "swinging more and more"),
      bind(Type::number, "length_unit", &Keys::length_unit)
          .from(0)
          .in("m")
          .means("a length of the deck; moduli are then in SI units; 0: in units of the deck"),
      bind(Type::number, "kelvin", &Keys::kelvin)
          .above(0)
          .in("K")
          .means("the temperature that run.temperature is; with length_unit"),
      bind(Type::integer, "table_every", &Keys::table_every)
          .from(0)
          .in("steps")
          .means("between rows of cells.csv and cells.h5, one a cell: centre, normal, axes, extent, area, volume, "
                 "asphericity, energies; 0: none"),
      bind(Type::name, "inside", &Keys::inside)
          .orElseNot("the membrane lets all through")
          .means("species of what is inside of its cells: at the start, the particles of outside that lie in one. From "
                 "then on its triangles turn back what would go in or out"),
      bind(Type::name, "outside", &Keys::outside)
          .orElseNot("with inside the first fluid's")
          .means("species of what is around its cells"),
      bind(Type::integer, "check_every", &Keys::check_every)
          .from(0)
          .in("steps")
          .means("between searches for particles that are on the wrong side all the same: they become what belongs "
                 "there, and the column wrong_side counts them; 0: none")};
  BlockInfo info{"membrane", true, false, "",
                 "Mechanics of the cells of a population: springs along edges, area, volume, bending, friction."};
  return ownList<Keys>(std::move(info), std::move(fields));
}

Block<OwnItem> stretchBlock() {
  using Keys = StretchKeys;
  std::vector<Key<Keys>> fields{
      bind(Type::name, "population", &Keys::population).need().means("whose cells are stretched"),
      bind(Type::number, "force", &Keys::force)
          .need()
          .from(0)
          .in("energy / length")
          .means("in all on each end; in newtons where the [[membrane]] has a length_unit"),
      bind(Type::number, "fraction", &Keys::fraction)
          .above(0)
          .to(0.5)
          .means("of the vertices at either end, the outermost along the axis in the mesh at rest"),
      choice("axis", &Keys::axis, {"x", "y", "z"}).means("of the mesh and of the box: cells are placed unturned")};
  BlockInfo info{"stretch", true, false, "", "Opposite forces on the two ends of cells, as of optical tweezers."};
  return ownList<Keys>(std::move(info), std::move(fields));
}

// Ghosts hold the vertices that one knows, and, where parts have room for it, of cells that are drawn out somewhat.
void completeReach(Deck& deck) {
  constexpr double drawnOut = 1.15;
  auto& ever = deck.own.get<BondsEver>();
  for (const Population& p : deck.populations) {
    if (!isMembrane(p)) continue;
    try {
      const double reach = ringReach(*meshOf(cellsOf(p)));
      ever.reach = std::max(ever.reach, reach), ever.longest = std::max(ever.longest, drawnOut * reach);
    } catch (const std::exception&) {  // a mesh that cannot be, which is told elsewhere
    }
  }
}

Key<Population> cellKey(Key<CellKeys> key) { return inOwn<Population>(std::move(key).only("kind", {kind})); }

}  // namespace

void complete(BlocksRead& read) {
  for (std::size_t k = 0; k < read.deck.populations.size(); ++k) {
    Population& population = read.deck.populations[k];
    auto& keys = population.own.get<CellKeys>();
    if (isMembrane(population) && isSurfaceFile(keys.mesh))
      nameFile(read.deck, fmt::format("population.{}.mesh", k), keys.mesh);
    if (!keys.poses.empty()) nameFile(read.deck, fmt::format("population.{}.poses", k), keys.poses);
  }
  if (!read.broken.count("population")) completeReach(read.deck);
}

void completeRoom(BlocksRead& read) {
  Deck& deck = read.deck;
  const auto asks = [](const Population& p) { return isMembrane(p) && cellsOf(p).hematocrit > 0.0; };
  if (deck.walls.empty() || read.broken.count("wall") || read.broken.count("shape") ||
      std::none_of(deck.populations.begin(), deck.populations.end(), asks))
    return;
  try {
    const double open = boundary::fluidPart(deck, boundary::solidOf(deck));
    for (Population& p : deck.populations)
      if (isMembrane(p)) p.own.get<CellKeys>().open = open;
  } catch (const std::exception&) {  // a shape that cannot be, which is told elsewhere
  }
}

std::vector<const Block<OwnItem>*> ownLists(const MethodBlocks& owner) {
  static Block<OwnItem> membrane = membraneBlock(), stretch = stretchBlock();
  membrane.owner = stretch.owner = &owner;
  return {&membrane, &stretch};
}

void extend(SharedBlocks& blocks) {
  auto& population = blocks.of<Population>();
  population.say("kind", "; membrane: closed surfaces, cells of one mesh, particles at the vertices");
  population.alsoFor("species", "kind", "", {kind});
  population.add(cellKey(
      bind(Type::text, "mesh", &CellKeys::mesh)
          .means("\"red-cell\": the biconcave disc of Evans and Fung, axis along z; \"sphere\"; or a "
                 "file, .off, .ply, .stl, or .data of LAMMPS, whose Angles are the triangles, relative to the deck's "
                 "folder")));
  population.add(cellKey(bind(Type::integer, "vertices", &CellKeys::vertices)
                             .from(fewestVertices)
                             .to(mostVertices)
                             .means("of a mesh that is no file")));
  population.add(cellKey(
      bind(Type::number, "diameter", &CellKeys::diameter).above(0).in("length").means("of a mesh that is no file")));
  population.add(cellKey(bind(Type::number, "scale", &CellKeys::scale)
                             .above(0)
                             .means("of a mesh from a file: lengths of the deck for one of the file")));
  population.add(cellKey(
      bind(Type::number, "hematocrit", &CellKeys::hematocrit)
          .from(0)
          .to(0.6)
          .means("instead of count: the part of the box, without what is solid of walls, that the cells' volume is")));
  population.add(cellKey(bind(Type::list, "centers", &CellKeys::centers)
                             .orElseNot("none")
                             .in("length")
                             .means("three numbers a cell, instead of count: where they start")));
  population.add(cellKey(bind(Type::list, "normals", &CellKeys::normals)
                             .orElseNot("along z; random: any")
                             .means("three numbers, or three a cell: where the mesh's z axis points at the start")));
  population.add(cellKey(bind(Type::text, "poses", &CellKeys::poses)
                             .orElseNot("none")
                             .means("a file instead of count and centers, a line a cell: x, y, z and normal_x, "
                                    "normal_y, normal_z or q_w, q_x, q_y, q_z, named in its first line; cells.csv of "
                                    "another run: its last step")));
  population.say("count", "; of membranes: cells");
  population.say("initial", "; cells: of the species that is inside of a [[membrane]], as many as its cells hold; "
                            "membranes at random: where none touches another, or, if there is no room for so many, "
                            "grown from small ones that push each other off");
  blocks.of<Output>().addChoices("columns", {wrongSide},
                                 "; wrong_side: particles found on the wrong side of a membrane, so far");
}

}  // namespace mesowarp::membrane
