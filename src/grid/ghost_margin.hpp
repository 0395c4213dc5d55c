// Whether a particle's partner may be out of its rank's sight by the next build of the list: known a build ahead, so
// that nobody has to wait for the answer.
//
// Ghosts are there within a cell's width of a face. From a build to the next a particle moves by no more than skin / 2
// and what a step is late, which is the margin here; partners, which are held together, by no more than that from each
// other. So a partner may get lost that is further than the width, less the margin, beyond a face of this part; or that
// much further inside than a particle within the margin of a face, which may be another rank's by then. Along the flow
// of a sheared box both move by more than that, but together: there the distance between them counts.
//
// Where cells have been made wider than need be, the same is asked of narrow ones, for when they will do again.
#pragma once

#include <array>

#include "core/box.hpp"
#include "core/domain.hpp"
#include "core/types.hpp"

namespace mesowarp {

class GhostMargin {
public:
  GhostMargin() = default;  // nobody gets lost
  // Of partners: what may be so of them by the next build. Bits.
  static constexpr int fine = 0, beyondNarrow = 1, lost = 2;

  // width: of cells, so far ghosts reach; narrow: as they would be again. Like margin lengths. flow: the axis along
  // which a sheared box flows; -1: none does.
  GhostMargin(const Box& box, const Domain& domain, const std::array<double, 3>& width,
              const std::array<double, 3>& narrow, double margin, int flow)
      : part_(domain), flow_(flow), gradient_(domain.sheared) {
    for (int axis = 0; axis < 3; ++axis) {
      const double tick = box.tick(axis, 32);
      cut_[axis] = domain.ranks[axis] > 1;
      const auto a = static_cast<std::size_t>(axis);
      width_[axis] = static_cast<i64>(width[a] / tick), narrow_[axis] = static_cast<i64>(narrow[a] / tick);
      margin_[axis] = static_cast<i64>(margin / tick);
    }
  }

  // Leading 32 bits of a particle of this part. False: it misses nobody but across a whole cell.
  KOKKOS_INLINE_FUNCTION bool near(const u32 (&at)[3]) const {
    bool is = false;
    for (int axis = 0; axis < 3; ++axis) {
      const i64 own = inside(axis, at[axis]);
      is = is || (cut_[axis] && (own < width_[axis] || part_.width[axis] - own < width_[axis]));
    }
    return is;
  }
  // partner: it is here or a ghost.
  KOKKOS_INLINE_FUNCTION int operator()(const u32 (&at)[3], const u32 (&partner)[3]) const {
    int found = fine;
    for (int axis = 0; axis < 3; ++axis) {
      if (!cut_[axis]) continue;
      if (leaves(axis, at, partner, narrow_[axis] - margin_[axis])) found |= beyondNarrow;
      if (leaves(axis, at, partner, width_[axis] - margin_[axis])) found |= lost;
    }
    return found;
  }

private:
  KOKKOS_INLINE_FUNCTION i64 way(int axis, u32 from, u32 to) const {
    const u32 range = part_.range[axis], d = (to - from) & range;
    return d > range / 2 ? i64{d} - i64{range} - 1 : i64{d};
  }
  KOKKOS_INLINE_FUNCTION i64 inside(int axis, u32 at) const { return (at - part_.low[axis]) & part_.range[axis]; }
  KOKKOS_INLINE_FUNCTION bool leaves(int axis, const u32 (&at)[3], const u32 (&partner)[3], i64 most) const {
    const i64 to = way(axis, at[axis], partner[axis]);
    if (to <= most && -to <= most) return false;
    if (axis == flow_) return seenWhereStored(at, partner);
    const i64 own = inside(axis, at[axis]), rest = i64{part_.width[axis]} - own;
    return -to - own > most || to - rest > most || (own < margin_[axis] && to > most) ||
           (rest < margin_[axis] && -to > most);
  }
  // Who is stored at the other side of a sheared face is seen elsewhere.
  KOKKOS_INLINE_FUNCTION bool seenWhereStored(const u32 (&at)[3], const u32 (&partner)[3]) const {
    return static_cast<i32>(partner[gradient_] - at[gradient_]) == way(gradient_, at[gradient_], partner[gradient_]);
  }

  DomainBounds part_;
  bool cut_[3] = {};
  i64 width_[3] = {}, narrow_[3] = {}, margin_[3] = {};  // ticks of the leading 32 bits
  int flow_ = -1, gradient_ = -1;
};

}  // namespace mesowarp
