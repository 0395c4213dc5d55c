// A shear rate that changes with the step ([[schedule]] of shear.rate). From step k to k + 1 the flow is that of
// rate(k): images go rate(k) L dt further, and between the closing and the opening of step k all particles get the
// difference to the flow before,
//
//   v += (rate(k) - rate(k - 1)) (y - L/2) e_flow,
//
// as in the SLLOD equations, so that the flow changes everywhere at once and not from the faces inwards; what a
// particle beyond a face has and what its image in the box has stay the same thing.
#pragma once

#include <map>
#include <string>

#include "core/math.hpp"
#include "kernels/pairs/pair_traversal.hpp"
#include "state/box_population.hpp"
#include "step/phase.hpp"

namespace mesowarp {

template <class P>
struct ChangeFlow {
  using Coord = typename P::Coord;
  using Real = typename P::Real;
  int flow, gradient;
  Real change;        // of the rate
  double tick, edge;  // along the gradient
  DeviceArray<PairPosition<Coord>> position;
  DeviceArray<Vec3<Real>> velocity;
  StepGuard guard;

  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    if (backend::onGpu && guard.stops()) return;
    const auto p = position(i);
    const Coord y = Vec3<Coord>{p.x, p.y, p.z}[gradient];
    const double side =
        ShearFaces<Coord>::side(y) < 0 ? -2.5 : -0.5;  // beyond the lower face, just below the range's end
    const double height = math::fusedMultiplyAdd(side, edge, static_cast<double>(y) * tick);
    Vec3<Real> v = velocity(i);
    v[flow] = math::fusedMultiplyAdd(change, Real(height), v[flow]);
    velocity(i) = v;
  }
};

template <class P>
class ChangeFlowPhase final : public Phase {
public:
  static constexpr const char* phaseName = "change of the flow";
  explicit ChangeFlowPhase(BoxPopulation<P>& population) : Phase(phaseName, population), population_(population) {}
  std::vector<FieldUse> uses() const override {
    return {{"position", FieldUse::reads}, {"velocity", FieldUse::writes}};
  }
  bool due(i64 step) const override { return step > 0 && change(step) != 0.0; }
  bool repeatable() const override { return true; }
  bool between() const override { return true; }
  void run(const PhaseStep& step) override {
    const Shear& shear = population_.settings().shear;
    const Box& box = population_.settings().box;
    const auto& arrays = population_.arrays();
    Kokkos::parallel_for(phaseName, Range(0, arrays.count),
                         ChangeFlow<P>{shear.flow, shear.gradient, static_cast<typename P::Real>(change(step.step)),
                                       box.tick(shear.gradient, 8 * sizeof(typename P::Coord)),
                                       box.size[shear.gradient], arrays.position->current,
                                       population_.observedVelocity(), step.guard});
  }

private:
  double change(i64 step) const { return population_.shearRateAt(step) - population_.shearRateAt(step - 1); }
  BoxPopulation<P>& population_;
};

}  // namespace mesowarp
