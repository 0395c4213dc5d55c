// The progress of a run: on a terminal one line that is drawn over itself, elsewhere a plain line now and then.
#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>

namespace mesowarp::io {

// Whether what is written to a descriptor, STDOUT_FILENO or STDERR_FILENO, goes to a terminal. Open MPI's mpirun gives
// its ranks one even where its own output goes to a file; then that of the parent process counts.
bool isTerminal(int descriptor);

class Progress {
public:
  struct Options {
    bool isQuiet = false;
    bool isTerminal = false;  // standardOutput() asks the system
    std::FILE* out = stdout;
    std::function<double()> clock;  // seconds; empty: the steady clock
  };
  static Options standardOutput(bool isQuiet);

  // A run from firstStep to lastStep, starting now.
  Progress(std::int64_t firstStep, std::int64_t lastStep, Options options);

  // After a step: draws at most five times per second on a terminal; otherwise once every tenth of the run, and at
  // least once a minute. Costs a clock reading.
  void update(std::int64_t step);
  // Clears the line; to be called once, before the last words of the run.
  void finish();

  // "step 500 of 1000 (50%), 120 steps/s, 4 s left"
  std::string text(std::int64_t step) const;

private:
  void draw(std::int64_t step);

  std::int64_t firstStep_, lastStep_;
  Options options_;
  double start_ = 0.0, lastDrawn_ = 0.0;  // seconds
  std::int64_t nextTenth_ = 1;
  bool isOnScreen_ = false;
};

// "4 s", "3 min 20 s", "5 h 12 min", "2 d 3 h"; "?" if unknown.
std::string durationText(double seconds);

}  // namespace mesowarp::io
