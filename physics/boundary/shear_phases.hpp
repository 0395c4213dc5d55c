// The phases of a sheared box (core/shear.hpp) beside its forces: which step its images are of, and what a step's
// motion is without the flow.
#pragma once

#include <map>
#include <memory>
#include <string>

#include "device/launch/sum_over.hpp"
#include "state/box_population.hpp"
#include "step/phase.hpp"

namespace mesowarp {

// First of a step's phases.
template <class P>
class PlaceImages final : public Phase {
public:
  explicit PlaceImages(BoxPopulation<P>& population) : Phase("place images", population), population_(population) {}
  std::vector<FieldUse> uses() const override { return {}; }
  bool repeatable() const override { return true; }
  void run(const PhaseStep& step) override { population_.imagesAt(step.step); }

private:
  BoxPopulation<P>& population_;
};

// Kinetic energy, momentum and kinetic stress of v - rate (y - L/2) e_flow: what temperature and pressure are of.
template <class P>
struct MotionInFlow {
  using Coord = typename P::Coord;
  using Real = typename P::Real;
  Shear shear;
  DeviceArray<PairPosition<Coord>> position;
  DeviceArray<PairVelocity<typename P::Store>> pairVelocity;  // species
  DeviceArray<Vec3<Real>> velocity;
  DeviceArray<Real> mass;
  SumGrid grid;
  double tick, edge;  // along the gradient

  KOKKOS_INLINE_FUNCTION void operator()(int i, ThermoSums& sums) const {
    const auto p = position(i);
    const auto v = velocity(i);
    const Coord y = Vec3<Coord>{p.x, p.y, p.z}[shear.gradient];
    // Beyond the lower face it is just below the range's end.
    const double height = static_cast<double>(y) * tick - (ShearFaces<Coord>::side(y) < 0 ? 2.5 * edge : 0.5 * edge);
    Vec3<double> w{static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
    w[shear.flow] -= shear.rate * height;
    const double m = static_cast<double>(mass(pairVelocity(i).species));
    sums.kinetic[0] += grid(m * w.x * w.x), sums.kinetic[1] += grid(m * w.y * w.y);
    sums.kinetic[2] += grid(m * w.z * w.z), sums.kinetic[3] += grid(m * w.x * w.y);
    sums.kinetic[4] += grid(m * w.x * w.z), sums.kinetic[5] += grid(m * w.y * w.z);
    sums.momentum[0] += grid(m * w.x), sums.momentum[1] += grid(m * w.y), sums.momentum[2] += grid(m * w.z);
  }
};

// Behind the closing of a step that is looked at: puts these in the place of what the integrator has summed.
template <class P>
class SumMotionInFlow final : public Phase {
public:
  SumMotionInFlow(BoxPopulation<P>& population, SumGrid grid)
      : Phase("motion in the flow", population), population_(population), grid_(grid) {}
  std::vector<FieldUse> uses() const override { return {{"position", FieldUse::reads}, {"velocity", FieldUse::reads}}; }
  bool repeatable() const override { return true; }
  void run(const PhaseStep& step) override {
    if (!step.sums) return;
    const Box& box = population_.settings().box;
    const auto& arrays = population_.arrays();
    Shear shear = population_.settings().shear;
    const int axis = shear.gradient;
    rate_ = shear.rate = population_.shearRateAt(step.step);
    const auto motion = backend::sumOver<ThermoSums>(
        "motion in the flow", population_.count(),
        MotionInFlow<P>{shear, arrays.position->current, arrays.velocity->current, population_.observedVelocity(),
                        population_.mass(), grid_, box.tick(axis, 8 * sizeof(typename P::Coord)), box.size[axis]});
    for (int c = 0; c < 6; ++c) step.sums->kinetic[c] = motion.kinetic[c];
    for (int c = 0; c < 3; ++c) step.sums->momentum[c] = motion.momentum[c];
  }
  void addQuantities(std::map<std::string, double>& all) const override { all["shear_rate"] = rate_; }

private:
  BoxPopulation<P>& population_;
  SumGrid grid_;
  double rate_ = 0.0;  // of the last step that was looked at
};

}  // namespace mesowarp
