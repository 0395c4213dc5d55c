// Inflow and outflow of a box that is periodic along the flow: in a region across it particles get the velocities of a
// flow that comes from outside, whatever they had before. So what enters the region has flowed out, and what leaves it
// flows in; their number stays the same. (A fringe or buffer region: Nordstroem, Nordin & Henningson, SIAM J. Sci.
// Comput. 20 (1999) 1365, for flows; its kicks here are those of a Langevin thermostat that moves with the flow.)
//
// Between the closing and the opening of every so-manieth step, t between two of them,
//
//   v <- u(x) + c (v - u(x)) + sqrt((1 - c^2) k_BT / m) xi,  c = exp(-rate t),
//
// u = U (plug); U 6 s (1 - s), s from 0 to 1 between the walls of a slit; U 2 (1 - r^2 / R^2) in a tube.
#pragma once

#include <cmath>
#include <memory>
#include <vector>

#include "core/portable_math.hpp"
#include "core/random.hpp"
#include "device/host_copy.hpp"
#include "kernels/pairs/pair_traversal.hpp"
#include "physics/integrate/inflow_keys.hpp"
#include "physics/integrate/schedule.hpp"
#include "state/box_population.hpp"
#include "step/phase.hpp"

namespace mesowarp {

// Where a region is and how its fluid flows, in coordinates as positions are stored.
template <class Coord, class Real>
struct InflowRegion {
  InflowProfile profile;
  int along, across;
  Coord from, width;      // along the flow
  Coord lower, gap;       // slit
  Coord center[3];        // tube
  Real tick[3];           // tube: of a coordinate, in radii
  Real perGap, velocity;  // 1 / gap

  static InflowRegion of(const InflowKeys& keys, const Box& box) {
    constexpr int up = 64 - 8 * static_cast<int>(sizeof(Coord));
    const auto place = [&](int axis, double x) { return static_cast<Coord>(toFixed(box, axis, x) >> up); };
    InflowRegion r{};
    r.profile = keys.profile, r.along = keys.along, r.across = keys.across;
    r.from = place(keys.along, keys.from), r.width = static_cast<Coord>(place(keys.along, keys.to) - r.from);
    r.velocity = Real(keys.velocity);
    if (keys.profile == InflowProfile::slit) {
      r.lower = place(keys.across, keys.lower), r.gap = static_cast<Coord>(place(keys.across, keys.upper) - r.lower);
      if (r.gap == 0) r.gap = static_cast<Coord>(~Coord{0});  // from face to face
      r.perGap = Real(1.0 / static_cast<double>(r.gap));
    }
    for (int axis = 0; axis < 3 && keys.profile == InflowProfile::tube; ++axis) {
      r.center[axis] = place(axis, keys.center[static_cast<std::size_t>(axis)]);
      r.tick[axis] = Real(box.tick(axis, 8 * sizeof(Coord)) / keys.radius);
    }
    return r;
  }

  // False: not in the region. speed: of the flow there.
  KOKKOS_INLINE_FUNCTION bool flows(const Coord (&x)[3], Real& speed) const {
    if (static_cast<Coord>(x[along] - from) >= width) return false;
    speed = velocity;
    if (profile == InflowProfile::slit) {
      const Coord height = static_cast<Coord>(x[across] - lower);
      if (height >= gap) return false;
      const Real s = static_cast<Real>(height) * perGap;
      speed = velocity * Real(6) * (s * (Real(1) - s));
    } else if (profile == InflowProfile::tube) {
      Real square = 0;
      for (int axis = 0; axis < 3; ++axis) {
        if (axis == along) continue;
        const Real d = math::fromInteger<Real>(static_cast<Signed<Coord>>(static_cast<Coord>(x[axis] - center[axis]))) *
                       tick[axis];
        square = math::fusedMultiplyAdd(d, d, square);
      }
      if (square >= Real(1)) return false;
      speed = velocity * Real(2) * (Real(1) - square);
    }
    return true;
  }
};

template <class P>
struct InflowKick {
  using Real = typename P::Real;
  using Coord = typename P::Coord;
  InflowRegion<Coord, Real> region;
  DeviceArray<PairPosition<Coord>> position;
  DeviceArray<PairVelocity<typename P::Store>> pairVelocity;  // species
  DeviceArray<Vec3<Real>> velocity;
  DeviceArray<u32> tag;
  DeviceArray<Real> kick;  // of a species: sqrt((1 - c^2) k_BT / m); negative: it is frozen
  Real keeps;              // c
  StepKey key;
  StepGuard guard;

  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    if (backend::onGpu && guard.stops()) return;
    const auto place = position(i);
    const Coord x[3] = {place.x, place.y, place.z};
    Real speed = 0;
    if (!region.flows(x, speed)) return;
    const Real width = kick(pairVelocity(i).species);
    if (width < Real(0)) return;
    Vec3<Real> v = velocity(i);
    v[region.along] -= speed;
    for (int axis = 0; axis < 3; ++axis) {
      u32 v0 = reverseBits(tag(i)) ^ key.first, v1 = key.second + static_cast<u32>(axis) * 0x9E3779B9u;
      tea<16>(v0, v1);
      v[axis] = math::fusedMultiplyAdd(keeps, v[axis], width * gaussian<Real, math::Portable>(Words{v0, v1}));
    }
    v[region.along] += speed;
    velocity(i) = v;
  }
};

template <class P>
class InflowPhase final : public Phase {
public:
  using Real = typename P::Real;
  // schedule: null: nothing changes with the step.
  InflowPhase(BoxPopulation<P>& population, const input::Deck& deck, const InflowKeys& keys, std::size_t k,
              std::shared_ptr<Schedule> schedule = nullptr)
      : Phase(inflowPhase(k), population), population_(population), number_(k), every_(keys.every),
        seed_(deck.run.seed), region_(InflowRegion<typename P::Coord, Real>::of(keys, population.settings().box)),
        schedule_(std::move(schedule)) {
    const double keeps = std::exp(-keys.rate * deck.run.timestep * static_cast<double>(keys.every));
    const BoxSettings& settings = population.settings();
    std::vector<Real> kick;
    for (std::size_t s = 0; s < deck.species.size(); ++s)
      kick.push_back(!settings.frozen.empty() && settings.frozen[s]
                         ? Real(-1)
                         : Real(std::sqrt((1.0 - keeps * keeps) * keys.temperature / settings.masses[s])));
    keeps_ = Real(keeps), kick_ = toDevice<Real>("kicks of an inflow", kick);
  }
  std::vector<FieldUse> uses() const override {
    return {{"position", FieldUse::reads}, {"tag", FieldUse::reads}, {"velocity", FieldUse::writes}};
  }
  bool due(i64 step) const override { return step > 0 && step % every_ == 0; }
  bool repeatable() const override { return true; }
  bool between() const override { return true; }
  void run(const PhaseStep& step) override {
    const auto& arrays = population_.arrays();
    if (schedule_) region_.velocity = Real(inflowsOf(schedule_->at(step.step)).at(number_).velocity);
    // Several regions have keys of their own.
    const StepKey key = stepKey(seed_ + 0x9E3779B97F4A7C15u * number_, Stream::inflow, step.step);
    Kokkos::parallel_for("inflow", Range(0, arrays.count),
                         InflowKick<P>{region_, arrays.position->current, arrays.velocity->current,
                                       population_.observedVelocity(), arrays.tag->current, kick_, keeps_, key,
                                       step.guard});
  }

private:
  BoxPopulation<P>& population_;
  std::size_t number_;
  i64 every_;
  u64 seed_;
  InflowRegion<typename P::Coord, Real> region_;
  std::shared_ptr<Schedule> schedule_;
  Real keeps_;
  DeviceArray<Real> kick_;
};

}  // namespace mesowarp
