// Stages of a CPU's pass over a collision solvent, for test_vector_loops.py.
#include "kernels/bricks/brick_pass.hpp"
#include "physics/mpcd/angular/angular_rules.hpp"
#include "physics/mpcd/boundary/solid_boundary.hpp"
#include "physics/mpcd/solvent_pass.hpp"

namespace mesowarp {

// With nothing in its way, and driven between walls.
#define MESOWARP_SOLVENT_LOOPS(P, ...)                                                                                 \
  template class backend::BrickGroup<mpcd::SolventPass<P, __VA_ARGS__, false>, backend::groupSize>;                    \
  template class backend::BrickGroup<mpcd::SolventPass<P, __VA_ARGS__, true, mpcd::SolidBoundary<P>>,                  \
                                     backend::groupSize>;                                                              \
  template class mpcd::RecordGroup<__VA_ARGS__, 64>;
#define MESOWARP_SOLVENT_LOOPS_OF(P)                                                                                   \
  MESOWARP_SOLVENT_LOOPS(P, mpcd::RotationRule<P, false>)                                                              \
  MESOWARP_SOLVENT_LOOPS(P, mpcd::RotationRule<P, true>)                                                               \
  MESOWARP_SOLVENT_LOOPS(P, mpcd::AndersenRule<P>)

// Which keep angular momentum.
#define MESOWARP_ANGULAR_LOOPS(P, Rule)                                                                                \
  template class backend::BrickGroup<mpcd::SolventPass<P, mpcd::Rule<P>, true>, backend::groupSize>;                   \
  template class backend::BrickGroup<mpcd::SolventPass<P, mpcd::Rule<P>, true, mpcd::SolidBoundary<P>>,                \
                                     backend::groupSize>;

MESOWARP_SOLVENT_LOOPS_OF(SinglePrecision)
MESOWARP_SOLVENT_LOOPS_OF(MixedPrecision)
MESOWARP_SOLVENT_LOOPS_OF(DoublePrecision)
MESOWARP_ANGULAR_LOOPS(SinglePrecision, AngularRotationRule)
MESOWARP_ANGULAR_LOOPS(SinglePrecision, AngularAndersenRule)
MESOWARP_ANGULAR_LOOPS(MixedPrecision, AngularRotationRule)
MESOWARP_ANGULAR_LOOPS(MixedPrecision, AngularAndersenRule)
MESOWARP_ANGULAR_LOOPS(DoublePrecision, AngularRotationRule)
MESOWARP_ANGULAR_LOOPS(DoublePrecision, AngularAndersenRule)

}  // namespace mesowarp
