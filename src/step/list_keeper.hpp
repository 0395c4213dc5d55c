// Keeps a population's neighbour list good while steps are launched ahead of the device. On a GPU steps are launched
// behind a build before the host knows that the table was large enough and, where it looks late, that no particle has
// left its half skin; if not so, their kernels have done nothing (StepGuard), and the steps are launched again, behind
// a list with a larger table or at the step that needed a new one. Before anything is read off the device confirmList()
// looks. Steps of small systems are recorded from a rebuild on, and launched as one graph.
//
// When a list is built anew (neighbor.rebuild of a deck):
//
//   - "displacement": the epilogue raises a flag when a particle has moved half the skin since the last build, and the
//     next step rebuilds before it computes forces; no pair can be missed. On a CPU, and on several ranks, the host
//     reads the flag before each step. On one GPU it would have to wait for each step, so it looks late: it launches
//     ahead, for as many steps as the lists before have lasted (state/list_interval.hpp), and looks while the last of
//     them runs. If the flag came early, kernels that saw it have stopped; the host builds at the step that needed it
//     and launches the stopped ones again. So a list is never used for too long, and when it is rebuilt follows from
//     the particles' motion alone; the plan is in the checkpoint. In a sheared box there is no plan
//     (ListedPopulation::plansBuilds): the host launches ahead for as many steps as the last list was good for, then
//     looks before each step until one needs a new list.
//   - "every": after so many steps. The flag is only watched, and builds that came too late are counted
//     (`dangerous_builds`).
//
// Where lists last a step or two, the skin is tuned at builds (state/skin_tuner.hpp).
#pragma once

#include <limits>
#include <vector>

#include "device/step_graph.hpp"
#include "device/stream_event.hpp"
#include "state/listed_population.hpp"

namespace mesowarp {

// Whose steps they are.
class LaunchedSteps {
public:
  virtual void launchStep(i64 step, const Wanted& wanted) = 0;
  virtual void swapState() = 0;         // of all populations
  virtual bool recordable() const = 0;  // every phase is

protected:
  ~LaunchedSteps() = default;
};

class ListKeeper {
public:
  ListKeeper(ListedPopulation& population, LaunchedSteps& steps) : population_(population), steps_(steps) {}

  void rebuildIfDue(i64 step);
  // Behind confirmForNext(), when the box has changed.
  void rebuildNow(i64 step) { rebuild(step); }
  // Whether it is known already that the next step will rebuild: then displacements need no watching, nor ghosts
  // refreshing.
  bool rebuildIsNext(i64 step) const { return step + 1 - population_.builds().lastRebuild >= plannedSteps(); }
  StepGuard guard(i64 step) const;
  // Around launchStep(step). mustRun: it cannot be repeated later, since somebody looks at it.
  void before(bool mustRun);
  void behind(i64 step);

  // Waits until it is known that all steps launched have done what they are for, as far as the list's room goes; of the
  // last one: as far as particles go as well.
  void confirmList();
  void confirmForNext();
  // Waits until the device has done all that was asked of it.
  void settle() const;

private:
  bool rebuildDue(i64 step) const;
  i64 plannedSteps() const;
  void rebuild(i64 step);
  void tune(i64 step);
  bool graphPays() const;
  i64 firstStopped();
  void repeatFrom(i64 step);
  void lookSoon(i64 step);

  ListedPopulation& population_;
  LaunchedSteps& steps_;
  mutable backend::StepGraph graph_;
  std::vector<i64> unconfirmed_;  // steps launched of which it is not known that they did anything
  backend::StreamEvent look_;     // behind the step whose outcome tells whether a list lasted as long as planned
  i64 lookedFor_ = -1;            // that step
  i64 wasGoodFor_ = 2;            // steps, the last list that was not planned
};

}  // namespace mesowarp
