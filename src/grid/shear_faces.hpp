// Images of a sheared box (shear.hpp) in coordinates: how far they have gone, and what a particle is as one of them.
#pragma once

#include <cmath>
#include <functional>

#include "core/images.hpp"
#include "core/shear.hpp"
#include "core/types.hpp"

namespace mesowarp {

// Delta of a step in units of 2^-64 of the box along the flow: a whole number, the same on every machine and after any
// restart. A step adds a whole number of units too, so the speed is U to within one part in 2^53. Where the rate
// changes with the step, the units of all steps are added up, from the last step that was asked for on.
class ShearOffset {
public:
  __extension__ typedef __int128 Units;           // 64 bits of whole boxes, 64 of a fraction
  using Boxes = std::function<double(i64 step)>;  // that images go from this step to the next

  ShearOffset() = default;
  explicit ShearOffset(double boxesPerStep) : perStep_(unitsOf(boxesPerStep)) {}
  explicit ShearOffset(Boxes changing) : changing_(std::move(changing)) {}
  Units at(i64 step) const {
    if (!changing_) return base_ + perStep_ * (step - baseStep_);
    for (; baseStep_ < step; ++baseStep_) base_ += unitsOf(changing_(baseStep_));
    for (; baseStep_ > step; --baseStep_) base_ -= unitsOf(changing_(baseStep_ - 1));
    return base_;
  }
  // From one step to a later one, in boxes.
  double between(i64 from, i64 to) const { return std::ldexp(static_cast<double>(at(to) - at(from)), -64); }
  // From now on it is counted from this step.
  void restore(Units units, i64 step) { base_ = units, baseStep_ = step; }

private:
  static Units unitsOf(double boxes) { return static_cast<Units>(std::ldexp(boxes, 64)); }
  Units perStep_ = 0;
  Boxes changing_;
  mutable Units base_ = 0;
  mutable i64 baseStep_ = 0;
};

// Of one step, for kernels.
template <class Coord>
struct ShearFaces {
  static constexpr int bits = 8 * sizeof(Coord);
  static constexpr Coord top = Coord{1} << (bits - 1);
  bool on = false;
  int flow = 0, gradient = 1;
  Coord offset = 0;    // Delta modulo the box
  i32 boxes = 0;       // and whole boxes of it
  double speed = 0.0;  // U

  static ShearFaces of(const Shear& shear, double speed, ShearOffset::Units delta) {
    const auto fraction = static_cast<u64>(delta);
    return {shear.on,
            shear.flow,
            shear.gradient,
            static_cast<Coord>(fraction >> (64 - bits)),
            static_cast<i32>(delta >> 64),
            speed};
  }

  // Where a coordinate along the gradient is: 0 in the box, 1 above, -1 below, by less than half a box.
  KOKKOS_INLINE_FUNCTION static int side(Coord c) { return (c & top) == 0 ? 0 : (c & (top >> 1)) == 0 ? 1 : -1; }
  // Moves to the image above (1) or below (-1).
  KOKKOS_INLINE_FUNCTION Vec3<Coord> image(Vec3<Coord> at, int way) const {
    at[flow] += way > 0 ? offset : Coord{0} - offset;
    at[gradient] ^= top;
    return at;
  }
  // Of a position that may be beyond a face.
  KOKKOS_INLINE_FUNCTION Vec3<Coord> inBox(const Vec3<Coord>& at) const {
    const int was = side(at[gradient]);
    return was == 0 ? at : image(at, -was);
  }
  // What becomes of the numbers of box crossings when a particle beyond a face goes back into the box.
  KOKKOS_INLINE_FUNCTION void countFace(Vec3<i32>& crossed, Coord before, Coord after, int side) const {
    crossed[gradient] += side;
    crossed[flow] -= side > 0 ? boxes + (after > before ? 1 : 0) : -(boxes + (after < before ? 1 : 0));
  }
  // A position that may be beyond a face, as in the box; returns where it was.
  KOKKOS_INLINE_FUNCTION int putBack(Vec3<Coord>& at, Vec3<i32>& crossed) const {
    const int was = side(at[gradient]);
    if (was == 0) return 0;
    const Coord before = at[flow];
    at = image(at, -was);
    countFace(crossed, before, at[flow], was);
    return was;
  }
};

}  // namespace mesowarp
