// One run of a deck: the composition root. It owns the deck, the engine and the recorders. timestep.cpp is the whole
// step, as a list. How long each part took, from the initial state to the state hash, is `phase_seconds` of
// summary.json.
#pragma once

#include <functional>
#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "comm/rank_part.hpp"
#include "device/region.hpp"
#include "input/deck.hpp"
#include "io/files/output_directory.hpp"
#include "io/progress.hpp"
#include "run/recorders/recorder.hpp"
#include "run/run_history.hpp"
#include "step/engine.hpp"

namespace mesowarp {

struct RunOptions {
  std::string output;                 // directory
  std::optional<std::string> resume;  // checkpoint file
  bool quiet = false;
  const comm::Communicator* ranks = nullptr;  // null: one rank
  std::string threads;                        // how many and why, for the log; empty: no word of it
  SortStyle sort = backend::defaultSort;
  io::OutputDirectory* directory = nullptr;  // of the root; a run without files has none
};

class Simulation {
public:
  // Prepares everything but touches no file. Throws InputError.
  Simulation(input::Deck deck, RunOptions options);
  ~Simulation();

  // Runs to the deck's last step, or to a signal. Returns the program's exit code.
  int run();

  // For benchmarks: steps first to last as run() does them, but without files, signals and progress, for the recorders
  // added here alone. The deck's last step should lie beyond. Throws RunError.
  void addRecorder(std::unique_ptr<Recorder> recorder) { recorders_.push_back(std::move(recorder)); }
  void runSteps(i64 first, i64 last);
  const Engine& engine() const { return *engine_; }

private:
  void prepare();
  bool root() const { return !options_.ranks || options_.ranks->root(); }
  void onRoot(const std::function<void()>& task) const;
  int caughtSignalAnywhere(i64 step) const;
  void openOutputs();
  void makeRecorders();
  void checkOutputs();
  void touchDirectory();
  void setLaterCheckpointsAside();
  void openRecorders();
  double memoryBytes() const;  // of all ranks
  void timestep(i64 step, bool replay);
  void record(i64 step, bool last);
  void replayRecorders(i64 step, bool last);
  void checkForFailure(i64 step, bool waitForDevice);
  void saySkin(i64 step);
  void captureState();  // of this step, for writeCheckpoint() after it
  void writeCheckpoint(i64 step);
  bool checkpointDue(i64 step) const;
  Wanted wanted(i64 step, bool last) const;
  std::string resumeHint(i64 step) const;
  std::string standingCheckpoint() const;  // and how to go on from it; empty: there is none
  void requireOutputs() const;
  int conclude(i64 step);
  int fail(i64 step, const std::string& why);
  std::string hashOfState();
  void writeSummary(i64 step, const std::string& status, const std::string& hash);
  void addResults(nlohmann::json& summary, const std::string& hash);
  void sayGoodbye(i64 step, const std::string& hash);
  void readCheckpoint(const std::string& path);

  input::Deck deck_;
  RunOptions options_;
  std::unique_ptr<Engine> engine_;
  std::vector<std::unique_ptr<Recorder>> recorders_;
  const Recorder* thermo_ = nullptr;
  std::optional<io::CheckpointContent> checkpoint_;
  RunHistory history_;
  i64 firstStep_ = 0;
  i64 stepsDone_ = 0;
  int signal_ = 0;  // that all ranks know of
  i64 lastCheckpoint_ = -1;
  std::optional<double> skin_;  // that the log knows of
  std::vector<std::vector<std::byte>> captured_;
  std::vector<io::ArrayView> capturedViews_;
  backend::PhaseSeconds phases_;
  double wallSeconds_ = 0.0;
  std::vector<std::string> notes_;  // warnings for the log, once there is one
  std::vector<std::string> found_;  // likewise of the start (physics/method.hpp)
};

}  // namespace mesowarp
