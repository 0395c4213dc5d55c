#include "step/list_keeper.hpp"

#include <stdexcept>
#include <utility>

namespace mesowarp {

bool ListKeeper::rebuildDue(i64 step) const {
  if (!population_.listBuilt()) return true;
  if (population_.policy().fixedInterval || population_.plansBuilds())
    return step - population_.builds().lastRebuild >= plannedSteps();
  settle();
  const bool moved = population_.flags().moved()() != 0;
  return population_.ranks() ? population_.ranks()->largest(moved ? 1 : 0) != 0 : moved;
}

void ListKeeper::rebuildIfDue(i64 step) {
  if (population_.looksLate() && !population_.plansBuilds() && population_.listBuilt()) {
    const i64 used = step - population_.builds().lastRebuild;
    if (unconfirmed_.empty() || used >= wasGoodFor_) confirmForNext();
    return;
  }
  if (!rebuildDue(step)) return;
  confirmForNext();
  if (!rebuildDue(step)) return;  // it came earlier, as it turned out
  if (population_.plansBuilds() && population_.listBuilt()) population_.interval().lasted();
  if (population_.tuner().due(step)) tune(step);
  rebuild(step);
}

// Nothing is under way, and the list is used no more.
void ListKeeper::tune(i64 step) {
  const double skin = population_.skin();
  const double now =
      population_.tuner().at(step, population_.builds().rebuilds, population_.meanRow(), population_.cutoff(), skin,
                             [&](double wider) { return population_.hasRoomFor(wider); });
  if (now == skin) return;
  population_.setSkin(now);
  population_.interval() = ListInterval();  // lists last longer now, or less long
}

// Steps that a list is used for, as far as that is known beforehand; else more than there are.
i64 ListKeeper::plannedSteps() const {
  if (population_.policy().fixedInterval) return population_.policy().every;
  return population_.plansBuilds() ? population_.interval().steps() : StepGuard::never;
}

void ListKeeper::rebuild(i64 step) {
  if (population_.looksLate()) population_.flags().moved()() = 0;  // nothing that could set it is under way
  if (graphPays()) graph_.begin();
  population_.rebuild(step);
}

// Where the host need not look at the device before the next rebuild, nor during one. A list whose end is looked for
// while its last step runs leaves too little time to record the steps of the next: launched one by one they are quicker
// (perf/log/steps_and_graphs.md). The first builds are left out: they may allocate.
bool ListKeeper::graphPays() const {
  return !population_.ranks() && !population_.looksLate() && backend::StepGraph::pays(population_.count()) &&
         plannedSteps() != StepGuard::never && population_.buildsHere() > 2 && steps_.recordable() &&
         population_.buildsAreRecordable();
}

StepGuard ListKeeper::guard(i64 step) const {
  return {population_.incomplete(), population_.looksLate() ? population_.flags().staleFrom().data() : nullptr, step};
}

void ListKeeper::before(bool mustRun) {
  constexpr std::size_t mostUnconfirmed = 8;
  const bool many = unconfirmed_.size() >= mostUnconfirmed;
  // A list that is looked at late need not be known yet to have done all of these.
  if (mustRun || (many && !population_.looksLate())) confirmForNext();
}

void ListKeeper::behind(i64 step) {
  if constexpr (backend::onGpu) unconfirmed_.push_back(step);
  lookSoon(step);
}

// If need be builds again, with a larger table or at the step that needed a new list, and launches these steps again.
void ListKeeper::confirmList() {
  for (;;) {
    graph_.launch();
    const i64 first = population_.completeList() ? i64{-1} : firstStopped();
    if (unconfirmed_.empty() || first > unconfirmed_.back()) break;
    if (population_.isShared()) throw std::logic_error("a rank would repeat steps alone");
    repeatFrom(first);
  }
  unconfirmed_.clear();
}

// The same before a step that must do what it is launched for, since somebody looks at it or at the state before it.
void ListKeeper::confirmForNext() {
  confirmList();
  const i64 first = firstStopped();
  if (first != StepGuard::never) repeatFrom(first), confirmList();
}

// The first step that found the list too old, or will, if it is not launched yet; never: none.
i64 ListKeeper::firstStopped() {
  if (!population_.looksLate()) return StepGuard::never;
  if (!unconfirmed_.empty()) {
    const i64 last = unconfirmed_.back();
    lookedFor_ + 1 == last&& rebuildIsNext(last) ? look_.wait() : settle();
  }
  const i64 moved = population_.flags().moved()();
  return moved != 0 ? moved : StepGuard::never;
}

// first: where a new list is needed; negative: nowhere, but no step since the build has done anything.
void ListKeeper::repeatFrom(i64 first) {
  const std::vector<i64> launched = std::exchange(unconfirmed_, {});
  std::vector<i64> stopped;
  for (const i64 step : launched)
    if (step >= first) stopped.push_back(step);
  if (stopped.size() % 2 == 1) steps_.swapState();
  if (first >= 0) {
    wasGoodFor_ = first - population_.builds().lastRebuild;
    if (population_.plansBuilds())
      population_.interval().cut(static_cast<int>(wasGoodFor_));
    else if (population_.tuner().due(first))
      tune(first);
    rebuild(first);
  }
  for (const i64 step : stopped) {
    rebuildIfDue(step);
    steps_.launchStep(step, {});
    unconfirmed_.push_back(step);
    lookSoon(step);
  }
}

// Marks the point by which it is known whether the list lasts as long as planned: the last step it is used for need not
// be watched, and runs while the host looks.
void ListKeeper::lookSoon(i64 step) {
  if (!population_.plansBuilds() || step + 2 - population_.builds().lastRebuild != plannedSteps()) return;
  look_.record();
  lookedFor_ = step;
}

void ListKeeper::settle() const {
  graph_.launch();
  if constexpr (backend::onGpu) population_.ranks() ? Kokkos::fence() : Execution().fence();
}

}  // namespace mesowarp
