#include "physics/nbody/integrate/block_steps.hpp"

#include "device/memory/zeroed.hpp"
#include "physics/nbody/integrate/hermite.hpp"

namespace mesowarp::nbody {
namespace {

// The largest power of two of ticks, at most `most`, that is no longer than `length`.
KOKKOS_INLINE_FUNCTION i64 ticksBelow(double length, double tick, i64 most) {
  i64 ticks = most;
  while (ticks > 1 && !(static_cast<double>(ticks) * tick <= length)) ticks /= 2;
  return ticks;
}

struct FirstSteps {
  Vectors a, j;
  DeviceArray<i64> ticks;
  double eta, tick;
  i64 most;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    const double length = firstStep(a(i), j(i), eta);
    ticks(i) = length > 0.0 ? ticksBelow(length, tick, most) : most;  // nothing varies: 0 / 0
  }
};

struct EndOf {
  DeviceArray<i64> time, ticks;
  KOKKOS_INLINE_FUNCTION void operator()(int i, i64& earliest) const {
    const i64 end = time(i) + ticks(i);
    if (end < earliest) earliest = end;
  }
};

struct ListActive {
  DeviceArray<i64> time, ticks;
  DeviceArray<int> active;
  i64 now;
  KOKKOS_INLINE_FUNCTION void operator()(int i, int& place, bool final) const {
    if (time(i) + ticks(i) != now) return;
    if (final) active(place) = i;
    ++place;
  }
};

struct Predict {
  Vectors x, v, a, j, toX, toV;
  DeviceArray<i64> time;
  double tick;
  i64 now;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    predict({x(i), v(i), a(i), j(i)}, static_cast<double>(now - time(i)) * tick, toX(i), toV(i));
  }
};

// Corrects the predicted place of the k-th active body; the last time, the body moves there and gets its next step.
struct Correct {
  Vectors x, v, a, j, toX, toV;
  DeviceArray<i64> time, ticks;
  DeviceArray<int> active;
  DeviceArray<backend::BodySums> sums;
  double eta, tick;
  i64 now, whole;
  bool last;
  KOKKOS_INLINE_FUNCTION void operator()(int k) const {
    const int i = active(k);
    const double* s = sums(k).value;
    const Motion4 from{x(i), v(i), a(i), j(i)};
    const Vector newA{s[0], s[1], s[2]}, newJ{s[3], s[4], s[5]};
    const double h = static_cast<double>(ticks(i)) * tick;
    correct(from, h, newA, newJ, toX(i), toV(i));
    if (!last) return;
    const double length = aarsethStep(from, h, newA, newJ, eta);
    i64 step = ticks(i);
    if (!(length >= static_cast<double>(step) * tick) && length == length)
      step = ticksBelow(length, tick, step);
    else if (length == length && length >= 2.0 * static_cast<double>(step) * tick && 2 * step <= whole &&
             now % (2 * step) == 0)
      step *= 2;
    x(i) = toX(i), v(i) = toV(i), a(i) = newA, j(i) = newJ;
    time(i) = now, ticks(i) = step;
  }
};

}  // namespace

BlockSteps::BlockSteps(const SchemeKeys& how, double timestep, int count)
    : how_(how), tick_(std::ldexp(timestep, -how.levels)), whole_(i64{1} << how.levels), time_("body times", count),
      position_("predicted position", count), velocity_("predicted velocity", count), active_("active bodies", count) {}

void BlockSteps::start(BodyState& state) {
  Kokkos::parallel_for("first block steps", Range(0, state.count()),
                       FirstSteps{state.acceleration, state.jerk, state.ticks, how_.accuracy, tick_, whole_});
}

i64 BlockSteps::earliestEnd(const BodyState& state) const {
  i64 earliest = 0;
  Kokkos::parallel_reduce("earliest step", Range(0, state.count()), EndOf{time_, state.ticks},
                          Kokkos::Min<i64>(earliest));
  const auto* ranks = state.share.ranks();
  return ranks ? static_cast<i64>(ranks->smallest(static_cast<u64>(earliest))) : earliest;
}

int BlockSteps::listActive(const BodyState& state, i64 now) {
  int count = 0;
  Kokkos::parallel_scan("active bodies", Range(0, state.count()), ListActive{time_, state.ticks, active_, now}, count);
  return count;
}

void BlockSteps::advance(BodyState& state, BodyForce& force, const DeviceArray<backend::BodySums>& sums) {
  const BodyView& b = state.bodies;
  const BodyView predicted{position_, velocity_, b.mass, b.charge, b.type};
  clearOn(Execution(), time_);
  for (i64 now = 0; now < whole_;) {
    now = earliestEnd(state);
    const int count = listActive(state, now);
    Kokkos::parallel_for(
        "predict bodies", Range(0, state.count()),
        Predict{b.position, b.velocity, state.acceleration, state.jerk, position_, velocity_, time_, tick_, now});
    for (int c = 0; c < how_.corrections; ++c) {
      force.evaluate(predicted, state.exclusions, {active_, count}, sums);
      Kokkos::parallel_for("correct bodies", Range(0, count),
                           Correct{b.position, b.velocity, state.acceleration, state.jerk, position_, velocity_, time_,
                                   state.ticks, active_, sums, how_.accuracy, tick_, now, whole_,
                                   c + 1 == how_.corrections});
    }
  }
}

std::size_t BlockSteps::bytes() const {
  return time_.extent(0) * sizeof(i64) + (position_.extent(0) + velocity_.extent(0)) * sizeof(Vec3<double>) +
         active_.extent(0) * sizeof(int);
}

}  // namespace mesowarp::nbody
