// A population with cells and a neighbour list, as the list of phases sees it: when the list was built, what stops
// kernels that walk it, and where ghosts are. The list of phases decides when to build (step/list_keeper.hpp).
#pragma once

#include <array>
#include <functional>

#include "device/config.hpp"
#include "kernels/pairs/particle_blocks.hpp"
#include "kernels/pairs/step_context.hpp"
#include "state/list_interval.hpp"
#include "state/population.hpp"
#include "state/skin_tuner.hpp"

namespace mesowarp {

// When lists are built anew: in every so-manieth step, or when a particle has left its half skin.
struct ListPolicy {
  bool fixedInterval = false;
  int every = 0;  // steps
};

class ListedPopulation : public Population {
public:
  ListedPopulation(std::string name, const comm::Communicator* ranks, ListPolicy policy)
      : Population(std::move(name), ranks), policy_(policy) {}
  ListedPopulation* listed() override { return this; }

  const ListPolicy& policy() const { return policy_; }
  // Whether other ranks have parts of it. A sheared box has ghosts, and so ranks(), on one rank too.
  bool isShared() const { return ranks() && ranks()->size() > 1; }
  // Where the host would have to wait for each step to see whether a list may be used once more, it does not: it
  // launches ahead, and kernels stop by themselves.
  bool looksLate() const { return backend::onGpu && !isShared() && !policy_.fixedInterval; }
  // For so many steps as it plans (ListInterval), and then builds a list, needed or not. Not in a sheared box, where a
  // build puts particles back through the faces, which rounds their velocities: there are builds at the steps that need
  // them alone, as on a CPU and on several ranks.
  bool plansBuilds() const { return looksLate() && !ranks(); }
  StepFlags& flags() { return flags_; }
  const StepFlags& flags() const { return flags_; }
  ListInterval& interval() { return interval_; }
  SkinTuner& tuner() { return tuner_; }
  const ListCounters& builds() const { return counters_; }
  int buildsHere() const { return buildsHere_; }  // by this process
  virtual bool listBuilt() const = 0;

  // The box' edges, length. deform(), between two steps and before a rebuild: it has these from now on. Particles keep
  // their fractions of the box, so places are stretched with it; velocities are divided by what each edge is multiplied
  // by, so that momenta conjugate to the fractions stay. Throws RunError if cells are too narrow then.
  virtual std::array<double, 3> boxSize() const = 0;
  virtual void deform(const std::array<double, 3>& size) = 0;

  // The list's skin, length. setSkin(), before a rebuild: it has this one from then on; cells follow. hasRoomFor(): on
  // all ranks alike. meanRow(): entries of a row of the list there is, over all ranks; waits for the device.
  virtual double cutoff() const = 0;
  virtual double skin() const = 0;
  virtual void setSkin(double skin) = 0;
  virtual bool hasRoomFor(double skin) const = 0;
  virtual double meanRow() const = 0;

  // Particles to their ranks, in the order of cells, ghosts behind them, and a list of the present positions.
  void rebuild(i64 step) {
    makeList(step);
    counters_.lastRebuild = step;
    ++counters_.rebuilds, ++buildsHere_;
  }
  // For benchmarks, which build lists by themselves.
  void builtAt(i64 step) { counters_.lastRebuild = step; }
  // Waits for the last build, and repeats it while its table is too small. True: it had to; then no kernel launched
  // since has done anything.
  virtual bool completeList() = 0;
  virtual const int* incomplete() const = 0;  // StepGuard's
  // Whether a build does nothing but launch kernels, as far as the last one tells.
  virtual bool buildsAreRecordable() const = 0;

  // On several ranks: what is under way has arrived, for kernels launched from now on. Nothing is: nothing happens.
  virtual void receiveGhosts() {}
  // The last kernel of a step, launch(blocks), by blocks: first those at the border, whose particles the neighbours
  // need; what neighbours need travels as soon as these are done. gated: the kernel counts what it has done
  // (ParticleBlocks::passGate), so that one launch will do. ghostsNeeded: the next step reads ghosts. observed: the
  // step's state is looked at before the next.
  struct LastKernel {
    std::function<void(const backend::ParticleBlocks&)> launch;
    bool gated, ghostsNeeded, observed;
  };
  virtual void finishStep(const LastKernel& last) { last.launch({count()}); }

protected:
  virtual void makeList(i64 step) = 0;
  ListCounters& mutableBuilds() { return counters_; }

private:
  ListPolicy policy_;
  StepFlags flags_;
  ListCounters counters_;
  int buildsHere_ = 0;
  ListInterval interval_;
  SkinTuner tuner_;
};

}  // namespace mesowarp
