// The CPU's sums over all bodies, for test_vector_loops.py.
#include "kernels/all_pairs/all_pairs.hpp"
#include "physics/nbody/gravity.hpp"
#include "physics/nbody/lj_coulomb.hpp"

namespace mesowarp::backend {

template struct PairsBlock<nbody::Gravity<float, false, false>, PlainSum>;
template struct PairsBlock<nbody::Gravity<float, true, false>, ModifiedNitadoriSum>;
template struct PairsBlock<nbody::Gravity<float, true, true, math::Portable>, FixedSum>;
template struct PairsBlock<nbody::Gravity<double, false, false, math::Portable>, FixedSum>;
template struct PairsBlock<nbody::LennardJonesCoulomb<float, false, nbody::Dielectric::constant>, PlainSum>;

}  // namespace mesowarp::backend
