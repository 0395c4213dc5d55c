// What a run writes while it goes. On several ranks each has every recorder, and all record the same steps. A recorder
// says what it needs of a step (Wanted), records it, and carries its unfinished sums through a checkpoint. The engine
// computes the union of what all want and nothing else: a step that nobody watches computes neither energy nor virial,
// and buffers for observed velocities and forces are allocated when they are first asked for. Recorders of what every
// run has are in src/run/recorders; those of what a method has, in its folder (Method::recorders).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "io/checkpoint/file_mark.hpp"
#include "step/engine.hpp"

namespace mesowarp {

namespace input {
struct Deck;
}

struct RunClock {
  double seconds = 0.0;  // wall time of the run, with the parts before a resume, as far as they are known
  double particleStepsPerSecond = 0.0;  // of this process
};

class Recorder {
public:
  virtual ~Recorder() = default;
  // What step needs; last: the run's last step.
  virtual Wanted wants(i64 step, bool last) const = 0;
  // Called for every step for which wants() asked for anything, after Engine::advance.
  virtual void record(i64 step, Engine& engine, const RunClock& clock) = 0;
  // For the step that a resumed run computes once more, if wants() asks for anything: it has been recorded, so what
  // particles carry for this recorder is to be brought up to date, and no more.
  virtual void replay(i64 /*step*/, Engine&) {}
  virtual void finish() {}
  // On resume: whether the files of the earlier run can be continued. Changes nothing; throws InputError.
  virtual void check() {}
  // Before the first step: begins or continues the files. Throws InputError or RunError.
  virtual void open() {}
  // For the checkpoint of this step: what was recorded is on the disk on return, and the files can be brought back to
  // what they are now; on the root, their marks. Throws RunError.
  virtual void mark(i64, io::FileMarks&) {}
  // Unfinished sums, by name; storage owns the values.
  virtual void save(std::vector<io::ArrayView>& arrays, std::vector<std::vector<std::byte>>& storage) const;
  virtual void restore(const io::CheckpointContent& content);
};

struct RecorderContext {
  const input::Deck& deck;
  std::string directory;
  i64 resumedFrom = -1;                       // step of the checkpoint; -1: a fresh run
  io::FileMarks marks = {};                   // that the checkpoint has
  const comm::Communicator* ranks = nullptr;  // null: one rank
  double openPart = 1.0;                      // of the box, that walls leave: may take long to find, so found once
};

// Has a file that is begun although the run is not, so lacks what came before, said in the log.
void tellOfNewFile(const RecorderContext& context, const std::string& name);

}  // namespace mesowarp
