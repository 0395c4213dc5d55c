// sumRow(): one particle's row of pair forces, in the way of this backend.
#pragma once

#include "backend/config.hpp"
#ifdef KOKKOS_ENABLE_CUDA
#include "backend/pair_row_gpu.hpp"
#else
#include "backend/pair_row_cpu.hpp"

namespace mesowarp::backend {

template <class P, class Force, bool OneSpecies, bool Observe>
PairSum<typename P::Real, Observe> sumRow(const PairState<P>& state, const PairTable<Force>& pairs, int i) {
  return sumRowVectorised<P, Force, OneSpecies, Observe>(state, pairs, i);
}

}  // namespace mesowarp::backend
#endif
