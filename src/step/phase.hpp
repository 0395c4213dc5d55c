// A step is a list of phases (step/engine.hpp). A phase says what it works on and how it may be treated; when ghosts
// must be fresh, what a graph may record, what is repeated behind a list that was too small, and what overlaps with a
// halo under way, the list finds out from that, and no phase knows it.
#pragma once

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "core/step_guard.hpp"
#include "core/sums.hpp"
#include "kernels/pairs/particle_blocks.hpp"
#include "state/population.hpp"

namespace mesowarp {

// What a phase does with a field of its population. readsGhosts: it reads copies of other ranks' particles as well,
// which must be those of this step. Who writes "position" before forces are summed must say so: behind it rows of the
// neighbour list have other particles within the cutoff than when they were built.
struct FieldUse {
  enum Kind { reads, readsGhosts, writes, adds };
  std::string field;  // its name; "force": what forces add up
  Kind kind;
};

// Of a step, for its phases.
struct PhaseStep {
  i64 step = 0;
  Wanted wanted;
  StepGuard guard;             // kernels of repeatable phases ask it first
  ThermoSums* sums = nullptr;  // to add to; null: nobody wants them
  bool listIsNew = false;      // it was built for this step
  bool asBuilt = false;        // it was, and no phase has changed a position since
  bool rebuildNext = false;    // the next step builds one, whatever happens in this one
};

class Phase {
public:
  Phase(std::string name, Population& population) : name_(std::move(name)), population_(population) {}
  virtual ~Phase() = default;
  Phase(const Phase&) = delete;
  Phase& operator=(const Phase&) = delete;

  const std::string& name() const { return name_; }
  Population& population() const { return population_; }
  virtual std::vector<FieldUse> uses() const = 0;
  virtual bool due(i64 /*step*/) const { return true; }
  // Its kernels ask the guard first: it may be launched before it is known whether they may run, and again.
  virtual bool repeatable() const { return false; }
  // It does nothing but launch kernels, and nothing that the host waits for: a graph may record it.
  virtual bool recordable() const { return false; }
  // It stands between the closing and the opening of its population's step: velocities are those of the step's end.
  virtual bool between() const { return false; }
  // What it needs of a step of which others want this.
  virtual Wanted looksAt(const Wanted&) const { return {}; }
  virtual void run(const PhaseStep& step) = 0;
  // Does what it has put off.
  virtual void settle() {}
  virtual std::size_t memoryBytes() const { return 0; }  // of this rank
  // Particles of all ranks that it keeps from having a temperature. Collective.
  virtual i64 held() const { return 0; }
  // A step whose sums it needs for itself, whoever else wants them; they come, of all ranks, behind the step, and
  // before phases add to them what finishSums() says.
  virtual bool wantsSums(i64 /*step*/) const { return false; }
  virtual void look(i64 /*step*/, const ThermoSums& /*sums*/) {}
  // Whether it changes the lengths of its population's box before a step, and then does (ListedPopulation::deform());
  // the neighbour list is built behind that. Nothing is under way on the device.
  virtual bool changesBox(i64 /*step*/) const { return false; }
  virtual void changeBox(i64 /*step*/) {}
  // Behind the step: what it adds to the sums over all ranks, and columns of its own.
  virtual void finishSums(ThermoSums&) const {}
  virtual void addQuantities(std::map<std::string, double>&) const {}
  // What it knows from the steps before, as words of a checkpoint, the same on each rank, and back. Collective.
  // restore() may get those of a deck that differs where a resumed one may: such words it leaves alone, or throws
  // InputError.
  virtual std::vector<i64> state() const { return {}; }
  virtual void restore(const std::vector<i64>& /*state*/) {}

private:
  std::string name_;
  Population& population_;
};

// The last force of a population and its integrator, as one kernel: it closes this step (second half-kick) and opens
// the next (first half-kick, drift). Where a phase stands between the two, the list takes the parts one by one.
class ClosingPhase : public Phase {
public:
  using Phase::Phase;
  void run(const PhaseStep& step) override { runBlocks(step, {population().count()}); }
  // Of the particles of these blocks alone.
  virtual void runBlocks(const PhaseStep& step, const backend::ParticleBlocks& blocks) = 0;
  virtual void close(const PhaseStep& step) = 0;
  virtual void open(const PhaseStep& step, const backend::ParticleBlocks& blocks) = 0;
};

// What changes the state that the closing phase of its population has written, before neighbours get it: a bounce at a
// wall, say. It goes block by block, as that does.
class PhaseOfNext : public Phase {
public:
  using Phase::Phase;
  void run(const PhaseStep& step) override { runBlocks(step, {population().count()}); }
  virtual void runBlocks(const PhaseStep& step, const backend::ParticleBlocks& blocks) = 0;
  // What it needs of the closing phase.
  virtual Wanted needs(i64 /*step*/) const { return {}; }
};

}  // namespace mesowarp
