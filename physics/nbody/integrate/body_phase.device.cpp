#include "physics/nbody/integrate/body_phase.hpp"

#include "core/error.hpp"
#include "state/exact_sums.hpp"

namespace mesowarp::nbody {

void BodyPhase::run(const PhaseStep& step) {
  BodyState& state = bodies_.state();
  if (!state.ready) {
    integrator_.start(state);
  } else if (!bodies_.ranks() && integrator_.repeats() && backend::StepGraph::paysForBodies(state.count())) {
    if (waiting_ == 0) waitingSince_ = step.step;
    ++waiting_;
  } else {
    integrator_.advance(state, step.step);
  }
  if (waiting_ == BodyIntegrator::mostPrepared || step.wanted.any()) settle();
  if (step.sums) observe(*step.sums);
}

// Does the steps that wait. Their number is recorded when it comes the second time: to load a kernel that has not run
// yet may be more than a recording takes.
void BodyPhase::settle() {
  if (waiting_ == 0) return;
  if (memoryOfSteps_ != bodies_.force()->bytes()) recordings_.clear();
  integrator_.prepare(waitingSince_, waiting_);
  const auto [it, first] = recordings_.try_emplace(waiting_);
  Recording& recording = it->second;
  if (recording.done) {
    recording.graph.again();
  } else {
    if (!first) recording.graph.begin();
    integrator_.advancePrepared(bodies_.state(), waiting_);
    if (!first) recording.graph.launch(), recording.done = true;
  }
  memoryOfSteps_ = bodies_.force()->bytes();
  waiting_ = 0;
}

// The sums are those of all ranks already; the root's count.
void BodyPhase::observe(ThermoSums& sums) {
  const auto& state = bodies_.state();
  const auto& b = state.bodies;
  totals_ = exactSums<BodyTotals>("observe bodies", state.count(),
                                  TotalsOfBody{b.position, b.velocity, state.acceleration, b.mass}, bodies_.ranks());
  sums_ = thermoOf(totals_, bodies_.force()->potential(b, state.exclusions));
  if (!bodies_.ranks() || bodies_.ranks()->root()) sums += sums_;
}

void BodyPhase::addQuantities(std::map<std::string, double>& quantities) const {
  const double kinetic = 0.5 * (sums_.kinetic[0] + sums_.kinetic[1] + sums_.kinetic[2]);
  const double virial = sums_.virial[0] + sums_.virial[1] + sums_.virial[2];
  quantities["virial_ratio"] = virial != 0.0 ? -kinetic / virial : 0.0;
  for (int c = 0; c < 3; ++c) quantities[std::string("angular_momentum_") + "xyz"[c]] = totals_.angularMomentum[c];
}

BodyPopulation& addBodies(Engine& engine, const input::Deck& deck, int bodies, const RankPart& part) {
  const BodyShare share = part.ranks ? BodyShare(static_cast<int>(part.allParticles), part.ranks) : BodyShare(bodies);
  if (share.count() != bodies) throw RunError("a rank's bodies are not its block of the tags");
  auto& population = engine.add(std::make_unique<BodyPopulation>(deck, share));
  engine.add(std::make_unique<BodyPhase>(population, deck));
  return population;
}

}  // namespace mesowarp::nbody
