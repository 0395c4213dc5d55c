// The fine-grained stencil (DPD paper, section 3.3.1, Figure 6): for each cell the particles of the cells around it,
// its own included. Cells of the coarse stencil come in Morton order, and so do particles: the indices rise strictly.
// One scan says where each cell's part begins, so there is no capacity to exceed.
#pragma once

#include "grid/cells.hpp"

namespace mesowarp::backend {

// Where each cell's part begins; runs for cells + 1 indices. Cells without particles have none.
struct StencilStarts {
  Kokkos::View<int* [maxStencil], Kokkos::LayoutRight, Memory> stencil;
  DeviceArray<int> stencilSize, start;
  DeviceArray<i64> begin;
  int cells;

  KOKKOS_INLINE_FUNCTION void operator()(int cell, i64& sum, bool last) const {
    if (last) begin(cell) = sum;
    if (cell == cells || start(cell) == start(cell + 1)) return;
    for (int s = 0; s < stencilSize(cell); ++s) {
      const int other = stencil(cell, s);
      sum += start(other + 1) - start(other);
    }
  }
};

// One warp for each cell: lane s looks up the s-th cell around it, then eight lanes each write the particles of one.
struct ExpandStencil {
  static constexpr int warps = 4, share = 8;
  static constexpr unsigned whole = 0xFFFFFFFFu;
  using Policy = Kokkos::TeamPolicy<Execution, Kokkos::LaunchBounds<32 * warps, 8>, LightWeight>;
  using Team = Policy::member_type;
  StencilStarts cellsAround;
  DeviceArray<int> particle;

  __device__ void operator()(const Team& team) const {
    const int cell = team.league_rank() * warps + team.team_rank() / 32, lane = team.team_rank() % 32;
    if (cell >= cellsAround.cells || cellsAround.start(cell) == cellsAround.start(cell + 1)) return;
    const int size = cellsAround.stencilSize(cell);
    int first = 0, count = 0;
    if (lane < size) {
      const int other = cellsAround.stencil(cell, lane);
      first = cellsAround.start(other);
      count = cellsAround.start(other + 1) - first;
    }
    int end = count;  // inclusive scan over the warp
    for (int d = 1; d < 32; d *= 2) {
      const int before = __shfl_up_sync(whole, end, d);
      if (lane >= d) end += before;
    }
    int* to = particle.data() + cellsAround.begin(cell);
    for (int base = 0; base < size; base += 32 / share) {
      const int s = base + lane / share;  // at most 27, where lanes have no particles
      const int from = __shfl_sync(whole, first, s), n = __shfl_sync(whole, count, s),
                at = __shfl_sync(whole, end, s) - n;
      for (int k = lane % share; k < n; k += share) to[at + k] = from + k;
    }
  }
};

class FineStencil {
public:
  // From the grid's boundaries. Never too small: a particle is in the stencils of the cells around its own.
  void expand(const CellGrid& grid, int particles) {
    std::size_t most = static_cast<std::size_t>(particles);
    for (const int n : grid.dims()) most *= n < 3 ? n : 3;
    const auto cells = static_cast<std::size_t>(grid.cells());
    if (begin_.extent(0) != cells + 1) begin_ = DeviceArray<i64>("fine stencil begin", cells + 1);
    if (particle_.extent(0) != most)
      particle_ = DeviceArray<int>(Kokkos::view_alloc("fine stencil", Kokkos::WithoutInitializing), most);
    const StencilStarts starts{grid.stencil(), grid.stencilSize(), grid.start(), begin_, grid.cells()};
    Kokkos::parallel_scan("neighbor stencil, starts", Range(0, grid.cells() + 1), starts);
    constexpr int warps = ExpandStencil::warps;
    Kokkos::parallel_for("neighbor stencil", ExpandStencil::Policy((grid.cells() + warps - 1) / warps, 32 * warps),
                         ExpandStencil{starts, particle_});
  }

  const DeviceArray<i64>& begin() const { return begin_; }  // of each cell's part; [cells + 1]
  const DeviceArray<int>& particle() const { return particle_; }

private:
  DeviceArray<i64> begin_;
  DeviceArray<int> particle_;
};

}  // namespace mesowarp::backend
