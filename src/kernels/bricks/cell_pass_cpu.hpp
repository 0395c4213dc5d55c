// The pass over cells on a CPU, in their order. A body that says how many it takes at once gets as many, to do in
// vectors (physics/mpcd/record_group.hpp).
#pragma once

#include <algorithm>

#include "device/launch/peer_flags.hpp"
#include "kernels/bricks/brick_sums.hpp"
#include "kernels/bricks/cell_body.hpp"

namespace mesowarp::backend {

template <class Body>
concept TakesCellsAtOnce = requires {
  requires Body::atOnce >
  1;
};

// A thread's share of them.
template <int Sums, class Body>
struct BodyOfCells {
  PlainSums<Sums> sums;
  Body body;
  BrickGrid grid;
  InnerCells inner;
  CellPart part;
  int threads;
  void operator()(int thread) const {
    const i64 groups = (grid.cellsInAll() + Body::atOnce - 1) / Body::atOnce;
    typename Body::Group group;
    for (i64 j = groups * thread / threads; j < groups * (thread + 1) / threads; ++j) {
      const int first = static_cast<int>(j) * Body::atOnce, end = std::min(first + Body::atOnce, grid.cellsInAll());
      for (int cell = first; cell < end; ++cell) {
        if (part != CellPart::all && inner.has(grid, cell) != (part == CellPart::inner)) continue;
        u64 own[Sums];
        sums.take(cell, own);
        body.take(group, cell, own);
      }
      if (group.size() > 0) body.finish(group);
    }
  }
};

template <class Words, class Join, class Body>
void runCellPass(const char* label, const BrickGrid& grid, const GridShift& /*shift*/, const SumsInMemory<Words>& sums,
                 const Join& /*join*/, const Body& body, const CellParts& parts, CellPart part,
                 const BrickFill& /*fill*/, const AwaitFlags& /*signals*/ = {}) {
  if constexpr (TakesCellsAtOnce<Body>) {
    const int threads = Execution().concurrency();
    Kokkos::parallel_for(label, Range(0, threads),
                         BodyOfCells<Words::sums, Body>{{sums.data()}, body, grid, parts.inner(), part, threads});
  } else {
    Kokkos::parallel_for(label, Range(0, grid.cellsInAll()),
                         BodyOfCell<Words::sums, Body>{{sums.data()}, body, grid, parts.inner(), part});
  }
}

}  // namespace mesowarp::backend
