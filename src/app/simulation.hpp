// One run of a deck: the composition root.
#pragma once

#include <memory>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "app/engine.hpp"
#include "app/recorder.hpp"
#include "app/run_history.hpp"
#include "backend/region.hpp"
#include "io/progress.hpp"

namespace mesowarp {

struct RunOptions {
  std::string output;                 // directory
  std::optional<std::string> resume;  // checkpoint file
  bool quiet = false;
  const comm::Communicator* ranks = nullptr;  // null: one rank
  SortStyle sort = backend::defaultSort;
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
  RankPart partOf(i64 particles) const;
  bool root() const { return !options_.ranks || options_.ranks->root(); }
  template <class Task>
  void onRoot(const Task& task);
  int caughtSignalAnywhere(i64 step) const;
  void openOutputs();
  void makeRecorders(i64 resumedFrom);
  double memoryBytes() const;  // of all ranks
  void timestep(i64 step, bool replay);
  void record(i64 step, bool last);
  void checkForFailure(i64 step, bool waitForDevice);
  void captureState();  // of this step, for writeCheckpoint() after it
  void writeCheckpoint(i64 step);
  bool checkpointDue(i64 step) const;
  Wanted wanted(i64 step, bool last) const;
  std::string resumeHint(i64 step) const;
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
  std::vector<std::vector<std::byte>> captured_;
  std::vector<io::ArrayView> capturedViews_;
  backend::PhaseSeconds phases_;
  double wallSeconds_ = 0.0;
  std::vector<std::string> notes_;
};

}  // namespace mesowarp
