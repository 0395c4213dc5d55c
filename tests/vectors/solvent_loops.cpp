// Stages of a CPU's pass over a collision solvent, for test_vector_loops.py.
#include "kernels/bricks/brick_pass.hpp"
#include "physics/mpcd/solvent_pass.hpp"

namespace mesowarp::backend {

template <class P, class Rule>
using Solvent = mpcd::SolventPass<P, Rule, false>;

template class BrickGroup<Solvent<SinglePrecision, mpcd::RotationRule<SinglePrecision, false>>, groupSize>;
template class BrickGroup<Solvent<SinglePrecision, mpcd::RotationRule<SinglePrecision, true>>, groupSize>;
template class BrickGroup<Solvent<SinglePrecision, mpcd::AndersenRule<SinglePrecision>>, groupSize>;
template class BrickGroup<Solvent<MixedPrecision, mpcd::RotationRule<MixedPrecision, false>>, groupSize>;
template class BrickGroup<Solvent<MixedPrecision, mpcd::RotationRule<MixedPrecision, true>>, groupSize>;
template class BrickGroup<Solvent<MixedPrecision, mpcd::AndersenRule<MixedPrecision>>, groupSize>;
template class BrickGroup<Solvent<DoublePrecision, mpcd::RotationRule<DoublePrecision, false>>, groupSize>;
template class BrickGroup<Solvent<DoublePrecision, mpcd::RotationRule<DoublePrecision, true>>, groupSize>;
template class BrickGroup<Solvent<DoublePrecision, mpcd::AndersenRule<DoublePrecision>>, groupSize>;

}  // namespace mesowarp::backend
