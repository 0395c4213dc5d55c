// One time step, as a list.
#include "run/signals.hpp"
#include "run/simulation.hpp"

namespace mesowarp {

// replay: the step a checkpoint was taken at, computed once more from its state; it was recorded before. Only what is
// due because it is the last step may be missing; recorders know what they have.
void Simulation::timestep(i64 step, bool replay) {
  const bool last = step == deck_.run.steps;
  if (!replay) {
    backend::Region region("rebuild", phases_);
    engine_->rebuildIfDue(step);
    saySkin(step);
  }
  if (signal_ == 0) signal_ = caughtSignalAnywhere(step);
  const bool save = !replay && (checkpointDue(step) || signal_ != 0);
  if (save) captureState();
  {
    backend::Region region("forces and integration", phases_);
    engine_->advance(step, wanted(step, last));
  }
  checkForFailure(step, last || checkpointDue(step));
  if (replay) replayRecorders(step, last);
  if (!replay || last) {
    backend::Region region("output", phases_);
    record(step, last);
  }
  if (save) {
    backend::Region region("checkpoint", phases_);
    writeCheckpoint(step);
  }
}

}  // namespace mesowarp
