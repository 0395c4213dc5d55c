// Phases of tests' own, to see how the list of phases treats what a method may bring.
#pragma once

#include <vector>

#include "state/box_population.hpp"
#include "step/engine.hpp"

namespace mesowarp::test {

// Stands between the closing and the opening of every so-manieth step, and remembers when it ran.
class Between : public Phase {
public:
  Between(Population& population, i64 every) : Phase("between", population), every_(every) {}
  std::vector<FieldUse> uses() const override { return {{"velocity", FieldUse::reads}}; }
  bool due(i64 step) const override { return step % every_ == 0; }
  bool between() const override { return true; }
  void run(const PhaseStep& step) override { ran.push_back(step.step); }
  std::vector<i64> ran;

private:
  i64 every_;
};

template <class Vector>
struct Reverse {
  DeviceArray<Vector> velocity;
  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    velocity(i) = {-velocity(i).x, -velocity(i).y, -velocity(i).z};
  }
};

// Turns all particles round.
template <class P>
class TurnRound final : public Between {
public:
  TurnRound(BoxPopulation<P>& population, i64 every) : Between(population, every), population_(population) {}
  void run(const PhaseStep& step) override {
    Between::run(step);
    Kokkos::parallel_for("turn round", Range(0, population_.count()),
                         Reverse<Vec3<typename P::Real>>{population_.observedVelocity()});
  }

private:
  BoxPopulation<P>& population_;
};

// Stands before forces and says that it reads positions, or that it writes them.
class BeforeForces : public Phase {
public:
  BeforeForces(Population& population, FieldUse::Kind kind) : Phase("before forces", population), kind_(kind) {}
  std::vector<FieldUse> uses() const override { return {{"position", kind_}}; }
  void run(const PhaseStep& step) override {
    if (step.listIsNew) ++builds;
    if (step.asBuilt) ++asBuilt;
  }
  int builds = 0, asBuilt = 0;  // in how many steps

private:
  FieldUse::Kind kind_;
};

}  // namespace mesowarp::test
