// [[species]]: grammar.
#include "input/schema.hpp"
#include "input/species.hpp"
#include "physics/fluid/deck/fluid_blocks.hpp"
#include "physics/fluid/deck/fluid_checks.hpp"

namespace mesowarp::fluid {

using namespace input;

Block<OwnItem> speciesBlock() {
  using Keys = SpeciesKeys;
  std::vector<Key<Keys>> fields{
      bind(Type::name, "name", &Keys::name).need().means("of the species, as populations have it"),
      bind(Type::number, "mass", &Keys::mass)
          .orElseNot("that of its population")
          .above(0)
          .in("mass")
          .means("of each of its particles, in whatever population, so that a chain may have beads of several masses"),
      bind(Type::boolean, "frozen", &Keys::frozen)
          .means("its particles keep their places and velocities (that of their population as a whole); others feel "
                 "them, they have no temperature and no degrees of freedom")};
  BlockInfo info{SpeciesKeys::block, true, false, "name",
                 "Properties of all particles of a species. Species without such a block have those of their "
                 "population."};
  info.owner = &fluidBlocks();
  return ownList<Keys>(std::move(info), std::move(fields));
}

}  // namespace mesowarp::fluid
