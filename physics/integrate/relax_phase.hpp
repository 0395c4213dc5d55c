// Steps of a relaxation: each particle goes down its force, and never farther than a given length. Between the closing
// and the opening of a step velocity and force become those of the displacement: a velocity against the force is
// dropped (the "quick" minimization of Sheppard, Terrell & Henkelman, J. Chem. Phys. 128, 134106 (2008), for each
// particle by itself), and the one that half a kick gives is cut (LAMMPS: fix nve/limit). Particles that lie on each
// other, where a force is no number, part in a direction drawn by their tags.
#pragma once

#include "input/deck.hpp"
#include "kernels/pairs/pair_traversal.hpp"
#include "kernels/with_normals.hpp"
#include "physics/integrate/relaxation_keys.hpp"
#include "state/box_population.hpp"
#include "step/phase.hpp"

namespace mesowarp {

template <class P>
struct LimitStep {
  using Real = typename P::Real;
  DeviceArray<PairVelocity<typename P::Store>> pairVelocity;  // species
  DeviceArray<Vec3<Real>> velocity, force;
  DeviceArray<Real> inverseMass;
  DeviceArray<u32> tag;
  Real half, fastest;  // dt / 2; largest displacement / dt
  StepKey key;
  StepGuard guard;

  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    using math::fusedMultiplyAdd;
    if (backend::onGpu && guard.stops()) return;
    const Real perMass = inverseMass(pairVelocity(i).species);
    if (!(perMass > Real(0))) return;  // frozen
    Vec3<Real> v = velocity(i);
    const Vec3<Real> f = force(i);
    if (!(square(v, f) > Real(0))) v = {};
    for (int c = 0; c < 3; ++c) v[c] = fusedMultiplyAdd(half * perMass, f[c], v[c]);
    const Real size2 = square(v, v);
    if (!(size2 < Real(1e30)))
      v = drawn(tag(i));
    else if (size2 > fastest * fastest) {
      const Real scale = fastest * math::Portable::inverseSquareRoot(size2);  // the same bits on every machine
      for (int c = 0; c < 3; ++c) v[c] *= scale;
    }
    velocity(i) = v;
    force(i) = {};
  }
  KOKKOS_INLINE_FUNCTION static Real square(const Vec3<Real>& a, const Vec3<Real>& b) {
    using math::fusedMultiplyAdd;
    return fusedMultiplyAdd(a.x, b.x, fusedMultiplyAdd(a.y, b.y, a.z * b.z));
  }
  // Each component within a half of what is allowed.
  KOKKOS_INLINE_FUNCTION Vec3<Real> drawn(u32 number) const {
    Vec3<Real> v;
    for (int c = 0; c < 3; ++c)
      v[c] = fastest * (math::unitOpen<Real>(backend::axisWords(number, key, c).first) - Real(0.5));
    return v;
  }
};

template <class P>
class RelaxPhase final : public Phase {
public:
  using Real = typename P::Real;
  RelaxPhase(BoxPopulation<P>& population, const input::Deck& deck)
      : Phase("relaxation", population), population_(population), keys_(deck.own.get<RelaxationKeys>()),
        timestep_(deck.run.timestep), seed_(deck.run.seed) {}
  std::vector<FieldUse> uses() const override {
    return {{"tag", FieldUse::reads}, {"velocity", FieldUse::writes}, {"force", FieldUse::writes}};
  }
  bool repeatable() const override { return true; }
  bool between() const override { return true; }
  void run(const PhaseStep& step) override {
    const auto& arrays = population_.arrays();
    Kokkos::parallel_for("limited step", Range(0, arrays.count),
                         LimitStep<P>{arrays.velocity->current, population_.observedVelocity(),
                                      population_.observedForce(), population_.inverseMass(), arrays.tag->current,
                                      Real(0.5 * timestep_), Real(keys_.displacement / timestep_),
                                      stepKey(seed_, Stream::relaxation, step.step), step.guard});
  }

private:
  BoxPopulation<P>& population_;
  RelaxationKeys keys_;
  double timestep_;
  u64 seed_;
};

}  // namespace mesowarp
