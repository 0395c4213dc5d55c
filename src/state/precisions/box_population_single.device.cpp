#include "state/box_population_build.hpp"
#include "state/box_population_checkpoint.hpp"
#include "state/box_population_hash.hpp"
#include "state/box_population_output.hpp"
#include "state/box_population_ranks.hpp"
#include "state/box_population_shear.hpp"
#include "state/lengths/box_population_lengths.hpp"

namespace mesowarp {

template class BoxPopulation<SinglePrecision>;

}  // namespace mesowarp
