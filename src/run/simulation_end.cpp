// How a run ends: at its last step, by a signal, or by a failure.
#include <chrono>
#include <cstdlib>
#include <fmt/format.h>
#include <spdlog/spdlog.h>
#include <thread>

#include "core/error.hpp"
#include "input/grammar/printable.hpp"
#include "io/checkpoint/checkpoint_files.hpp"
#include "io/log.hpp"
#include "run/signals.hpp"
#include "run/simulation.hpp"

namespace mesowarp {
namespace {

// Files of several ranks are closed together, which waits forever for a rank whose writes fail (a disk that is
// read-only by now). By then all is said and nothing is left to lose.
void leaveWithin(std::chrono::seconds time, int exitCode) {
  std::thread([=] {
    std::this_thread::sleep_for(time);
    std::_Exit(exitCode);
  }).detach();
}

}  // namespace

// With the resolved deck of the output directory, so that overrides of this run hold for the next one too.
std::string Simulation::resumeHint(i64 step) const {
  const std::string directory = options_.directory ? options_.directory->place() : options_.output;
  return fmt::format("mesowarp run {0}/deck.toml --output {0} --resume {0}/{1}", directory, io::checkpointName(step));
}

std::string Simulation::standingCheckpoint() const {
  if (lastCheckpoint_ >= 0) {
    if (options_.directory && options_.directory->place().empty()) return "";
    return fmt::format("the checkpoint of step {} stands: {}", lastCheckpoint_, resumeHint(lastCheckpoint_));
  }
  return options_.resume ? fmt::format("the checkpoint of step {} stands: {}", firstStep_, *options_.resume) : "";
}

// On the root, before something is written: the directory must still be this run's, and the log must not have lost a
// line.
void Simulation::requireOutputs() const {
  if (options_.directory) options_.directory->requireInPlace();
  if (const auto failure = io::logFailure()) throw RunError("the log cannot be written: " + *failure);
}

int Simulation::conclude(i64 step) {
  const bool finished = step == deck_.run.steps;
  onRoot([this] { requireOutputs(); });
  for (auto& recorder : recorders_) recorder->finish();
  const std::string hash = finished ? hashOfState() : "";
  writeSummary(step, finished ? "finished" : "interrupted", hash);
  if (finished)
    sayGoodbye(step, hash);
  else
    spdlog::warn("stopped by {} at step {}; go on with: {}", signalText(signal_), step, resumeHint(step));
  io::flushLog();
  return finished ? 0 : 1;
}

// A rank that fails alone ends the others, too; what all meet is the root's to tell.
int Simulation::fail(i64 step, const std::string& why) {
  if (options_.ranks && !options_.ranks->allHaveFailed()) {
    fmt::print(stderr, "error: rank {}, step {}: {}\n", options_.ranks->rank(), step, input::printable(why));
    if (root() && !standingCheckpoint().empty()) fmt::print(stderr, "error: {}\n", standingCheckpoint());
    options_.ranks->abort(1);
  }
  if (root()) {
    spdlog::error("{}", why);
    if (const auto standing = standingCheckpoint(); !standing.empty()) spdlog::error("{}", standing);
  }
  try {
    onRoot([this] {
      if (options_.directory) options_.directory->requireInPlace();
    });
    writeSummary(step, "failed", "");
  } catch (const std::exception& error) {
    if (root() && error.what() != why) spdlog::error("summary.json was not written: {}", error.what());
  }
  if (options_.ranks) leaveWithin(std::chrono::seconds(5), 1);
  return 1;
}

}  // namespace mesowarp
