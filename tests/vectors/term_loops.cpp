// The CPU's loops over bonds, angles and dihedrals, for test_vector_loops.py as pair_loops.hpp has the pairs'.
#include "core/accumulators.hpp"
#include "kernels/terms/term_blocks_cpu.hpp"
#include "physics/bonded/bonds.hpp"
#include "physics/topology/angles.hpp"
#include "physics/topology/dihedrals.hpp"

namespace mesowarp::backend {

template class TermBlocks<BondKernel<SinglePrecision, PlainSum<float>, math::Hardware>>;
template class TermBlocks<BondKernel<SinglePrecision, FixedSum<float>, math::Portable>>;
template class TermBlocks<BondKernel<MixedPrecision, PlainSum<double>, math::Hardware>>;
template class TermBlocks<BondKernel<DoublePrecision, PlainSum<double>, math::Hardware>>;
template class TermBlocks<TermKernel<SinglePrecision, PlainSum<float>, AngleTerm<math::Hardware>>>;
template class TermBlocks<TermKernel<SinglePrecision, FixedSum<float>, AngleTerm<math::Portable>>>;
template class TermBlocks<TermKernel<MixedPrecision, PlainSum<double>, AngleTerm<math::Hardware>>>;
template class TermBlocks<TermKernel<DoublePrecision, PlainSum<double>, AngleTerm<math::Hardware>>>;
template class TermBlocks<TermKernel<SinglePrecision, PlainSum<float>, DihedralTerm<math::Hardware>>>;
template class TermBlocks<TermKernel<MixedPrecision, PlainSum<double>, DihedralTerm<math::Hardware>>>;
template class TermBlocks<TermKernel<DoublePrecision, FixedSum<double>, DihedralTerm<math::Portable>>>;

}  // namespace mesowarp::backend
