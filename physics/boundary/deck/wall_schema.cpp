// [[shape]], [[wall]].
#include "input/schema_blocks.hpp"

namespace mesowarp::input {

Block<Shape> shapeBlock() {
  return {
      {"shape", true, false, "name", "A region of the box, for the solid of [[wall]] blocks. It repeats with the box."},
      {bind(Type::name, "name", &Shape::name).need().means("unique among the shapes"),
       choice("style", &Shape::style, {"plane", "slab", "cylinder", "sphere", "box", "stl", "grid"})
           .need()
           .means("plane: all on one side of it, up to the face of the box; slab: between two planes; cylinder: along "
                  "an axis, as long as the box; stl: inside a closed surface of triangles; grid: where the distances "
                  "of an HDF5 file are negative"),
       choice("axis", &Shape::axis, {"x", "y", "z"})
           .only("style", {"plane", "slab", "cylinder"})
           .means("the normal of a plane or slab, the axis of a cylinder"),
       bind(Type::number, "at", &Shape::at).only("style", {"plane"}).in("length").need().means("where the plane is"),
       choice("side", &Shape::above, {"below", "above"}).only("style", {"plane"}).means("which side is the region"),
       bind(Type::number, "from", &Shape::from).only("style", {"slab"}).in("length").need().means("its lower plane"),
       bind(Type::number, "to", &Shape::to).only("style", {"slab"}).in("length").need().means("its upper plane"),
       bind(Type::numbers, "center", &Shape::center)
           .only("style", {"cylinder", "sphere", "box", "stl"})
           .in("length")
           .means("where it lies; stl: where the origin of the file lies"),
       bind(Type::number, "radius", &Shape::radius)
           .only("style", {"cylinder", "sphere"})
           .above(0)
           .in("length")
           .need()
           .means("of the cylinder or sphere"),
       bind(Type::numbers, "size", &Shape::size).only("style", {"box"}).in("length").need().means("its edges"),
       bind(Type::text, "file", &Shape::file)
           .only("style", {"stl", "grid"})
           .need()
           .means("stl: STL, text or binary; grid: HDF5 with a dataset `distance` of three dimensions (z, y, x) of the "
                  "distance at each node, negative in the region; relative to the deck's folder"),
       bind(Type::number, "scale", &Shape::scale)
           .only("style", {"stl"})
           .above(0)
           .means("length of the unit of the file"),
       bind(Type::number, "spacing", &Shape::spacing)
           .only("style", {"stl"})
           .from(0)
           .in("length")
           .derived("a quarter of the smallest cutoff")
           .means("of the grid that the distance to the surface is kept on")}};
}

Block<Wall> wallBlock() {
  return {
      {"wall", true, false, "name",
       "A solid that fluids do not enter. It is filled, as deep as forces reach, with frozen particles of the fluid's "
       "own density, cut from a fluid that is equilibrated before; `density` of a population is that of the fluid "
       "around the walls. Around a collision solvent it is empty: cells that its surface cuts get virtual particles "
       "for the collision, unless it slips."},
      {bind(Type::name, "name", &Wall::name).need().means("unique among the walls"),
       bind(Type::text, "solid", &Wall::solid)
           .need()
           .means("where it is: names of [[shape]] blocks with `not`, `and`, `or` and brackets, such as \"not tube or "
                  "ball\""),
       choice("method", &Wall::method, {"frozen", "effective"})
           .means(
               "what keeps the fluid's density up to the surface: particles of the fluid that are frozen in the solid; "
               "or, effective, the mean force of a solid full of them, by the distance from the surface"),
       choice("style", &Wall::style, {"bounce-back", "bounce-forward"})
           .means("what meets the surface has its velocity reversed (no slip), or the normal part of it (slip); "
                  "relative to the wall's"),
       bind(Type::number, "friction", &Wall::friction)
           .from(0)
           .in("1 / time")
           .only("style", {"bounce-back"})
           .orElseNot("found in a run before the first step, so that a flow in the bulk ends at the surface")
           .means("size of a drag towards the wall's velocity, which is strongest a cutoff from it and ends at 1.5: "
                  "makes up for what the fluid there carries less well than in the bulk"),
       bind(Type::number, "surface_friction", &Wall::surfaceFriction)
           .from(0)
           .only("style", {"bounce-back"})
           .means("factor of a drag within a cutoff of the surface that theory gives: of what friction of particles at "
                  "rest in the solid lacks. Less than 1 for fluids so stiff that these hold by repelling"),
       bind(Type::numbers, "velocity", &Wall::velocity)
           .in("length / time")
           .means("with which its surface moves, along itself"),
       bind(Type::numbers, "spin", &Wall::spin)
           .in("1 / time")
           .means("angular velocity with which it turns, of a shape that this leaves as it is"),
       bind(Type::numbers, "about", &Wall::about).in("length").means("a point on the axis of spin"),
       bind(Type::name, "species", &Wall::species)
           .means("of its frozen particles; interactions that do not name it are those of the first fluid")}};
}

}  // namespace mesowarp::input
