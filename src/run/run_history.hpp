// The processes that have worked on a run, one after the other: its first, and one for each resume. A checkpoint
// carries those up to its step, so that a summary speaks of the whole run.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "core/types.hpp"
#include "io/checkpoint/checkpoint.hpp"

namespace mesowarp {

struct RunPart {
  i64 firstStep = 0, lastStep = 0;
  double seconds = 0.0;  // wall time from the first step to the last; NaN: not known
  int ranks = 1, threads = 1;
  std::string device;
};

class RunHistory {
public:
  static constexpr const char* textOfCheckpoint = "runs";

  // What a checkpoint of this step says of the parts before; one of a version that did not write them down gives a part
  // whose time is not known.
  void restore(const io::CheckpointContent& content, i64 step);
  void begin(const RunPart& part) { parts_.push_back(part); }
  // The part that works now has come to this step.
  void advance(i64 step, double seconds) { parts_.back().lastStep = step, parts_.back().seconds = seconds; }

  i64 firstStep() const { return parts_.front().firstStep; }
  i64 steps() const { return parts_.back().lastStep - firstStep(); }
  double seconds() const;        // of all parts; NaN: not known
  double secondsBefore() const;  // of those before the one that works now
  std::string text() const;      // for a checkpoint
  // first_step, last_step, steps, wall_s, particle_steps_per_second and runs, a list of the parts with the same keys.
  void addTo(nlohmann::json& summary, double particles) const;

private:
  std::vector<RunPart> parts_;
};

}  // namespace mesowarp
