#include "io/progress.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace mesowarp::io {

namespace {

constexpr double terminalInterval = 0.2;  // seconds between drawings
constexpr double plainInterval = 60.0;

double steadySeconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

bool isTerminal(int descriptor) {
  if (::isatty(descriptor) != 1) return false;
  if (std::getenv("OMPI_COMM_WORLD_SIZE") == nullptr) return true;
  std::error_code unknown;  // no Linux, or a parent of somebody else
  const auto parents =
      std::filesystem::read_symlink(fmt::format("/proc/{}/fd/{}", ::getppid(), descriptor), unknown).string();
  return unknown || parents.starts_with("/dev/pts/") || parents.starts_with("/dev/tty") || parents == "/dev/console";
}

Progress::Options Progress::standardOutput(bool isQuiet) { return {isQuiet, isTerminal(STDOUT_FILENO), stdout, {}}; }

Progress::Progress(std::int64_t firstStep, std::int64_t lastStep, Options options)
    : firstStep_(firstStep), lastStep_(lastStep), options_(std::move(options)) {
  if (!options_.clock) options_.clock = steadySeconds;
  start_ = lastDrawn_ = options_.clock();
}

void Progress::update(std::int64_t step) {
  if (options_.isQuiet) return;
  const double sinceDrawn = options_.clock() - lastDrawn_;
  if (options_.isTerminal) {
    if (sinceDrawn >= terminalInterval) draw(step);
    return;
  }
  const std::int64_t tenth = 10 * (step - firstStep_) / std::max<std::int64_t>(lastStep_ - firstStep_, 1);
  if (tenth < nextTenth_ && sinceDrawn < plainInterval) return;
  nextTenth_ = std::max(nextTenth_, tenth + 1);
  draw(step);
}

void Progress::draw(std::int64_t step) {
  lastDrawn_ = options_.clock();
  if (options_.isTerminal)
    fmt::print(options_.out, "\r\033[K{}", text(step));
  else
    fmt::print(options_.out, "{}\n", text(step));
  std::fflush(options_.out);
  isOnScreen_ = options_.isTerminal;
}

void Progress::finish() {
  if (!isOnScreen_) return;
  fmt::print(options_.out, "\r\033[K");
  std::fflush(options_.out);
  isOnScreen_ = false;
}

std::string Progress::text(std::int64_t step) const {
  const double elapsed = options_.clock() - start_;
  const auto done = static_cast<double>(step - firstStep_);
  const auto whole = static_cast<double>(std::max<std::int64_t>(lastStep_ - firstStep_, 1));
  const double rate = elapsed > 0.0 ? done / elapsed : 0.0;
  const double left = rate > 0.0 ? static_cast<double>(lastStep_ - step) / rate : NAN;
  return fmt::format("step {} of {} ({:.0f}%), {:.{}f} steps/s, {} left", step, lastStep_, 100.0 * done / whole, rate,
                     rate < 10.0 ? 1 : 0, durationText(left));
}

std::string durationText(double seconds) {
  if (!(seconds >= 0.0 && seconds < 1e12)) return "?";
  const auto total = static_cast<std::int64_t>(std::ceil(seconds));
  if (total < 60) return fmt::format("{} s", total);
  if (total < 3600) return fmt::format("{} min {} s", total / 60, total % 60);
  if (total < 86400) return fmt::format("{} h {} min", total / 3600, total % 3600 / 60);
  return fmt::format("{} d {} h", total / 86400, total % 86400 / 3600);
}

}  // namespace mesowarp::io
